"""Looks at every ended turn of people once: whether it is drawn, and how ugly it is.

One process looks at a time; what it looked at in one batch is written in one transaction with the
mark, so that one that is killed loses nothing and draws nothing twice. What was drawn goes into
the queue in the same transaction.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from admin_tracing import queueing
from admin_tracing.counted import counted
from admin_tracing.models import QueueItem, SampleMark, TurnLook
from admin_tracing.sampling.chances import Rates, is_drawn
from admin_tracing.sampling.strata import ANSWERED, THUMBS_DOWN, Ended, Stratum, stratum_of
from admin_tracing.slips import Words
from admin_tracing.ugly import ugliness
from chat.contracts.verdicts import Control, Outcome
from chat.db import in_db
from chat.known_words import known_words
from chat.models import DecisionRecord, Feedback, Turn

BATCH = 1_000
LOOK_BACK = timedelta(hours=1)  # a turn whose end is committed later than others is found by this
QUEUE_OF = timedelta(days=30)  # what ended before is drawn, and left for who asks for it
VOTES_OF = timedelta(days=7)  # votes that are looked at again, until their turn is in the queue

BY_CHANCE = 20  # priority of the random share: without it no figure of all turns stands
SURE = 10  # of what is always drawn

Key = tuple[datetime, UUID]
NO_TURN = UUID(int=0)

SEEN = ("termination", "route_taken", "confidence", "unsupported", "asked_back")

LOOKED = """
INSERT INTO admin_tracing_turnlook (turn_id, ugliness, reasons, at)
SELECT turn, ugliness, reasons::jsonb, now()
FROM unnest(%s::uuid[], %s::smallint[], %s::text[]) AS seen (turn, ugliness, reasons)
"""
DRAWN = """
INSERT INTO admin_tracing_sample (turn_id, stratum, rate, at)
SELECT turn, stratum, rate, now()
FROM unnest(%s::uuid[], %s::text[], %s::float8[]) AS drawn (turn, stratum, rate)
"""


class Drawn(NamedTuple):
    """A turn that was drawn, with its chance and when it ended."""

    turn: UUID
    stratum: Stratum
    rate: float
    ended: datetime


async def draw() -> int:
    """Look at what ended since the last time. Gives the number of turns that were looked at."""
    known = await in_db(known_words)
    seen, after = 0, None
    while True:
        count, after = await in_db(look, known, after)
        seen += count
        if after is None:
            break
    await in_db(queue_votes)
    return seen


@transaction.atomic
def look(known: Words, after: Key | None = None) -> tuple[int, Key | None]:
    """One batch: how many turns, and the key of the last one if there may be more.

    Without a key it begins a while before the mark. Where another process looks, this one does
    nothing.
    """
    SampleMark.objects.get_or_create(pk=1)
    mark = SampleMark.objects.select_for_update(skip_locked=True).filter(pk=1).first()
    if mark is None:
        return 0, None
    rows = list(_unlooked(after or _start(mark))[:BATCH])
    if not rows:
        return 0, None
    _write(rows, known, rates())
    last = (rows[-1].finished_at, rows[-1].id)
    _move(mark, last)
    return len(rows), last if len(rows) == BATCH else None


def rates() -> Rates:
    """The chances that the site's settings give."""
    site = settings.PLUMBLINE
    return Rates(site.sample_share, site.sample_rates)


def _start(mark: SampleMark) -> Key | None:
    return (mark.ended_at - LOOK_BACK, NO_TURN) if mark.ended_at else None


def _move(mark: SampleMark, key: Key) -> None:
    """The mark only goes on: a late turn does not bring it back."""
    if mark.ended_at is None or (mark.ended_at, mark.turn or NO_TURN) < key:
        mark.ended_at, mark.turn = key
        mark.save()


def _unlooked(after: Key | None) -> QuerySet[Turn, Any]:
    rows = counted().filter(~Exists(TurnLook.objects.filter(turn=OuterRef("pk"))))
    if after is not None:
        at, turn = after
        later = Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=turn)
        rows = rows.filter(later, finished_at__gte=at)
    read = rows.exclude(finished_at=None).order_by("finished_at", "pk")
    return read.values_list("id", "finished_at", "erased_at", "question__text", *SEEN, named=True)


def _unchecked(rows: Sequence[Any]) -> set[UUID]:
    """Answers whose grounding check failed or left no decision.

    Asked of the batch's own records: with the turns in one question, every record is read.
    """
    failed = {"control": Control.GROUNDEDNESS, "outcome": Outcome.FAILED_CLOSED}
    said = Q(facts__controls__contains=[failed]) | Q(facts__missing__contains=[failed["control"]])
    answered = [row.id for row in rows if row.termination in ANSWERED]
    records = DecisionRecord.objects.filter(said, turn__in=answered).order_by()
    return set(records.values_list("turn", flat=True))


def _write(rows: Sequence[Any], known: Words, chances: Rates) -> None:
    """What was seen of each turn, which were drawn, and what of those people are to label."""
    ugly = [ugliness(row.question__text, known) for row in rows]
    drawn = list(_drawn(rows, chances))
    reasons = [json.dumps(each.reasons) for each in ugly]
    with connection.cursor() as cursor:
        cursor.execute(LOOKED, [[row.id for row in rows], [one.score for one in ugly], reasons])
        columns = [list(column) for column in zip(*(one[:3] for one in drawn), strict=True)]
        cursor.execute(DRAWN, columns or [[], [], []])
    _queue(drawn, chances)


def _drawn(rows: Sequence[Any], chances: Rates) -> Iterator[Drawn]:
    """Nobody can label what was erased, so it is not drawn."""
    unchecked = _unchecked(rows)
    for row in rows:
        seen = {name: getattr(row, name) for name in SEEN}
        stratum = stratum_of(Ended(**seen, unchecked=row.id in unchecked))
        rate = chances.of(stratum)
        if row.erased_at is None and is_drawn(row.id, rate):
            yield Drawn(row.id, stratum, rate, row.finished_at)


def _queue(drawn: Sequence[Drawn], chances: Rates) -> None:
    groups: defaultdict[tuple[str, int], list[UUID]] = defaultdict(list)
    since = timezone.now() - QUEUE_OF
    for one in drawn:
        if one.ended >= since:
            groups[one.stratum, _priority(one, chances)].append(one.turn)
    for (stratum, priority), turns in groups.items():
        queueing.add(turns, stratum, priority=priority)


def _priority(one: Drawn, chances: Rates) -> int:
    """The random share first, then what is always drawn, then the rest of the sample."""
    if is_drawn(one.turn, chances.base):
        return BY_CHANCE
    return SURE if one.rate >= 1.0 else 0


def queue_votes() -> int:
    """Put what people voted down into the queue. Gives the number of new items.

    Without a sample's row: whether somebody votes is not chance, so what is found this way does
    not enter figures of all turns.
    """
    share = settings.PLUMBLINE.sample_rates[THUMBS_DOWN]
    down = Feedback.objects.filter(
        ~Exists(QueueItem.objects.filter(turn=OuterRef("turn"))),
        Exists(TurnLook.objects.filter(turn=OuterRef("turn"))),  # its stratum goes first
        vote=Feedback.Vote.DOWN,
        at__gte=timezone.now() - VOTES_OF,
        turn__erased_at=None,
    )
    turns = [turn for turn in down.values_list("turn", flat=True) if is_drawn(turn, share)]
    return queueing.add(turns, THUMBS_DOWN, priority=SURE) if turns else 0
