"""Who makes which re-run: in order, two at a time, anew after a kill, and never for ever."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from chat import counters
from chat.leases import MAX_ATTEMPTS, PROCESS
from chat.models import Rerun, RerunBatch, Turn
from chat.reruns import leasing, making
from chat.reruns.leasing import put_back, renew, take
from tests import stored

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def waiting(**fields: Any) -> Rerun:
    (turn,) = stored.turns(1)
    return Rerun.objects.create(source=turn, **fields)


def a_batch(size: int, **fields: Any) -> list[Rerun]:
    batch = RerunBatch.objects.create(total=size, **fields)
    return [waiting(batch=batch) for _ in range(size)]


def taken() -> Rerun:
    found = take()
    assert found is not None
    return found


def ended(status: str = "done", **fields: Any) -> RerunBatch:
    """The next re-run is taken and ends so; its batch afterwards."""
    rerun = taken()
    for name, value in fields.items():
        setattr(rerun, name, value)
    rerun.save()
    leasing.end(rerun, status)
    return RerunBatch.objects.get(pk=rerun.batch_id)


def process_dies() -> None:
    Rerun.objects.filter(status="running").update(
        owner=uuid4(), lease_until=timezone.now() - SECOND
    )


def test_single_ones_come_before_a_batch_and_older_ones_first() -> None:
    batched = a_batch(1)
    first, second = waiting(), waiting()
    order = []
    for _ in range(3):
        order.append(taken())
        leasing.end(order[-1], "done")
    assert order == [first, second, *batched]
    assert take() is None


def test_what_is_taken_is_this_processs_for_a_while() -> None:
    waiting()
    rerun = taken()
    rerun.refresh_from_db()
    assert (rerun.status, rerun.owner, rerun.attempt) == ("running", PROCESS, 1)
    assert rerun.lease_until is not None
    assert rerun.lease_until > timezone.now()


def test_all_processes_together_make_two_at_a_time() -> None:
    for _ in range(3):
        waiting()
    taken(), taken()
    assert take() is None
    Rerun.objects.filter(status="running").update(owner=uuid4())
    assert take() is None


def test_one_whose_process_died_is_made_anew() -> None:
    rerun = waiting()
    assert taken() == rerun
    process_dies()
    assert taken() == rerun
    rerun.refresh_from_db()
    assert (rerun.attempt, rerun.owner) == (2, PROCESS)


def test_one_that_ends_its_process_each_time_is_given_up_in_words() -> None:
    (rerun,) = a_batch(1)
    for _ in range(MAX_ATTEMPTS):
        assert taken() == rerun
        process_dies()
    assert take() is None
    rerun.refresh_from_db()
    assert (rerun.status, rerun.problem) == ("failed", leasing.GIVEN_UP)
    batch = RerunBatch.objects.get()
    assert (batch.failed, batch.status) == (1, "done")


def test_a_lease_is_renewed_until_somebody_else_has_it_or_it_was_stopped() -> None:
    rerun = waiting()
    taken()
    Rerun.objects.update(lease_until=timezone.now())
    assert renew(rerun.pk)
    rerun.refresh_from_db()
    assert rerun.lease_until is not None
    assert rerun.lease_until > timezone.now()
    Rerun.objects.update(status="stopped")
    assert not renew(rerun.pk)
    Rerun.objects.update(status="running", owner=uuid4())
    assert not renew(rerun.pk)


def test_what_is_put_back_is_tried_in_a_moment_and_loses_no_try() -> None:
    rerun = waiting()
    taken()
    put_back(rerun.pk)
    rerun.refresh_from_db()
    assert (rerun.status, rerun.owner, rerun.attempt) == ("running", None, 0)
    Rerun.objects.update(lease_until=timezone.now() - SECOND)
    assert taken() == rerun


def test_a_batch_runs_counts_and_is_done_with_its_last_one() -> None:
    a_batch(3)
    assert ended(is_flipped=True, cost=Decimal("0.02")).status == "running"
    ended("failed")
    batch = ended(cost=Decimal("0.01"))
    assert (batch.done, batch.flipped, batch.failed) == (2, 1, 1)
    assert (batch.cost, batch.status) == (Decimal("0.03"), "done")
    assert batch.finished_at is not None


def test_a_batch_stops_at_its_limit_and_what_waits_does_not_begin() -> None:
    a_batch(3, cost_limit=Decimal("0.05"))
    assert ended(cost=Decimal("0.04")).status == "running"
    batch = ended(cost=Decimal("0.02"))
    assert (batch.status, batch.problem) == ("stopped", "It stopped at its limit of $0.05.")
    assert list(batch.reruns.filter(status="stopped").values_list("turn", flat=True)) == [None]
    assert take() is None


def test_a_batch_of_failures_stops_by_itself() -> None:
    a_batch(leasing.IN_A_ROW + 2)
    for _ in range(leasing.IN_A_ROW):
        batch = ended("failed", problem="The model gave no answer.")
    assert batch.status == "stopped"
    assert batch.problem.endswith("The model gave no answer.")


def test_one_that_works_begins_the_count_of_failures_anew() -> None:
    a_batch(leasing.IN_A_ROW + 2)
    for _ in range(leasing.IN_A_ROW - 1):
        ended("failed")
    ended()
    assert ended("failed").status == "running"


def test_what_runs_while_its_batch_stops_is_still_counted() -> None:
    first, second = a_batch(2)
    taken()
    RerunBatch.objects.update(status="stopped", problem="by hand")
    batch = ended()
    assert (batch.done, batch.status, batch.problem) == (1, "stopped", "by hand")
    assert Turn.objects.count() == 2
    assert first.batch_id == second.batch_id


@pytest.mark.parametrize(
    ("status", "fields", "outcome"),
    [("done", {}, "same"), ("done", {"is_flipped": True}, "flipped"), ("failed", {}, "failed")],
)
def test_each_end_is_counted(
    status: str,
    fields: dict[str, Any],
    outcome: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    before = counters.RERUNS.labels(outcome)._value.get()
    a_batch(1)
    with django_capture_on_commit_callbacks(execute=True):
        ended(status, **fields)
    assert counters.RERUNS.labels(outcome)._value.get() == before + 1


def test_one_that_was_made_for_nothing_was_a_try() -> None:
    rerun = waiting()
    for _ in range(MAX_ATTEMPTS):
        put_back(taken().pk, made=True)
        process_dies()
    assert take() is None
    rerun.refresh_from_db()
    assert rerun.status == "failed"


def test_what_had_its_tries_is_not_counted_twice_when_its_turn_ends_after_all() -> None:
    (rerun,) = a_batch(1)
    taken()
    (turn,) = stored.turns(1, kind="rerun")
    Rerun.objects.filter(pk=rerun.pk).update(turn=turn, attempt=MAX_ATTEMPTS)
    process_dies()
    assert take() is None
    making.finish(rerun.pk, turn.pk, [line(cost=0.25)])
    batch = RerunBatch.objects.get()
    assert (batch.done, batch.failed, batch.cost) == (0, 1, Decimal("0.25"))


def line(**fields: Any) -> dict[str, Any]:
    return {"kind": "model", "purpose": "answer", "reused": False, "ms": 1.0} | fields
