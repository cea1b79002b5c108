"""Which re-run is made next, and by whom: a lease in the database. Database work.

Single ones come first. All processes together make two at a time, so that a batch takes little from
people who wait for an answer.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from chat import counters
from chat.leases import LEASE, MAX_ATTEMPTS, PROCESS
from chat.models import Rerun, RerunBatch

AT_ONCE = 2  # of all processes
AGAIN = timedelta(seconds=5)  # after which one is tried again whose earlier turn has not ended
OPEN = (Rerun.Status.WAITING, Rerun.Status.RUNNING)
LOCK = 7_305_001  # of this choice alone, among the advisory locks of the database
GIVEN_UP = f"The server ended {MAX_ATTEMPTS} times while this ran. Ask for it again."


@transaction.atomic
def take() -> Rerun | None:
    """The next re-run, which this process has then; None if there is none, or enough are made.

    One whose process is gone is taken again, until it has had its tries.
    """
    alone()
    now = timezone.now()
    running = Rerun.objects.filter(status=Rerun.Status.RUNNING)
    if running.filter(lease_until__gte=now).count() >= AT_ONCE:
        return None
    left = Q(status=Rerun.Status.WAITING) | Q(status=Rerun.Status.RUNNING, lease_until__lt=now)
    due = Rerun.objects.filter(left).select_for_update(of=("self",))
    in_order = due.order_by(F("batch").asc(nulls_first=True), "created_at", "id")
    while (first := in_order.first()) is not None and first.attempt >= MAX_ATTEMPTS:
        fail(first, GIVEN_UP)
    if first is None:
        return None
    first.status, first.owner, first.lease_until = Rerun.Status.RUNNING, PROCESS, now + LEASE
    first.attempt += 1
    first.save(update_fields=["status", "owner", "lease_until", "attempt"])
    waiting = RerunBatch.objects.filter(pk=first.batch_id, status=Rerun.Status.WAITING)
    waiting.update(status=Rerun.Status.RUNNING)
    return first


def alone() -> None:
    """Until the transaction ends, nobody else takes a re-run or stops one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def renew(rerun: int) -> bool:
    """Is it still this process's? Its lease is renewed then."""
    return bool(mine(rerun).update(lease_until=timezone.now() + LEASE))


def put_back(rerun: int, *, made: bool = False) -> None:
    """A turn of it has not ended yet: let any process try again in a moment.

    Nothing was done, so it is no try; but for one that was `made` for nothing.
    """
    tries = F("attempt") - (0 if made else 1)
    mine(rerun).update(owner=None, lease_until=timezone.now() + AGAIN, attempt=tries)


def held(rows: QuerySet[Rerun]) -> Rerun | None:
    """One re-run, held after its batch: who stops a batch holds them in that order too."""
    batches = RerunBatch.objects.filter(pk__in=list(rows.values_list("batch", flat=True)))
    list(batches.select_for_update().values_list("pk", flat=True))
    return rows.select_for_update(of=("self",)).first()


def mine(rerun: int) -> QuerySet[Rerun]:
    """The row, if this process has it."""
    return Rerun.objects.filter(pk=rerun, owner=PROCESS, status=Rerun.Status.RUNNING)


def fail(rerun: Rerun, why: str) -> None:
    """End it with a sentence. Call it in a transaction that holds its row."""
    end(rerun, Rerun.Status.FAILED, problem=why[:200])


def end(rerun: Rerun, status: str, **fields: object) -> None:
    """End it and count it, in its batch too. Call it in a transaction that holds its row."""
    now = timezone.now()
    values = {"status": status, "finished_at": now, "owner": None, "lease_until": None, **fields}
    for name, value in values.items():
        setattr(rerun, name, value)
    rerun.save(update_fields=list(values))
    ended = "flipped" if rerun.is_flipped else "same"
    outcome = "failed" if status == Rerun.Status.FAILED else ended
    transaction.on_commit(lambda: counters.rerun(outcome, float(rerun.cost)))
    if rerun.batch_id is not None:
        _count(rerun)


IN_A_ROW = 10  # failures after which a batch stops: the model is away, or the change cannot be
TOO_DEAR = "It stopped at its limit of ${limit:,.2f}."
ALL_FAILED = f"It stopped as the last {IN_A_ROW} re-runs failed: "


def _count(rerun: Rerun) -> None:
    """Put what came of a re-run into its batch, which may be over by that."""
    batch = RerunBatch.objects.select_for_update().get(pk=rerun.batch_id)
    failed = rerun.status == Rerun.Status.FAILED
    batch.done += not failed
    batch.failed += failed
    batch.flipped += not failed and rerun.is_flipped
    batch.cost += rerun.cost
    batch.save(update_fields=["done", "failed", "flipped", "cost"])
    if batch.status not in OPEN:
        return
    if not batch.reruns.filter(status__in=OPEN).exists():
        _close(batch, Rerun.Status.DONE)
    elif batch.cost >= batch.cost_limit:
        _stop(batch, TOO_DEAR.format(limit=batch.cost_limit))
    elif failed and _all_failed(batch):
        _stop(batch, f"{ALL_FAILED}{rerun.problem}")


def _all_failed(batch: RerunBatch) -> bool:
    ended = batch.reruns.exclude(finished_at=None).order_by("-finished_at", "-id")
    last = list(ended.values_list("status", flat=True)[:IN_A_ROW])
    return len(last) == IN_A_ROW and set(last) == {Rerun.Status.FAILED}


def _stop(batch: RerunBatch, why: str) -> None:
    """What waits does not begin any more; what runs may end."""
    _close(batch, Rerun.Status.STOPPED, why)
    stop(batch.reruns.filter(status=Rerun.Status.WAITING))


def stop(rows: QuerySet[Rerun]) -> None:
    """Nothing more comes of these. Call it in a transaction."""
    count = rows.update(status=Rerun.Status.STOPPED, finished_at=timezone.now(), owner=None)
    transaction.on_commit(lambda: counters.rerun("stopped", 0.0, count))


def _close(batch: RerunBatch, status: str, why: str = "") -> None:
    batch.status, batch.finished_at, batch.problem = status, timezone.now(), why[:200]
    batch.save(update_fields=["status", "finished_at", "problem"])
