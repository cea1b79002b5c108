"""A figure of labels: its estimate, how far it is covered, its days and its versions. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from admin_tracing.days import Days
from admin_tracing.labelled.standing import Drawn, Labelled
from admin_tracing.labelled.weights import weighed
from admin_tracing.stats import Estimate, hajek

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

Is = Callable[[Labelled], bool | None]
"""Does a turn hit? None for one that the figure is not about."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of `drawn` turns `reached` have a label, and `labelled` have labels that agree.

    `undecided` of them say nothing (cannot tell, needs an expert). Of `split` people disagree and
    nobody settled. `aside` were labelled without being drawn, and are in no estimate. Of the
    strata `unseen` no drawn turn has a label that agrees, so the figure is without them: a part
    `unseen_share` of all turns.
    """

    drawn: int
    labelled: int
    undecided: int
    split: int
    aside: int
    reached: int
    unseen: tuple[str, ...] = ()
    unseen_share: float = 0.0

    @property
    def is_open(self) -> bool:
        """Was a turn drawn of which nobody has said anything?"""
        return self.reached < self.drawn

    @property
    def share(self) -> float | None:
        return self.labelled / self.drawn if self.drawn else None


@dataclass(frozen=True, slots=True)
class Figure:
    """The whole window, then its days and its version sets, each with an estimate."""

    whole: Estimate
    coverage: Coverage
    by_day: tuple[tuple[date, Estimate], ...]
    by_version: tuple[tuple[int | None, Estimate], ...]


def figure(days: Days, rows: Sequence[Labelled], drawn: Sequence[Drawn], hits: Is) -> Figure:
    """A share of turns from labels. Days and versions are weighted by what was drawn of each."""
    rows_of_day, drawn_of_day = _by(rows, lambda row: row.facts.day), _by(drawn, lambda c: c.day)
    rows_of, drawn_of = (
        _by(rows, lambda row: row.facts.versions),
        _by(drawn, lambda cell: cell.versions),
    )
    versions = sorted(rows_of, key=lambda pk: (pk is None, pk or 0))
    return Figure(
        estimate(rows, drawn, hits),
        coverage(rows, drawn),
        tuple(
            (day, estimate(rows_of_day.get(day, ()), drawn_of_day.get(day, ()), hits))
            for day in days
        ),
        tuple((pk, estimate(rows_of[pk], drawn_of.get(pk, ()), hits)) for pk in versions),
    )


def estimate(rows: Sequence[Labelled], drawn: Sequence[Drawn], hits: Is) -> Estimate:
    """The weighted share among the turns that the figure is about."""
    return hajek(
        (is_hit, weight)
        for row, weight in weighed(rows, drawn)
        if (is_hit := hits(row)) is not None
    )


def coverage(rows: Sequence[Labelled], drawn: Sequence[Drawn]) -> Coverage:
    said = [row for row in rows if row.is_said]
    inside = [row for row in said if row.is_drawn]
    agreed = [row for row in inside if row.agrees]
    seen = {row.facts.stratum for row in agreed}
    unseen = [cell for cell in drawn if cell.stratum not in seen] if agreed else []
    whole = sum(cell.weight for cell in drawn)
    return Coverage(
        sum(cell.n for cell in drawn),
        len(agreed),
        sum(not row.is_decided for row in agreed),
        sum(row.is_split for row in rows),
        len(said) - len(inside),
        len(inside),
        tuple(sorted({cell.stratum for cell in unseen})),
        sum(cell.weight for cell in unseen) / whole if unseen else 0.0,
    )


def _by(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    found: dict[K, list[T]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found
