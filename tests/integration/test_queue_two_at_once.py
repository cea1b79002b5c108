"""Two people at the same moment, over two real connections: no place is given twice, none lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from django.db import connections, transaction

from admin_tracing import queueing
from admin_tracing.models import QueueItem, QueueLock, RoutingLabel
from admin_tracing.queueing import NotYours, taking
from admin_tracing.queueing.states import locked_item
from tests.labelling import BOTH, people, queued, say, status, take

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 20.0  # seconds that a thread may take on a slow machine


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What the calls give that begin together, each over a connection of its own."""
    ready = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            ready.wait(PATIENCE)
            return call()
        except NotYours:
            return "not yours"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [f.result(PATIENCE) for f in [pool.submit(run, call) for call in calls]]


def test_the_last_place_goes_to_one_of_many():
    (turn,) = queued()
    everybody = people(*"abcdef")
    got = at_once(*(lambda who=who: take(who) for who in everybody))
    assert sorted(map(str, got)) == sorted([str(turn.pk), *["None"] * 5])
    assert QueueLock.objects.count() == 1


def test_an_item_that_is_being_given_out_is_passed_over():
    first, second = queued(2)
    sam, rosa = people("sam", "rosa")
    with transaction.atomic():
        assert take(sam) == first.pk  # and not committed yet
        assert at_once(lambda: take(rosa)) == [second.pk]


def test_the_only_item_has_a_place_for_both_who_ask_at_once():
    """The second waits until the first has theirs, and does not hear that nothing is left."""
    (turn,) = queued(wanted=2)
    sam, rosa = people("sam", "rosa")
    assert at_once(lambda: take(sam), lambda: take(rosa)) == [turn.pk, turn.pk]


def test_the_only_item_that_is_being_given_out_is_waited_for():
    (turn,) = queued(wanted=2)
    sam, rosa = people("sam", "rosa")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert take(sam) == turn.pk  # and not committed yet
            waiting = pool.submit(_take_elsewhere, rosa)
            assert not wait([waiting], 0.2).done
        assert waiting.result(PATIENCE) == turn.pk


def _take_elsewhere(user: Any) -> Any:
    try:
        return take(user)
    finally:
        connections.close_all()


def test_a_place_that_was_taken_between_looking_and_locking_is_not_given(monkeypatch: Any):
    """The row is free to lock, but the count of a moment ago is old."""
    (turn,) = queued()
    sam, rosa = people("sam", "rosa")
    looked = taking._best

    def slow(statement: str, user: Any, sensitive: bool, passed: list[Any]) -> Any:
        found = looked(statement, user, sensitive, passed)
        if user == rosa and not passed:
            QueueLock.objects.create(item_id=turn.pk, user=sam, until="2999-01-01T00:00Z")
        return found

    monkeypatch.setattr(taking, "_best", slow)
    assert take(rosa) is None
    assert queueing.locks.holders(turn.pk) == {sam.pk}


def test_two_who_finish_together_are_both_counted():
    (turn,) = queued(wanted=2)
    sam, rosa = people("sam", "rosa")
    at_once(lambda: say(sam, turn, "direct"), lambda: say(rosa, turn, "iterative"))
    assert status(turn) == "disagreed"


def test_the_second_of_two_who_finish_the_same_place_is_refused():
    (turn,) = queued()
    sam, rosa = people("sam", "rosa")
    given = at_once(
        lambda: queueing.done(sam, turn.pk, BOTH), lambda: queueing.done(rosa, turn.pk, BOTH)
    )
    assert sorted(given) == ["done", "not yours"]
    assert RoutingLabel.objects.count() == 1


def test_one_person_with_two_windows_has_one_item():
    queued(4)
    (sam,) = people("sam")
    got = at_once(*(lambda: take(sam) for _ in range(4)))
    assert QueueLock.objects.count() == 1
    assert QueueLock.objects.get().item_id in got


def test_adding_the_same_turns_at_once_adds_them_once():
    turns = [turn.pk for turn in queued(6)]
    QueueItem.objects.all().delete()
    added = at_once(*(lambda: queueing.add(turns, "filter") for _ in range(4)))
    assert sum(added) == 6
    assert QueueItem.objects.count() == 6


def test_a_killed_writer_leaves_all_or_nothing():
    (turn,) = queued()
    (sam,) = people("sam")

    def killed() -> None:
        with transaction.atomic():
            queueing.done(sam, turn.pk, BOTH)
            connections["default"].close()  # as if the process were gone

    at_once(killed)
    assert not RoutingLabel.objects.exists()
    with transaction.atomic():
        assert locked_item(turn.pk) is not None
    assert status(turn) == "open"
