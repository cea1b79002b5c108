"""A labelled turn as figures see it. What stands of it is by the rule of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple
from uuid import UUID

from admin_tracing.queueing.agreement import How, Word


class Facts(NamedTuple):
    """What a figure needs to know of a turn. `rate` is None for a turn that was not drawn."""

    turn: UUID
    day: date
    versions: int | None
    taken: str
    decided: str
    passes: int
    termination: str
    confidence: str
    unsupported: int
    asked_back: int
    stratum: str | None
    rate: float | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many turns of a day, a version set and a stratum were drawn, and their weight in all."""

    day: date
    versions: int | None
    stratum: str
    n: int
    weight: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """A turn, what each person said of it, and what stands of that.

    For groundedness `said` and `word` are of that alone; `correct` is what stands of the other
    question, which the routing job does not have.
    """

    facts: Facts
    said: tuple[str, ...]
    word: Word
    correct: Word | None = None

    @property
    def stands(self) -> str:
        """The answer that stands, empty where nobody could tell or people disagree."""
        return self.word.value

    @property
    def is_decided(self) -> bool:
        return bool(self.word.value)

    @property
    def is_split(self) -> bool:
        """People disagree and nobody settled it."""
        return self.word.how is How.DISAGREED

    @property
    def is_drawn(self) -> bool:
        return self.facts.rate is not None


def marks(several: Iterable[Mapping[str, bool]]) -> dict[str, bool]:
    """What stands of each claim or citation: what all who marked it say."""
    told: dict[str, set[bool]] = {}
    for one in several:
        for name, is_held in one.items():
            told.setdefault(name, set()).add(is_held)
    return {name: next(iter(found)) for name, found in told.items() if len(found) == 1}
