"""Do people take a rescued answer as they take one of the first pass? By votes, labels, and asks.

A vote is of who asked, a label of staff; an answer that was made anew on request was not enough.
Votes and labels are few, so they are read as they are, from their side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import QuerySet

from admin_tracing.counted import ANSWERED, AT_ONCE, MADE_ANEW, SHOWS, counted
from admin_tracing.days import Days
from admin_tracing.labelled import rows as labelled
from admin_tracing.labelled.figures import estimate
from admin_tracing.labelled.grounded import is_held
from admin_tracing.labelled.standing import Drawn, Labelled
from admin_tracing.models import Settlement
from admin_tracing.stats.estimate import Estimate
from admin_tracing.stats.intervals import share
from chat.contracts.verdicts import Termination
from chat.models import Feedback, Turn

ENDS = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)


Filters = tuple[Mapping[str, str], Mapping[str, str]]
"""Of the list, for rescued answers and for those of the first pass."""

NO_FILTERS: Filters = ({}, {})
RESCUED, FIRST = "rescued", "answered_at_once"


@dataclass(frozen=True, slots=True)
class Preferred:
    """One way to ask people, of rescued answers and of those of the first pass.

    `hits` are the list's filters for the turns of the two shares, `all` for those of their n,
    where the list can tell them.
    """

    name: str
    rescued: Estimate
    first: Estimate
    hits: Filters
    all: Filters

    @property
    def sides(self) -> tuple[tuple[Estimate, str, str], ...]:
        """Both shares, each with the queries of its hits and of all."""
        both = zip((self.rescued, self.first), self.hits, self.all, strict=True)
        return tuple((of, urlencode(hits), urlencode(n)) for of, hits, n in both)

    @property
    def differs(self) -> bool:
        """The intervals do not touch, so it is no chance."""
        if self.rescued.too_few or self.first.too_few:
            return False
        return self.rescued.high < self.first.low or self.first.high < self.rescued.low


def preferred(days: Days, rescued: int) -> list[Preferred]:
    """Votes up of all votes, labels that call the answer held, answers that were made anew.

    `rescued` is how many answers of the window were: to count them here would read every record.
    """
    answers = counted(days.since, days.until).filter(ANSWERED)
    votes = _votes(answers)
    rows = [row for row in labelled.groundedness(days) if row.facts.termination in ENDS]
    job = Settlement.Job.GROUNDEDNESS
    drawn = labelled.drawn(days, job, among=ANSWERED) if rows else []
    again = _made_anew(answers)
    kinds = _kinds(
        {turn: passes for turn, (_, passes) in votes.items()}
        | again
        | {row.facts.turn: row.facts.passes for row in rows}
    )
    wholes = (rescued, answers.filter(AT_ONCE).count())
    liked, held, anew = [], [], []
    for kind, n in zip(kinds, wholes, strict=True):
        liked.append(_up(votes, kind))
        held.append(_held(rows, drawn, kind))
        # A turn that ends between two readings must not make more than all of them.
        anew.append(share(min(len(again.keys() & kind), n), n))
    in_figures = _shown("", labelled="groundedness:counted")
    return [
        _both("Votes up, of all votes", liked, NO_FILTERS, _shown("_and_voted")),
        _both("Called held by its sources", held, NO_FILTERS, in_figures),
        _both("Made anew on request", anew, _shown("_and_made_anew"), _shown("")),
    ]


def _both(name: str, shares: Sequence[Estimate], hits: Filters, every: Filters) -> Preferred:
    rescued, first = shares
    return Preferred(name, rescued, first, hits, every)


def _shown(what: str, **filters: str) -> Filters:
    return {"shows": RESCUED + what, **filters}, {"shows": FIRST + what, **filters}


def _votes(answers: QuerySet[Turn]) -> dict[UUID, tuple[bool, int]]:
    """Of each turn with a vote: is it up, and how many passes it took."""
    votes = Feedback.objects.filter(turn__in=answers)
    rows = votes.values_list("turn", "vote", "turn__passes")
    return {turn: (vote == Feedback.Vote.UP, passes) for turn, vote, passes in rows}


def _up(votes: Mapping[UUID, tuple[bool, int]], among: set[UUID]) -> Estimate:
    told = [is_up for turn, (is_up, _) in votes.items() if turn in among]
    return share(sum(told), len(told))


def _held(rows: Sequence[Labelled], drawn: Sequence[Drawn], among: set[UUID]) -> Estimate:
    def hits(row: Labelled) -> bool | None:
        return is_held(row) if row.facts.turn in among else None

    return estimate(rows, drawn, hits)


def _made_anew(answers: QuerySet[Turn]) -> dict[UUID, int]:
    """The passes of answers whose question was answered once more on request."""
    return dict(answers.filter(MADE_ANEW).values_list("pk", "passes"))


def _kinds(passes: Mapping[UUID, int]) -> list[set[UUID]]:
    """Which of these answers were rescued, and which came of their first pass."""
    further = [turn for turn, n in passes.items() if n > 1]
    rescued = Turn.objects.filter(SHOWS["rescued"], pk__in=further)
    return [
        set(rescued.values_list("pk", flat=True)),
        {turn for turn, n in passes.items() if n == 1},
    ]
