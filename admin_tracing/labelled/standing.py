"""A labelled turn as figures see it. What stands of it is by the rule of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from admin_tracing.queueing.agreement import How, Word, of_field
from chat.contracts.verdicts import Route


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


Seen = Mapping[tuple[UUID, int], Mapping[str, Any]]
"""What people answered before they saw the check's verdict, by turn and person.

Only of those who said something else once they had seen it.
"""


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
    question, of which `right` is what was said, and which the routing job does not have. `people`
    are the keys of those who said it, in the same order.
    """

    facts: Facts
    said: tuple[str, ...]
    word: Word
    correct: Word | None = None
    right: tuple[str, ...] = ()
    people: tuple[int, ...] = ()

    @property
    def went(self) -> str:
        """The way that the question went: whoever was asked back first went that way."""
        return str(Route.CLARIFY) if self.facts.asked_back else self.facts.taken

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

    @property
    def is_said(self) -> bool:
        """Somebody answered this question; half a label may leave it open."""
        return self.word.how is not How.UNLABELLED

    @property
    def agrees(self) -> bool:
        """Its labels stand for it, be it that nobody can tell."""
        return self.is_said and not self.is_split


def blinded(row: Labelled, name: str, seen: Seen) -> Labelled:
    """The label as it was before somebody saw the check's verdict and said something else.

    `name` is the question that `said` answers. What a reviewer settled stands.
    """
    before = [seen.get((row.facts.turn, person)) for person in row.people]
    if not any(one is not None for one in before):
        return row
    said = _before(row.said, before, name)
    right = _before(row.right, before, "correct")
    correct = row.correct and _anew(row.correct, row.right, right)
    return replace(
        row, said=said, word=_anew(row.word, row.said, said), right=right, correct=correct
    )


def _before(
    said: tuple[str, ...], before: Sequence[Mapping[str, Any] | None], name: str
) -> tuple[str, ...]:
    return tuple(
        word if one is None else str(one.get(name, ""))
        for word, one in zip(said, before, strict=bool(said))
    )


def _anew(word: Word, said: tuple[str, ...], blind: tuple[str, ...]) -> Word:
    """What stands of other words; a word that did not come of them is a reviewer's."""
    return of_field(blind) if word == of_field(said) else word


def marks(several: Iterable[Mapping[str, bool]]) -> dict[str, bool]:
    """What stands of each claim or citation: what all who marked it say."""
    told: dict[str, set[bool]] = {}
    for one in several:
        for name, is_held in one.items():
            told.setdefault(name, set()).add(is_held)
    return {name: next(iter(found)) for name, found in told.items() if len(found) == 1}
