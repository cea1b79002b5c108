"""May a question be looked up at all, and what may be meant if not? By the documents' own words.

A question is vague only if nothing in it can be searched: no word that the documents know, no
name, id or number, and no nearness to any passage. What is offered then are headings near it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from chat.adapters.offline.corpus import Documents, Vectors
from chat.adapters.offline.reading import Memory, Question, Reader
from chat.adapters.offline.text import clipped, stem
from chat.contracts.tasks import Exchange
from chat.contracts.verdicts import AmbiguityVerdict, Clarity

MOST = 3  # options
LONGEST = 40  # characters of an option
LIKE = 0.2  # cosine to a heading from which it may be what is meant
NEAR = 0.35  # cosine to a passage from which a search by meaning may find something

WHICH = "What is it about? Choose one of these, or name the product or the step."
WHAT = "What is it about? Name the product or the step."

# Words that say that something is wanted or wrong, and not what.
EMPTY_WORDS = frozenset(
    """
    anything problem problems issue issues question questions trouble something stuff matter thing
    help information details detail work works working wrong broken fail failed fix solve change
    explain understand show find look search idea case subject topic support
    """.split()
)
_EMPTY = frozenset(map(stem, EMPTY_WORDS))

_ID = re.compile(r"\d|\b[A-Z]{2,}\b|\w[_\\./:]\w|[a-z][A-Z]|\"")
_NAME = re.compile(r"(?<=[a-z,;:] )(?!I\b)[A-Z]\w+")


class Headings:
    """The documents' headings, and which of them are near a text."""

    def __init__(self, memory: Memory, documents: Documents) -> None:
        self._names = [name for name in dict.fromkeys(documents.headings) if name]
        self._rows = memory.rows(self._names) if self._names else None

    def near(self, vector: Vectors) -> tuple[str, ...]:
        """Up to three headings as short chips, nearest first; none without documents."""
        if self._rows is None:
            return ()
        cosines = self._rows @ vector
        order = np.argsort(-cosines, kind="stable").tolist()
        near = [place for place in order[:MOST] if cosines[place] >= LIKE]
        chips = (clipped(self._names[place], LONGEST - 2) for place in near)
        return tuple(dict.fromkeys(chips))


def ambiguity(
    question: Question,
    history: Sequence[Exchange],
    reader: Reader,
    documents: Documents,
    headings: Headings,
) -> AmbiguityVerdict:
    """SPECIFIC wherever a search may find something; else VAGUE with what may be meant."""
    if reason := _lookup(question, reader, documents):
        return AmbiguityVerdict(label=Clarity.SPECIFIC, reason=reason)
    said = reader.question(history[-1].question) if history else question
    options = headings.near(said.vector)
    return AmbiguityVerdict(
        label=Clarity.VAGUE,
        question=WHICH if options else WHAT,
        options=options,
        reason="it holds no word that the documents know",
    )


def _lookup(question: Question, reader: Reader, documents: Documents) -> str:
    """What can be searched, in plain words; empty if nothing can."""
    if _ID.search(question.text) or _NAME.search(question.text):
        return "it holds a name, an id or a number"
    telling = [word for word in question.words if stem(word) not in _EMPTY]
    if telling and len(question.text.split()) == 1 and question.text[0].isupper():
        return "it is a name"
    known = next((word for word in telling if stem(word) in reader.rarity), None)
    if known:
        return f"the documents know “{known}”"
    lone = [word for word in question.words if stem(word) in reader.rarity]
    if lone and len(question.text.split()) == 1:
        return f"the documents know “{lone[0]}”"
    if telling and len(documents.vectors):
        nearest = float((documents.vectors @ question.vector).max())
        if nearest >= NEAR:
            return f"a passage is near it ({nearest:.2f})"
    return ""
