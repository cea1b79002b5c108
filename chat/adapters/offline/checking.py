"""Is a claim carried by a passage? Decided by the words that both hold, for want of a reader.

Asked only where code could not tell: figures and names are proved by then, but for those that
the question brought. This is no understanding: a claim that turns a sentence round with the
sentence's own words is believed. `chat.judging` says how often that happens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chat.adapters.offline.alignment import Line, best_pair, in_order, line
from chat.adapters.offline.reading import SAME, UNRELATED, Memory, Read, Reader
from chat.adapters.offline.text import clipped, words
from chat.adapters.offline.wordlists import NUMBER_WORDS
from chat.contracts.tasks import CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.generation import label_of

NAME = "offline-1"  # what `chat.adapters.llm_offline` calls itself
VERSION = "check-rules-2"  # raised when a verdict changes: the measured figures are of one version

# The mean of four shares from which a claim is believed. Chosen, like the shares themselves, by
# cross-validation on half of six sets of people's labels (attributionbench, begin_wow,
# faithdial_audit, halueval, mtrag_human_eval, wice: the rows whose hash is even). Weights from a
# regression came out all but equal, so there are none. Rarity of words, a share of names, series
# of two words and the worst clause were tried as well, and brought nothing that held on a set
# that was left out.
ENOUGH = 0.65
NEAR = 0.9  # what a word is worth that is not there, but one that means about the same

_NUMBER_WORDS = NUMBER_WORDS - {"one", "once", "single", "both", "several", "couple", "half"}
_DENIES = re.compile(
    r"\b(?:not|no|never|none|without|cannot|nor|neither|nothing|nobody|hardly|unless|except)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """How far the sources carry a claim, 0 to 1; what they say of it, and in which passages.

    `against` is what alone speaks against the claim, or empty.
    """

    share: float
    passages: tuple[int, ...] = ()
    said: str = ""
    against: str = ""


def check(task: CheckTask, reader: Reader) -> tuple[ClaimVerdict, ...]:
    """One verdict for each claim of the task; none is left undecided."""
    weighed = _weighed(task, reader)
    return tuple(_verdict(claim, each) for claim, each in zip(task.claims, weighed, strict=True))


def support(task: CheckTask, reader: Reader) -> tuple[float, ...]:
    """For each claim how far the passages carry it, 0 to 1; from `ENOUGH` it is supported.

    0 where something speaks against it.
    """
    return tuple(0.0 if each.against else each.share for each in _weighed(task, reader))


def _verdict(claim: str, weighed: Weighed) -> ClaimVerdict:
    supported = not weighed.against and weighed.share >= ENOUGH
    likeness = f"{weighed.share:.0%} alike to “{clipped(weighed.said, 60)}”"
    return ClaimVerdict(
        text=claim,
        label=label_of(claim),
        basis=Basis.SOURCE if supported else Basis.NONE,
        supported=supported,
        by="judge",
        reason=weighed.against or likeness,
        passages=weighed.passages if supported else (),
    )


def _weighed(task: CheckTask, reader: Reader) -> list[Weighed]:
    if not task.passages:
        return [Weighed(0.0, against="there is no passage to hold it against")] * len(task.claims)
    if not task.claims:
        return []
    sources = _Sources([reader.passage(passage) for passage in task.passages])
    sources.learn(task.claims, reader.memory)
    nearest = (reader.memory.rows(task.claims) @ sources.vectors.T).max(axis=1).tolist()
    return [
        sources.weigh(claim, task.question, cosine)
        for claim, cosine in zip(task.claims, nearest, strict=True)
    ]


class _Sources:
    """All passages of one check, read once for all of its claims."""

    def __init__(self, reads: Sequence[Read]) -> None:
        self._texts = [_whole(read) for read in reads]
        said = [(n, each.text) for n, read in enumerate(reads, 1) for each in read.sentences]
        self._passages = [number for number, _ in said]
        self._said = [text for _, text in said]
        self._lines = [line(text) for text in self._said]
        self._stems = frozenset[str]().union(*(read.stems for read in reads))
        titles = (f"{read.passage.title}\n{read.passage.heading}" for read in reads)
        self._beside = frozenset[str]().union(*(line(title).stems for title in titles))
        self._words = list(dict.fromkeys(word for read in reads for word in read.words))
        self._near: dict[str, float] = {}
        self.vectors = np.concatenate([read.vectors for read in reads])

    def learn(self, claims: Sequence[str], memory: Memory) -> None:
        """How near each word that is not there comes to one that is: for all claims at once."""
        spoken = dict.fromkeys(pair for claim in claims for pair in line(claim).spoken)
        missing = [word for root, word in spoken if root not in self._stems]
        if missing and self._words:
            cosines = (memory.rows(missing) @ memory.rows(self._words).T).max(axis=1)
            close = np.clip((cosines - UNRELATED) / (SAME - UNRELATED), 0, 1)
            self._near = dict(zip(missing, close.tolist(), strict=True))

    def weigh(self, claim: str, question: str, cosine: float) -> Weighed:
        """`cosine` is that of the claim and the sentence nearest to it."""
        if against := self._against(claim, question):
            return Weighed(0.0, against=against)
        said = line(claim)
        pair = best_pair(said, self._lines, self._beside)
        shares = (self._held(said), pair.share, in_order(said, self._lines), max(cosine, 0.0))
        numbers = dict.fromkeys(self._passages[place] for place in pair.places)
        words_said = " ".join(self._said[place] for place in pair.places)
        return Weighed(sum(shares) / len(shares), tuple(numbers), words_said)

    def _against(self, claim: str, question: str) -> str:
        asked = _figures(claim)
        held = [asked & _figures(text) for text in self._texts]
        anywhere = frozenset[str]().union(*held)
        if lent := (asked & _figures(question)) - anywhere:
            return f"only the question says “{min(lent)}”"
        if not any(anywhere <= each for each in held):
            return "its figures stand in no one passage"
        if _DENIES.search(claim) and not any(_DENIES.search(text) for text in self._texts):
            return "it denies something, and no passage does"
        return ""

    def _held(self, claim: Line) -> float:
        """The share of the claim's content words that are there, or near to one in meaning."""
        if not claim.spoken:
            return 1.0
        held = (
            1.0 if root in self._stems else NEAR * self._near.get(word, 0.0)
            for root, word in claim.spoken
        )
        return sum(held) / len(claim.spoken)


def _whole(read: Read) -> str:
    return "\n".join((read.passage.title, read.passage.heading, read.passage.text))


@lru_cache(maxsize=512)
def _figures(text: str) -> frozenset[str]:
    found = words(text)
    return frozenset(word for word in found if word[0].isdigit() or word in _NUMBER_WORDS)
