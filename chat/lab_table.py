"""What a run of the lab adds up to: its rows, its knee, and what the golden five have to give.

Pure. A row is one variant, a group the rows that differ in their bound alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal
from uuid import UUID

from chat.contracts.verdicts import Termination

NO_RESULTS = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
ANSWERED = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
OFF_TOPIC = (Termination.OFF_TOPIC, Termination.RESTRICTED)

Ending = Literal["answered", "no_results", "off_topic", "other"]

ORDERS = ("evidence", "budget")
RETRIEVALS = ("lexical", "hybrid", "vector")
STAND_IN_BOUND = 3  # each golden question has so many rewrites, written by hand
REAL_BOUND = 6

COUNTS = ("answered", "no_results", "off_topic", "other", "retrievals", "calls")


class BadVariant(ValueError):
    """A setting that the lab cannot run. Its text says what to do."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One setting of the lab. `bound` is the number of rewrites allowed."""

    bound: int
    order: str = "evidence"
    topic_check: bool = True
    retrieval: str = "lexical"

    @property
    def group(self) -> tuple[str, str, bool]:
        """What it has in common with the other bounds beside it."""
        return self.retrieval, self.order, self.topic_check

    @property
    def in_words(self) -> str:
        """`2 rewrites, evidence first`; what the topic check is like only where it is off."""
        check = "" if self.topic_check else ", no topic check"
        return f"{self.bound} rewrite{'s' * (self.bound != 1)}, {self.order} first{check}"


def checked(variant: Variant, *, stand_ins: bool) -> Variant:
    """The same variant. Raises `BadVariant` for one that cannot be run.

    With stand-ins the rewrites are written by hand, so there are only so many.
    """
    if variant.order not in ORDERS:
        raise BadVariant("What is checked first is evidence or budget.")
    if variant.retrieval not in RETRIEVALS:
        raise BadVariant(f"Retrieval is one of {', '.join(RETRIEVALS)}.")
    if stand_ins and not 0 <= variant.bound <= STAND_IN_BOUND:
        raise BadVariant(
            f"A bound goes from 0 to {STAND_IN_BOUND} here: each golden question has "
            "three rewrites written by hand. Choose hybrid retrieval for more."
        )
    if not 0 <= variant.bound <= REAL_BOUND:
        raise BadVariant(f"A bound goes from 0 to {REAL_BOUND} rewrites.")
    return variant


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question ended; `turn` is its stored lab turn. `cost` in US dollars."""

    question: str
    termination: Termination
    retrievals: int
    calls: int
    turn: UUID
    cost: float = 0.0
    ms: float = 0.0

    @property
    def ending(self) -> Ending:
        return ending(self.termination)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "turn": str(self.turn)}


@dataclass(frozen=True, slots=True)
class Entry:
    """An outcome of a stored run: of its variant by number, and whether it is what was expected.

    `right` is None where nothing is expected. Of the `wanted` passages that answer, so many were
    `accepted`.
    """

    variant: int
    outcome: Outcome
    right: bool | None = None
    accepted: int = 0
    wanted: int = 0

    def as_json(self) -> dict[str, Any]:
        own = {"right": self.right, "accepted": self.accepted, "wanted": self.wanted}
        return {"variant": self.variant, **self.outcome.as_json(), **own}


def ending(termination: Termination) -> Ending:
    """The three ends that the table counts; a cap, a fault and the like are `other`."""
    if termination in ANSWERED:
        return "answered"
    if termination in NO_RESULTS:
        return "no_results"
    return "off_topic" if termination in OFF_TOPIC else "other"


@dataclass(frozen=True, slots=True)
class Row:
    """One variant of a run. `p95_ms` is None while nothing has ended; `right` counts an own set's.

    `done` of the questions have ended, of `asked`; the counts are of those.
    """

    variant: Variant
    asked: int
    done: int
    answered: int
    no_results: int
    off_topic: int
    other: int
    retrievals: int
    calls: int
    cost: float
    p95_ms: float | None
    right: int

    @property
    def is_whole(self) -> bool:
        return self.done >= self.asked

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self.variant), **{k: v for k, v in asdict(self).items() if k != "variant"}}


def row(variant: Variant, entries: Sequence[Entry], asked: int) -> Row:
    """What the entries of one variant add up to, of `asked` questions."""
    outcomes = [entry.outcome for entry in entries]
    ends = [outcome.ending for outcome in outcomes]
    return Row(
        variant=variant,
        asked=asked,
        done=len(outcomes),
        answered=ends.count("answered"),
        no_results=ends.count("no_results"),
        off_topic=ends.count("off_topic"),
        other=ends.count("other"),
        retrievals=sum(outcome.retrievals for outcome in outcomes),
        calls=sum(outcome.calls for outcome in outcomes),
        cost=round(sum(outcome.cost for outcome in outcomes), 6),
        p95_ms=percentile([outcome.ms for outcome in outcomes], 95),
        right=sum(entry.right is True for entry in entries),
    )


def percentile(values: Iterable[float], share: int) -> float | None:
    """The smallest value that at least `share` percent are not above; None without values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)] if ordered else None


@dataclass(frozen=True, slots=True)
class Point:
    """What a bound gains (questions) and what it takes (model calls)."""

    bound: int
    gained: int
    calls: int


@dataclass(frozen=True, slots=True)
class Knee:
    """From `bound` on nothing more is gained; going on to `following` takes `calls` more calls."""

    bound: int
    following: int
    calls: int


def knee(points: Iterable[Point]) -> Knee | None:
    """The smallest bound that gains as much as every larger bound that was tried.

    At least one larger bound has to have been tried, else nobody knows: the largest bound is never
    the knee. None as well while the largest bound still gains more than all before it.
    """
    ordered = sorted(points, key=lambda point: point.bound)
    for place, point in enumerate(ordered[:-1]):
        beyond = ordered[place + 1 :]
        if point.gained >= max(later.gained for later in beyond):
            return Knee(point.bound, beyond[0].bound, beyond[0].calls - point.calls)
    return None


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one retrieval, order and topic check, by bound; the knee once all are whole."""

    rows: tuple[Row, ...]
    knee: Knee | None

    @property
    def variant(self) -> Variant:
        """Any of its variants: they differ in their bound alone."""
        return self.rows[0].variant

    @property
    def is_whole(self) -> bool:
        return all(row.is_whole for row in self.rows)


def grouped(rows: Iterable[Row], *, by_right: bool) -> tuple[Group, ...]:
    """Rows in their groups, in the order in which groups first come.

    A question gains by being answered, or, where each has an end of its own to reach (`by_right`),
    by ending as it should.
    """
    groups: dict[tuple[str, str, bool], list[Row]] = {}
    for one in rows:
        groups.setdefault(one.variant.group, []).append(one)
    return tuple(_group(found, by_right=by_right) for found in groups.values())


def _group(rows: Sequence[Row], *, by_right: bool) -> Group:
    ordered = tuple(sorted(rows, key=lambda one: one.variant.bound))
    points = [
        Point(one.variant.bound, one.right if by_right else one.answered, one.calls)
        for one in ordered
    ]
    return Group(ordered, knee(points) if all(one.is_whole for one in ordered) else None)


def _fixed(names: str, *rows: tuple[int, ...]) -> dict[int, dict[str, int]]:
    return {bound: dict(zip(names.split(), row, strict=True)) for bound, row in enumerate(rows)}


FIXED = {
    ("evidence", True): _fixed(
        "answered no_results off_topic retrievals calls",
        *((1, 3, 1, 4, 14), (2, 2, 1, 7, 24), (3, 1, 1, 9, 31), (3, 1, 1, 10, 34)),
    ),
    ("budget", True): _fixed("answered calls", (0, 13), (1, 23), (2, 30), (3, 34)),
    ("evidence", False): _fixed(
        "no_results retrievals calls", (4, 5, 11), (3, 9, 24), (2, 12, 34), (2, 14, 40)
    ),
}
"""What the golden five give with stand-ins, by order and topic check, then by bound."""


def differences(row: Row) -> dict[str, tuple[int, int]] | None:
    """Where a row of the golden five with stand-ins is not as fixed: (is, should be) by column.

    None where nothing is fixed, or the row is not whole.
    """
    fixed = FIXED.get((row.variant.order, row.variant.topic_check), {}).get(row.variant.bound)
    if fixed is None or row.variant.retrieval != "lexical" or not row.is_whole:
        return None
    found = {name: (getattr(row, name), value) for name, value in fixed.items()}
    return {name: pair for name, pair in found.items() if pair[0] != pair[1]}
