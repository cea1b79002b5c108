"""People differ, or cannot tell: it goes to a reviewer, whose word stands."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from admin_tracing import labels, queueing
from admin_tracing.labels import BadLabel
from admin_tracing.models import QueueItem, Settlement
from admin_tracing.queueing import How, Job, NotYours
from chat.models import Turn
from tests import factories
from tests.labelling import people, queued, say, status

pytestmark = pytest.mark.django_db

SINGLE = {"needed": "single_shot"}
HELD = {"grounded": "yes", "correct": "yes"}


@pytest.fixture
def two() -> list[Any]:
    return people("sam", "rosa")


@pytest.fixture
def rita() -> Any:
    return factories.user("rita")


def said(two: list[Any], *each: tuple[str, str]) -> Any:
    """A turn of which two people said this, each the way and the answer."""
    (turn,) = queued(wanted=len(each))
    for person, (needed, answer) in zip(two, each, strict=True):
        say(person, turn, needed, answer)
    return turn


def waiting() -> list[Any]:
    return [item.turn for item in queueing.disagreements(sensitive=True)]


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (("single_shot", "yes yes"), ("iterative", "yes yes"), (How.DISAGREED,)),
        (("single_shot", "yes yes"), ("single_shot", "partly yes"), (How.DISAGREED,)),
        (("single_shot", "yes yes"), ("single_shot", "yes no"), (How.DISAGREED,)),
        (("single_shot", "yes yes"), ("cannot_tell", "yes yes"), (How.CANNOT_TELL,)),
        (("single_shot", "yes yes"), ("single_shot", "needs_expert yes"), (How.NEEDS_EXPERT,)),
        (("single_shot", "yes yes"), ("single_shot", "yes cannot_tell"), (How.CANNOT_TELL,)),
        (
            ("needs_expert", "yes yes"),
            ("direct", "no cannot_tell"),
            (How.DISAGREED, How.NEEDS_EXPERT, How.CANNOT_TELL),
        ),
    ],
)
def test_what_a_reviewer_has_to_look_at(two: list[Any], first: Any, second: Any, why: Any):
    turn = said(two, first, second)
    assert status(turn) == "disagreed"
    assert waiting() == [turn]
    assert queueing.why(QueueItem.objects.get()) == why


def test_where_people_agree_nobody_has_to(two: list[Any]):
    turn = said(two, ("direct", "partly no"), ("direct", "partly no"))
    assert status(turn) == "done"
    assert waiting() == []


def test_one_person_who_cannot_tell_is_heard(two: list[Any]):
    turn = said(two[:1], ("needs_expert", "yes yes"))
    assert waiting() == [turn]


def test_a_third_settles_each_job_and_it_stands(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "no no"))
    item = QueueItem.objects.get()
    assert queueing.open_jobs(item) == (Job.ROUTING, Job.GROUNDEDNESS)
    queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE, "Write to jane.roe@example.org")
    assert status(turn) == "disagreed"
    assert queueing.open_jobs(item) == (Job.GROUNDEDNESS,)
    queueing.settle(rita, turn.pk, Job.GROUNDEDNESS, HELD)
    assert status(turn) == "settled"
    assert waiting() == []
    first, second = Settlement.objects.order_by("job")
    assert (second.needed, second.note, second.user) == ("single_shot", "Write to [email]", rita)
    assert (first.grounded, first.correct) == ("yes", "yes")
    assert [one.turn for one in queueing.settled(sensitive=True)] == [turn, turn]


def test_one_job_in_dispute_is_enough_to_settle(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)
    assert status(turn) == "settled"
    with pytest.raises(NotYours, match="People agree on this"):
        queueing.settle(rita, turn.pk, Job.GROUNDEDNESS, HELD)


def test_who_labelled_it_does_not_settle_it(two: list[Any]):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    for person in two:
        with pytest.raises(NotYours, match="You have labelled this turn"):
            queueing.settle(person, turn.pk, Job.ROUTING, SINGLE)
    assert not Settlement.objects.exists()


def test_half_a_label_is_a_label_here(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    labels.give_routing(turn, rita, "direct")
    with pytest.raises(NotYours, match="You have labelled"):
        queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)


def test_nobody_settles_their_own_conversation(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    turn.conversation.user, turn.conversation.visitor = rita, None
    turn.conversation.save()
    with pytest.raises(NotYours, match="your own conversation"):
        queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)


def test_who_settled_may_change_it_and_nobody_else(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)
    queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "direct"})
    assert Settlement.objects.get().needed == "direct"
    with pytest.raises(NotYours, match="Another reviewer"):
        queueing.settle(factories.user("rolf"), turn.pk, Job.ROUTING, SINGLE)


@pytest.mark.parametrize(
    ("job", "given"),
    [
        (Job.ROUTING, {}),
        (Job.ROUTING, {"needed": "sideways"}),
        (Job.ROUTING, {"needed": "needs_expert"}),
        (Job.GROUNDEDNESS, {"grounded": "yes"}),
        (Job.GROUNDEDNESS, {"grounded": "needs_expert", "correct": "yes"}),
    ],
)
def test_what_settles_nothing_is_refused(two: list[Any], rita: Any, job: Job, given: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "no yes"))
    with pytest.raises(BadLabel):
        queueing.settle(rita, turn.pk, job, given)


def test_that_nobody_can_tell_is_a_last_word(two: list[Any], rita: Any):
    turn = said(two, ("cannot_tell", "yes yes"), ("single_shot", "yes yes"))
    queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "cannot_tell"})
    assert status(turn) == "settled"
    stands = queueing.standing(turn)
    assert (stands.needed.value, stands.needed.how) == ("", How.CANNOT_TELL)


def test_what_is_settled_is_not_labelled_or_taken_back(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)
    with pytest.raises(NotYours, match="has settled"):
        say(two[0], turn, "direct")
    with pytest.raises(NotYours, match="has settled"):
        queueing.undo(two[0])
    assert queueing.why_not(rita, turn).startswith("A reviewer has settled")


def test_people_who_come_to_agree_need_no_reviewer(two: list[Any], rita: Any):
    turn = said(two, ("single_shot", "yes yes"), ("iterative", "yes yes"))
    say(two[1], turn, "single_shot")
    assert status(turn) == "done"
    with pytest.raises(NotYours, match="People agree"):
        queueing.settle(rita, turn.pk, Job.ROUTING, SINGLE)


def test_a_turn_in_no_queue_is_not_settled(rita: Any):
    with pytest.raises(NotYours, match="in no queue"):
        queueing.settle(rita, factories.TURN, Job.ROUTING, SINGLE)


def test_what_tells_of_health_is_on_the_list_of_fewer(two: list[Any]):
    (turn,) = queued(wanted=1, is_sensitive=True)
    say(two[0], turn, "needs_expert")
    assert [one.turn for one in queueing.disagreements(sensitive=True)] == [turn]
    assert not queueing.disagreements(sensitive=False)


def test_who_settled_takes_it_back_and_it_waits_again(two: list[Any], rita: Any):
    (turn,) = queued(wanted=2)
    say(two[0], turn, "direct", "yes yes")
    say(two[1], turn, "clarify", "no yes")
    queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "direct"})
    queueing.settle(rita, turn.pk, Job.GROUNDEDNESS, {"grounded": "yes", "correct": "yes"})
    assert status(turn) == "settled"
    assert queueing.take_back(two[0], sensitive=True) is None  # it is not theirs
    assert queueing.take_back(rita, sensitive=True) == turn.pk
    assert (status(turn), Settlement.objects.count()) == ("disagreed", 0)
    assert queueing.standing(turn).needed.how == "disagreed"
    assert queueing.take_back(rita, sensitive=True) is None


def test_settlements_are_taken_back_one_turn_after_the_other(two: list[Any], rita: Any):
    turns = queued(2, wanted=2)
    for turn in turns:
        say(two[0], turn, "direct")
        say(two[1], turn, "clarify")
        queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "direct"})
    assert queueing.take_back(rita, sensitive=True) == turns[1].pk
    assert [status(turn) for turn in turns] == ["settled", "disagreed"]


def test_what_somebody_may_not_read_any_more_or_was_erased_is_not_taken_back(
    two: list[Any], rita: Any
):
    (turn,) = queued(wanted=2, is_sensitive=True)
    say(two[0], turn, "direct")
    say(two[1], turn, "clarify")
    queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "direct"})
    assert queueing.take_back(rita, sensitive=False) is None
    Turn.objects.filter(pk=turn.pk).update(erased_at=timezone.now())
    assert queueing.take_back(rita, sensitive=True) is None
    assert status(turn) == "settled"


def test_nothing_is_settled_before_all_have_labelled_it(two: list[Any], rita: Any):
    """One who cannot tell is not the last word while a second is still to look."""
    (turn,) = queued(wanted=2)
    say(two[0], turn, "cannot_tell")
    with pytest.raises(NotYours, match="Not everybody has labelled"):
        queueing.settle(rita, turn.pk, Job.ROUTING, {"needed": "direct"})
