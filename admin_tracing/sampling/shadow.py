"""Searches again for drawn turns that were called off topic: was there evidence after all?

A turn is searched once. Its row is there before the search begins, so that no two processes pay
for one turn, and a row whose process was killed is taken up by another, once. Turns that were
refused as restricted are left alone: there a rule spoke, whatever the documents say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Sum
from django.utils import timezone

from admin_tracing.counted import counted
from admin_tracing.models import Sample, ShadowSearch
from admin_tracing.sampling.chances import SHADOW, is_drawn
from admin_tracing.sampling.strata import Stratum
from chat import counters
from chat.db import in_db
from chat.shadow import Shadow, search_again

A_MINUTE = 10  # searches begun by all processes together
OF_DAYS = timedelta(days=14)  # older turns asked another index
BEGUN = "begun"  # the problem of a row whose search runs
BEGUN_AGAIN = "begun_again"  # the same after a process was killed in it; there is no third time
GIVEN_UP = timedelta(minutes=5)  # after which such a row's process is taken for dead
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)

_OUTCOMES: Mapping[bool | None, str] = {True: "evidence", False: "nothing", None: "failed"}


@dataclass(frozen=True, slots=True)
class ShadowRow:
    """A searched turn: was there evidence, and how many off-topic turns it stands for."""

    turn: UUID
    has_evidence: bool
    weight: float


async def shadow_due() -> int:
    """Search for those that are due. Gives the number of searches.

    A search that could not run ends the go, so that an outage costs one turn a go.
    """
    made = 0
    while (turn := await in_db(begin)) is not None:
        found = await search_again(turn)
        await in_db(end, turn, found)
        made += 1
        if found.has_evidence is None:
            break
    return made


def begin() -> UUID | None:
    """Take the oldest turn that is due; None if there is none, or no search may begin now."""
    now, site = timezone.now(), settings.PLUMBLINE
    latest = ShadowSearch.objects.filter(at__gt=now - DAY)
    spent = latest.aggregate(cost=Sum("cost"))["cost"] or 0
    begun = latest.filter(at__gt=now - MINUTE).count()
    if float(spent) >= site.shadow_daily_cost or begun >= A_MINUTE:
        return None
    return _abandoned(now) or _new(now, site.shadow_share)


def end(turn: UUID, found: Shadow) -> None:
    """Write what was found, and count it."""
    ShadowSearch.objects.filter(turn=turn).update(
        hits=[asdict(hit) for hit in found.hits],
        has_evidence=found.has_evidence,
        problem=found.problem,
        cost=round(found.cost, 6),
    )
    counters.shadow_search(_OUTCOMES[found.has_evidence])


def shadow_rows(
    since: datetime | None = None, until: datetime | None = None, versions: int | None = None
) -> list[ShadowRow]:
    """Off-topic turns that began in a window and were searched; those that failed are left out."""
    turns = counted(since, until).filter(shadow__has_evidence__isnull=False)
    if versions is not None:
        turns = turns.filter(versions_id=versions)
    found = turns.values_list("pk", "shadow__has_evidence", "shadow__rate")
    return [ShadowRow(turn, has_evidence, 1.0 / rate) for turn, has_evidence, rate in found]


@transaction.atomic
def _abandoned(now: datetime) -> UUID | None:
    """A search whose process is gone, or broke, taken over once."""
    dead = ShadowSearch.objects.select_for_update(skip_locked=True).filter(
        problem=BEGUN, at__lt=now - GIVEN_UP
    )
    row = dead.order_by("at").first()
    if row is None:
        return None
    ShadowSearch.objects.filter(pk=row.pk).update(at=now, problem=BEGUN_AGAIN)
    return row.turn_id


def _new(now: datetime, share: float) -> UUID | None:
    """A drawn turn that was not searched yet."""
    due = Sample.objects.filter(
        ~Exists(ShadowSearch.objects.filter(turn=OuterRef("turn"))),
        stratum=Stratum.OFF_TOPIC,
        turn__finished_at__gt=now - OF_DAYS,
        turn__erased_at=None,
    )
    wanted = due.order_by("turn__finished_at", "turn").values_list("turn", "rate")
    shared = ((turn, rate * share) for turn, rate in wanted if is_drawn(turn, share, SHADOW))
    return next((turn for turn, rate in shared if _take(turn, rate)), None)


def _take(turn: UUID, rate: float) -> bool:
    """Make the row; False where another process was first."""
    try:
        with transaction.atomic():
            ShadowSearch.objects.create(turn_id=turn, problem=BEGUN, rate=rate)
    except IntegrityError:
        return False
    return True
