"""Who gets which item: one's own first, the best that is free, never one that is full."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from admin_tracing import labels, queueing
from admin_tracing.models import QueueItem, QueueLock
from chat.models import Turn
from tests import factories, stored
from tests.labelling import let_run_out, people, queued, say, take
from tests.traces import START

pytestmark = pytest.mark.django_db


@pytest.fixture
def sam() -> Any:
    return factories.user("sam")


@pytest.fixture
def rosa() -> Any:
    return factories.user("rosa")


def test_an_empty_queue_has_nothing(sam: Any):
    assert take(sam) is None
    assert queueing.left(sam, sensitive=True) == 0


def test_the_older_item_comes_first_and_a_higher_priority_before_it(sam: Any):
    first, second = queued(2)
    assert take(sam) == first.pk
    queueing.release(sam)
    QueueItem.objects.filter(turn=second).update(priority=1)
    assert take(sam) == second.pk


def test_ones_own_item_stays_before_one(sam: Any):
    first, second = queued(2)
    assert take(sam) == first.pk
    QueueItem.objects.filter(turn=second).update(priority=9)
    assert take(sam) == first.pk
    assert QueueLock.objects.count() == 1


def test_two_people_get_two_items_and_a_third_gets_none(sam: Any, rosa: Any):
    first, second = queued(2)
    assert (take(sam), take(rosa)) == (first.pk, second.pk)
    assert take(factories.user("ina")) is None


def test_an_item_for_two_is_before_two_at_once_and_no_more(sam: Any, rosa: Any):
    (turn,) = queued(wanted=2)
    assert (take(sam), take(rosa)) == (turn.pk, turn.pk)
    assert take(factories.user("ina")) is None


def test_who_is_done_counts_like_who_has_it(sam: Any, rosa: Any):
    (turn,) = queued(wanted=2)
    say(sam, turn)
    assert take(rosa) == turn.pk
    assert take(factories.user("ina")) is None
    assert take(sam) is None


def test_who_is_done_and_still_has_it_counts_once(sam: Any, rosa: Any):
    (turn,) = queued(wanted=2)
    take(sam)
    labels.give_routing(turn, sam, "direct")
    labels.give_groundedness(turn, sam, ("yes", "yes"))
    assert take(rosa) == turn.pk


def test_a_half_label_takes_no_place(sam: Any, rosa: Any):
    (turn,) = queued()
    labels.give_routing(turn, sam, "direct")
    assert take(rosa) == turn.pk


def test_a_lock_is_for_five_minutes_by_the_clock_of_the_database(sam: Any):
    queued()
    take(sam)
    left = QueueLock.objects.annotate(left=F("until") - Now()).values_list("left", flat=True).get()
    assert timedelta(minutes=4, seconds=50) < left <= timedelta(minutes=5)


def test_a_lock_that_ran_out_gives_the_item_back(sam: Any, rosa: Any):
    (turn,) = queued()
    take(sam)
    assert take(rosa) is None
    let_run_out(sam)
    assert take(rosa) == turn.pk
    assert take(sam) is None


def test_activity_renews_a_lock_that_lasts_and_no_other(sam: Any):
    (turn,) = queued()
    take(sam)
    QueueLock.objects.update(until=Now() + timedelta(seconds=5))
    assert queueing.renew(sam, turn.pk)
    left = QueueLock.objects.annotate(left=F("until") - Now()).values_list("left", flat=True).get()
    assert left > timedelta(minutes=4)
    let_run_out(sam)
    assert not queueing.renew(sam, turn.pk)
    assert not queueing.renew(factories.user("ina"), turn.pk)


def test_what_is_given_back_is_free_at_once(sam: Any, rosa: Any):
    (turn,) = queued()
    take(sam)
    assert queueing.release(sam)
    assert not queueing.release(sam)
    assert take(rosa) == turn.pk


def test_nobody_labels_their_own_conversation(sam: Any, rosa: Any):
    own = factories.turn(
        factories.conversation(sam), status="finished", termination="answered", citations=1
    )
    queueing.add([own.pk], "hand")
    assert take(sam) is None
    assert queueing.left(sam, sensitive=True) == 0
    assert take(rosa) == own.pk


def test_what_tells_of_health_goes_to_who_may_read_it(sam: Any):
    (turn,) = queued(is_sensitive=True)
    assert take(sam, sensitive=False) is None
    assert take(sam, sensitive=True) == turn.pk
    assert take(sam, sensitive=False) is None  # the right was taken meanwhile


def test_what_was_erased_meanwhile_is_not_given(sam: Any):
    (turn,) = queued()
    take(sam)
    Turn.objects.filter(pk=turn.pk).update(erased_at=START)
    assert take(sam) is None


def test_what_was_left_to_others_does_not_come_again(sam: Any, rosa: Any):
    first, second = queued(2)
    take(sam)
    queueing.skip(sam, first.pk)
    assert take(sam) == second.pk
    assert take(rosa) == first.pk


def test_how_much_is_left_is_counted_for_each_person(sam: Any, rosa: Any):
    first, *_ = queued(3)
    assert queueing.left(sam, sensitive=True) == 3
    take(sam)
    assert queueing.left(sam, sensitive=True, but=first.pk) == 2
    assert queueing.left(rosa, sensitive=True) == 2
    say(rosa, queued()[0])
    assert queueing.left(rosa, sensitive=True) == 2


def test_a_given_item_is_locked_for_who_asks_for_it(sam: Any, rosa: Any):
    _, second = queued(2)
    assert queueing.take_this(sam, second.pk)
    assert take(sam) == second.pk
    assert not queueing.take_this(rosa, second.pk)


def test_who_has_labelled_it_may_look_again_though_it_is_full(sam: Any, rosa: Any):
    (turn,) = queued()
    say(sam, turn)
    assert queueing.take_this(sam, turn.pk)
    assert not queueing.take_this(rosa, turn.pk)


def test_a_turn_in_no_queue_is_not_locked(sam: Any):
    assert not queueing.take_this(sam, stored.turns(1)[0].pk)


def test_everybody_is_done_in_the_end():
    three = people("a", "b", "c")
    turns = queued(4, wanted=2)
    got = {person: [] for person in three}  # type: ignore[var-annotated]
    for _ in range(9):
        for person in three:
            turn = take(person)
            if turn is None:
                continue
            got[person].append(turn)
            say(person, Turn.objects.get(pk=turn))
    assert all(len(set(mine)) == len(mine) for mine in got.values())
    assert sum(map(len, got.values())) == 8
    assert set(QueueItem.objects.values_list("status", flat=True)) == {"done"}
    assert len(turns) == 4
