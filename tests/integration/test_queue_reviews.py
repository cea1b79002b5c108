"""What somebody says of an item: stored, counted, left to others, and taken back."""

from __future__ import annotations

from typing import Any

import pytest

from admin_tracing import labels, queueing
from admin_tracing.labels import BadLabel, Trouble
from admin_tracing.models import (
    GroundednessLabel,
    Incident,
    QueueLock,
    Review,
    RoutingLabel,
)
from admin_tracing.queueing import Answer, Job, NotYours
from admin_tracing.taxonomy import Category
from chat.models import Turn
from tests import factories, stored
from tests.labelling import BOTH, HELD, ROUTE, let_run_out, queued, say, status, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def sam() -> Any:
    return factories.user("sam")


@pytest.fixture
def rosa() -> Any:
    return factories.user("rosa")


def test_who_is_done_has_labelled_and_lost_the_lock(sam: Any):
    (turn,) = queued()
    take(sam)
    assert queueing.done(sam, turn.pk, BOTH) == "done"
    label = GroundednessLabel.objects.get()
    assert (label.grounded, label.correct, label.user) == ("yes", "yes", sam)
    assert RoutingLabel.objects.get().needed == "single_shot"
    assert not QueueLock.objects.exists()
    assert queueing.done_today(sam) == 1


def test_nobody_is_done_before_all_is_said(sam: Any):
    (turn,) = queued()
    with pytest.raises(BadLabel, match="Say which way it needed and what you think of the answer"):
        queueing.done(sam, turn.pk)
    with pytest.raises(BadLabel, match="Say what you think of the answer first"):
        queueing.done(sam, turn.pk, (ROUTE,))
    assert not RoutingLabel.objects.exists()  # all of it or nothing
    assert status(turn) == "open"


def test_a_turn_without_an_answer_asks_for_the_way_alone(sam: Any):
    (turn,) = queued(answered=False)
    assert queueing.jobs_of(turn) == (Job.ROUTING,)
    assert queueing.done(sam, turn.pk, (ROUTE,)) == "done"


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        ({"termination": "answered", "route_taken": "single_shot"}, True),
        ({"termination": "answered_with_caveat", "route_taken": "iterative"}, True),
        ({"termination": "answered", "route_taken": "basic"}, True),
        ({"termination": "answered", "route_taken": "direct"}, False),
        ({"termination": "answered", "route_taken": "direct", "citations": 1}, True),
        ({"termination": "time_cap", "route_taken": "iterative", "citations": 2}, True),
        ({"termination": "no_evidence", "route_taken": "single_shot"}, False),
        ({"termination": "greeted", "route_taken": "greeting"}, False),
        ({"termination": "off_topic", "route_taken": "off_topic"}, False),
        ({"termination": "clarification_expired", "route_taken": "clarify"}, False),
    ],
)
def test_the_answer_is_asked_about_where_there_is_one(fields: dict[str, Any], asks: bool):
    (turn,) = stored.turns(1, **fields)
    assert queueing.holds_answer(turn) is asks
    assert Turn.objects.filter(queueing.HOLDS_ANSWER).exists() is asks


def test_an_item_for_two_is_open_until_the_second_is_done(sam: Any, rosa: Any):
    (turn,) = queued(wanted=2)
    assert say(sam, turn) == "open"
    assert say(rosa, turn) == "done"


def test_a_place_is_not_given_twice(sam: Any, rosa: Any):
    (turn,) = queued()
    say(sam, turn)
    with pytest.raises(NotYours, match="Others label this turn, or have done so"):
        say(rosa, turn)
    assert RoutingLabel.objects.count() == 1


def test_who_comes_back_after_the_lock_ran_out_may_find_it_gone(sam: Any, rosa: Any):
    (turn,) = queued()
    take(sam)
    let_run_out(sam)
    take(rosa)
    with pytest.raises(NotYours):
        queueing.give(sam, turn.pk, ROUTE)
    let_run_out(rosa)
    assert queueing.give(sam, turn.pk, ROUTE) == "open"


def test_giving_it_again_takes_its_place(sam: Any):
    (turn,) = queued()
    queueing.done(sam, turn.pk, BOTH)
    queueing.give(sam, turn.pk, Answer(Job.ROUTING, needed="iterative"))
    assert RoutingLabel.objects.get().needed == "iterative"
    assert Review.objects.count() == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(Job.ROUTING, needed="sideways"),
        Answer(Job.GROUNDEDNESS, grounded="yes", correct="needs_expert"),
        Answer(Job.GROUNDEDNESS, grounded="", correct="yes"),
    ],
)
def test_what_no_sheet_offers_is_refused(sam: Any, answer: Answer):
    (turn,) = queued()
    with pytest.raises(BadLabel):
        queueing.give(sam, turn.pk, answer)
    assert not Review.objects.exists()


def test_what_is_in_no_queue_or_ones_own_is_refused(sam: Any):
    with pytest.raises(NotYours, match="in no queue"):
        queueing.give(sam, stored.turns(1)[0].pk, ROUTE)
    own = factories.turn(factories.conversation(sam), status="finished", citations=1)
    queueing.add([own.pk], "hand")
    with pytest.raises(NotYours, match="your own conversation"):
        queueing.give(sam, own.pk, ROUTE)


# ---- taking it back


def test_undo_takes_the_labels_away_and_puts_the_item_back(sam: Any, rosa: Any):
    (turn,) = queued()
    say(sam, turn)
    assert queueing.undo(sam) == turn.pk
    assert not RoutingLabel.objects.exists() and not GroundednessLabel.objects.exists()
    assert status(turn) == "open"
    assert take(sam) == turn.pk
    assert take(rosa) is None
    assert queueing.done_today(sam) == 0


def test_undo_brings_back_what_stood_before(sam: Any):
    (turn,) = queued()
    labels.give_routing(turn, sam, "clarify", "As I thought.")
    say(sam, turn, "direct")
    queueing.undo(sam)
    label = RoutingLabel.objects.get()
    assert (label.needed, label.note) == ("clarify", "As I thought.")
    assert not GroundednessLabel.objects.exists()


def test_undo_goes_back_one_by_one(sam: Any):
    first, second = queued(2)
    say(sam, first)
    say(sam, second)
    assert [queueing.undo(sam), queueing.undo(sam), queueing.undo(sam)] == [
        *(second.pk, first.pk),
        None,
    ]


def test_undo_takes_back_that_it_was_left_to_others(sam: Any):
    (turn,) = queued()
    take(sam)
    queueing.skip(sam, turn.pk)
    assert take(sam) is None
    assert queueing.undo(sam) == turn.pk
    assert take(sam) == turn.pk


def test_undo_takes_back_a_half_label_first(sam: Any):
    first, second = queued(2)
    say(sam, first)
    take(sam)
    queueing.give(sam, second.pk, ROUTE)
    assert queueing.undo(sam) == second.pk
    assert set(RoutingLabel.objects.values_list("turn", flat=True)) == {first.pk}


def test_nobody_takes_back_what_others_said(sam: Any, rosa: Any):
    (turn,) = queued()
    say(sam, turn)
    assert queueing.undo(rosa) is None
    assert status(turn) == "done"


def test_an_incident_outlives_the_label_that_opened_it(sam: Any):
    (turn,) = queued()
    answer = Answer(
        Job.GROUNDEDNESS, grounded="no", correct="no", trouble=Trouble(Category.DATA_LEAK)
    )
    queueing.done(sam, turn.pk, (ROUTE, answer))
    queueing.undo(sam)
    incident = Incident.objects.get()
    assert (incident.label, incident.turn, incident.opened_by) == (None, turn, sam)
    assert incident.changes.order_by("-pk").values_list("what", "after")[0] == (
        "label",
        "taken back",
    )


def test_leaving_a_half_labelled_item_takes_the_half_away(sam: Any):
    (turn,) = queued()
    take(sam)
    queueing.give(sam, turn.pk, ROUTE)
    queueing.skip(sam, turn.pk)
    assert not RoutingLabel.objects.exists()


def test_leaving_an_item_that_is_said_in_full_keeps_what_was_said(sam: Any):
    (turn,) = queued()
    take(sam)
    for answer in BOTH:
        queueing.give(sam, turn.pk, answer)
    queueing.skip(sam, turn.pk)
    assert status(turn) == "done"
    assert not QueueLock.objects.exists()


# ---- after seeing


def test_nobody_sees_before_they_have_said_all(sam: Any, rosa: Any):
    (turn,) = queued(wanted=2)
    assert not queueing.see(sam, turn.pk)
    queueing.give(sam, turn.pk, ROUTE)
    assert not queueing.see(sam, turn.pk)
    queueing.give(sam, turn.pk, HELD)
    assert queueing.see(sam, turn.pk)
    assert not queueing.see(rosa, turn.pk)
    assert not queueing.see(sam, stored.turns(1)[0].pk)


def test_a_change_after_seeing_is_kept_as_one(sam: Any):
    (turn,) = queued()
    queueing.done(sam, turn.pk, BOTH)
    queueing.see(sam, turn.pk)
    assert not queueing.not_blind().exists()
    queueing.done(sam, turn.pk, BOTH)  # the same again is no change
    assert not queueing.not_blind().exists()
    queueing.give(sam, turn.pk, Answer(Job.GROUNDEDNESS, grounded="no", correct="yes"))
    kept = queueing.not_blind().get().before
    assert kept["after_seeing"] == ["groundedness"]
    blind = kept["blind"]["groundedness"]
    assert {name: blind[name] for name in ("grounded", "correct")} == {
        "grounded": "yes",
        "correct": "yes",
    }


def test_a_mark_that_is_changed_after_seeing_is_a_change(sam: Any):
    (turn,) = queued()
    queueing.done(sam, turn.pk, BOTH)
    queueing.see(sam, turn.pk)
    marked = Answer(Job.GROUNDEDNESS, grounded="yes", correct="yes", parts=({"c1": False}, {}))
    queueing.give(sam, turn.pk, marked)
    kept = queueing.not_blind().get().before
    assert kept["after_seeing"] == ["groundedness"]
    assert kept["blind"]["groundedness"]["claims"] == {}


def test_who_goes_back_to_what_they_said_blind_has_changed_nothing(sam: Any):
    (turn,) = queued()
    queueing.done(sam, turn.pk, BOTH)
    queueing.see(sam, turn.pk)
    queueing.give(sam, turn.pk, Answer(Job.ROUTING, needed="direct"))
    queueing.give(sam, turn.pk, ROUTE)
    assert not queueing.not_blind().exists()


def test_taking_it_back_does_not_make_one_blind_again(sam: Any):
    (turn,) = queued()
    queueing.done(sam, turn.pk, BOTH)
    queueing.see(sam, turn.pk)
    queueing.undo(sam)
    say(sam, turn, "iterative")
    assert queueing.not_blind().get().before["after_seeing"] == ["routing"]


def test_a_correction_before_seeing_is_an_own_look(sam: Any):
    (turn,) = queued()
    queueing.give(sam, turn.pk, Answer(Job.ROUTING, needed="direct"))
    queueing.done(sam, turn.pk, BOTH)
    queueing.see(sam, turn.pk)
    assert not queueing.not_blind().exists()
