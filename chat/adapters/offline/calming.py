"""A question without what only tells how the person feels, and without swearing. Pure.

`I am so overwhelmed, my site is down and I am crying` asks about the site. The feeling decides
the tone of the answer elsewhere; in a search it only hides what is asked. So do rare words of
abuse: no page speaks of them, and the question under them has an answer.
"""

from __future__ import annotations

import re

from chat.adapters.offline.text import content
from chat.guardrails.rude_wordlists import INSULTS, SWEARING
from chat.guardrails.screening.crisis import distressed

LONGEST = 8  # words of a clause that may be left out; a longer one tells what happened

_EDGE = re.compile(
    r"([,.;:!?\n]+\s*|\s+(?:and|but|because|so|as)\s+(?=(?:i|i'm|im|i've|we|my|it)\b))", re.I
)
_JOINS = re.compile(
    r"^[\s,;:]*(?:(?:and|but|because|so|as)\b[\s,;:]*)?|[\s,;:]+(?:(?:and|but|so)\s*)?$",
    re.IGNORECASE,
)
_ABUSE = re.compile(
    rf",? ?\byou (?:\w{{1,12}} )?(?:{'|'.join(INSULTS)})\b"
    rf"|(?:\bthe )?\b(?:{'|'.join((*SWEARING, *INSULTS))})\b",
    re.IGNORECASE,
)


def calmed(text: str) -> str:
    """The text without swearing and clauses of upset; as it is where nothing else would be left."""
    left = _ABUSE.sub("", text) if _ABUSE.search(text) else text
    text = " ".join(left.split()) if left != text and content(left) else text
    if not distressed(text):
        return text
    pieces = _EDGE.split(text)
    clauses = list(zip(pieces[::2], [*pieces[1::2], ""], strict=True))
    kept = [(clause, end) for clause, end in clauses if not _only_feels(clause)]
    left = _JOINS.sub("", "".join(clause + end for clause, end in kept)).strip()
    return left if _says_something(left) else text


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _only_feels(clause: str) -> bool:
    return len(clause.split()) <= LONGEST and distressed(clause)
