"""Asked for, stopped, watched: the rows of re-runs. Database work, and no model or search.

A re-run is asked for in one transaction and then made by the job of any process.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat.contracts.errors import RedactionFailed
from chat.keeping import screened
from chat.models import Rerun, RerunBatch, Turn
from chat.reruns import leasing, offering
from chat.reruns.change import Change
from chat.reruns.leasing import OPEN
from chat.reruns.problems import (
    BadLimit,
    CannotRerun,
    Erased,
    NoSuchTurns,
    NotFinished,
    NothingChanged,
    NothingChosen,
    Sensitive,
    TooMany,
)

MOST = 1_000  # turns of one batch
COST_LIMIT = Decimal(1)  # US dollars of a batch, unless another one is given
HIGHEST_LIMIT = Decimal(1_000)
TWICE = timedelta(seconds=5)  # within which the same wish is a button that was pressed twice

R = TypeVar("R", Rerun, RerunBatch)


@dataclass(frozen=True, slots=True)
class Sifted:
    """Of chosen turns: those that can be run again, and how many cannot, by the sentence why."""

    fit: tuple[UUID, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Progress:
    """A batch as it stands. `ended` counts what is done, failed or stopped; `share` is 0 to 1.

    `cost` is US dollars of new calls so far.
    """

    status: str
    total: int
    ended: int
    done: int
    flipped: int
    failed: int
    stopped: int
    share: float
    cost: Decimal
    cost_limit: Decimal
    problem: str

    @property
    def is_over(self) -> bool:
        return self.status not in OPEN


def ask(
    user: Any,
    turns: Sequence[UUID],
    change: Change,
    *,
    filters: Mapping[str, Any] | None = None,
    cost_limit: Any = COST_LIMIT,
) -> Rerun | RerunBatch:
    """One turn gives a `Rerun`; several, or any with the `filters` that chose them, a batch.

    A single turn may be run again without a change. `cost_limit` is US dollars, for a batch.
    Raises `CannotRerun`, each with a sentence for the page. `sift` says beforehand what fits.
    """
    wanted = tuple(dict.fromkeys(turns))
    many = filters is not None or len(wanted) > 1
    if many and change.is_empty:
        raise NothingChanged
    offering.check(change)
    limit = _limit(cost_limit)
    _check(user, wanted)
    if not many:
        return _single(user, wanted[0], change.as_json())
    return _batch(user, wanted, change, _as_json(filters or {}), limit)


def sift(user: Any, turns: Sequence[UUID]) -> Sifted:
    """Which of these turns `user` may run again. Raises `NothingChosen` and `TooMany`."""
    wanted = tuple(dict.fromkeys(turns))
    problems = _problems(user, wanted)
    reasons = Counter(problem.public for problem in problems.values())
    return Sifted(tuple(turn for turn in wanted if turn not in problems), dict(reasons))


@transaction.atomic
def stop(work: Rerun | RerunBatch) -> None:
    """Nothing more of it begins, and what runs is stopped. Stopping twice changes nothing."""
    leasing.alone()
    if isinstance(work, RerunBatch):
        batch = RerunBatch.objects.filter(pk=work.pk, status__in=OPEN)
        batch.update(status=Rerun.Status.STOPPED, finished_at=timezone.now())
        rows = Rerun.objects.filter(batch=work.pk, status__in=OPEN)
    else:
        rows = Rerun.objects.filter(pk=work.pk, status__in=OPEN)
    running = Turn.objects.filter(rerun_of__in=rows, status=Turn.Status.RUNNING)
    running.update(stop_requested=True)
    leasing.stop(rows)


def batch_progress(batch: RerunBatch) -> Progress:
    """How far a batch is, as its row says now."""
    batch.refresh_from_db()
    stopped = batch.reruns.filter(status=Rerun.Status.STOPPED).count()
    ended = batch.done + batch.failed + stopped
    return Progress(
        status=batch.status,
        total=batch.total,
        ended=ended,
        done=batch.done,
        flipped=batch.flipped,
        failed=batch.failed,
        stopped=stopped,
        share=ended / batch.total if batch.total else 1.0,
        cost=batch.cost,
        cost_limit=batch.cost_limit,
        problem=batch.problem,
    )


@transaction.atomic
def _single(user: Any, turn: UUID, change: Mapping[str, Any]) -> Rerun:
    leasing.alone()
    same = _pressed_twice(Rerun.objects.filter(source=turn, batch=None), user, change)
    return same or Rerun.objects.create(asked_by=user, source_id=turn, change=change)


def _pressed_twice(rows: QuerySet[R], user: Any, change: Mapping[str, Any]) -> R | None:
    """What the same person asked for a moment ago and is not over: a button was pressed twice."""
    if user is None:
        return None
    since = timezone.now() - TWICE
    return rows.filter(asked_by=user, change=change, status__in=OPEN, created_at__gte=since).first()


@transaction.atomic
def _batch(
    user: Any, turns: Sequence[UUID], change: Change, filters: Mapping[str, Any], limit: Decimal
) -> RerunBatch:
    leasing.alone()
    rows = RerunBatch.objects.filter(filters=filters, total=len(turns))
    if (same := _pressed_twice(rows, user, change.as_json())) is not None:
        return same
    batch = RerunBatch.objects.create(
        asked_by=user,
        filters=filters,
        change=change.as_json(),
        total=len(turns),
        cost_limit=limit,
    )
    Rerun.objects.bulk_create(
        Rerun(asked_by=user, source_id=turn, batch=batch, change=batch.change) for turn in turns
    )
    return batch


def _check(user: Any, turns: Sequence[UUID]) -> None:
    """Raises the first problem; of many turns it says how many have one."""
    problems = _problems(user, turns)
    if not problems:
        return
    first = next(iter(problems.values()))
    if len(turns) > 1:
        same = sum(type(problem) is type(first) for problem in problems.values())
        raise type(first)(f"{same:,} of {len(turns):,} turns cannot be run again. {first.public}")
    raise first


def _problems(user: Any, turns: Sequence[UUID]) -> dict[UUID, CannotRerun]:
    """What stands against each of these turns."""
    if not turns:
        raise NothingChosen
    if len(turns) > MOST:
        raise TooMany
    may_read = user is not None and user.has_perm("chat.read_sensitive")
    rows = Turn.objects.only("status", "erased_at", "is_sensitive").in_bulk(turns)
    looked = ((turn, _problem(rows.get(turn), may_read=may_read)) for turn in turns)
    return {turn: problem for turn, problem in looked if problem is not None}


def _problem(turn: Turn | None, *, may_read: bool) -> CannotRerun | None:
    if turn is None:
        return NoSuchTurns()
    if turn.is_sensitive and not may_read:
        return Sensitive()
    if turn.status != Turn.Status.FINISHED:
        return NotFinished()
    return Erased() if turn.erased_at is not None else None


def _limit(given: Any) -> Decimal:
    try:
        limit = Decimal(str(given))
    except InvalidOperation:
        raise BadLimit from None
    if not (limit.is_finite() and 0 < limit <= HIGHEST_LIMIT):
        raise BadLimit
    return limit


def _as_json(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The filters that are used, as plain values. What was typed is screened like all words."""
    used = {name: value for name, value in filters.items() if value not in (None, "", False)}
    plain: dict[str, Any] = json.loads(json.dumps(used, cls=DjangoJSONEncoder))
    try:
        return plain | {"q": screened(str(plain["q"])).text} if "q" in plain else plain
    except RedactionFailed:  # it only says later how the turns were found
        return {name: value for name, value in plain.items() if name != "q"}
