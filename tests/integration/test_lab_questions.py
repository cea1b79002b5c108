"""The lab's own set: taken from labelled turns, removed and brought back, gone with the person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from admin_tracing import lab_set, labels
from admin_tracing.lab_set import LabelsDisagree, NotLabelled
from admin_tracing.models import Settlement
from chat import erasure, lab, lab_questions
from chat.contracts.events import Answer, Event, QuestionRead
from chat.contracts.verdicts import Supports
from chat.identity import Person
from chat.lab_questions import AboutHealth, Erased, HasFiles, NotAsked, ThereAlready
from chat.models import Attachment, Conversation, LabQuestion, Turn
from tests import factories, stored
from tests.traces import QUESTION, one_search, refund_with_one_rewrite

pytestmark = pytest.mark.django_db

REFUND_CHUNK = "refunds#refund-timing"


@pytest.fixture
def alice() -> Any:
    return factories.user("alice", is_staff=True)


@pytest.fixture
def bob() -> Any:
    return factories.user("bob", is_staff=True)


def right(turn: Turn, who: Any, **citations: bool) -> None:
    marks = {name.removeprefix("c"): value for name, value in citations.items()}
    labels.give_groundedness(turn, who, ("yes", "yes"), parts=({}, marks))


def nothing_found() -> Turn:
    return stored.running_turn(one_search(), status="finished", termination="no_evidence")


# ---- what labels come to


def test_a_right_answer_expects_an_answer_from_the_chunks_that_the_judge_called_supporting(
    alice: Any,
):
    turn = stored.finished_turn()
    right(turn, alice)
    question = lab_set.add_from(turn.pk, alice)
    assert (question.question, question.expects) == (QUESTION, "answered")
    assert question.answer_chunks == [REFUND_CHUNK]
    assert (question.source_id, question.added_by) == (turn.pk, alice)
    assert list(lab_questions.active()) == [question]


def test_a_citation_that_a_person_marked_as_not_supporting_is_not_expected(alice: Any, bob: Any):
    turn = stored.finished_turn()
    right(turn, alice, c1=True)
    right(turn, bob, c1=False)
    assert lab_set.add_from(turn.pk, alice).answer_chunks == []


def test_a_persons_mark_stands_before_the_judges(alice: Any):
    turn = stored.finished_turn(_unchecked(refund_with_one_rewrite()))
    assert lab_set.supporting(turn) == ()
    right(turn, alice, c1=True)
    assert lab_set.supporting(turn) == (REFUND_CHUNK,)


def test_an_off_topic_label_expects_off_topic_and_no_chunk(alice: Any):
    turn = stored.finished_turn()
    labels.give_routing(turn, alice, "off_topic")
    question = lab_set.add_from(turn.pk, alice)
    assert (question.expects, question.answer_chunks) == ("off_topic", [])


def test_nothing_found_and_right_so_expects_no_results(alice: Any):
    turn = nothing_found()
    labels.give_groundedness(turn, alice, ("yes", "yes"))
    assert lab_set.add_from(turn.pk, alice).expects == "no_results"


def test_nothing_found_and_wrong_so_expects_an_answer(alice: Any):
    turn = nothing_found()
    labels.give_groundedness(turn, alice, ("no", "no"))
    question = lab_set.add_from(turn.pk, alice)
    assert (question.expects, question.answer_chunks) == ("answered", [])


def test_a_reviewers_word_settles_what_people_disagree_about(alice: Any, bob: Any):
    turn = stored.finished_turn()
    labels.give_routing(turn, alice, "off_topic")
    labels.give_routing(turn, bob, "single_shot")
    with pytest.raises(LabelsDisagree):
        lab_set.add_from(turn.pk, alice)
    Settlement.objects.create(turn=turn, job="routing", needed="off_topic", user=alice)
    assert lab_set.add_from(turn.pk, alice).expects == "off_topic"


def test_a_settled_answer_stands_before_the_labels(alice: Any, bob: Any):
    turn = stored.finished_turn()
    right(turn, alice)
    labels.give_groundedness(turn, bob, ("no", "no"))
    given = {"job": "groundedness", "grounded": "yes", "correct": "yes"}
    Settlement.objects.create(turn=turn, user=alice, **given)
    assert lab_set.add_from(turn.pk, alice).expects == "answered"


# ---- what is refused


def test_a_turn_that_nobody_labelled_is_refused(alice: Any):
    with pytest.raises(NotLabelled, match="Label it first"):
        lab_set.add_from(stored.finished_turn().pk, alice)


def test_a_turn_that_there_is_not_is_refused(alice: Any):
    with pytest.raises(NotAsked):
        lab_set.add_from(uuid4(), alice)
    with pytest.raises(NotAsked):
        lab_questions.add_from(uuid4(), alice, "answered")


def test_a_turn_about_somebodys_health_is_refused_whether_it_was_marked_or_says_so(alice: Any):
    marked = stored.finished_turn(is_sensitive=True)
    right(marked, alice)
    with pytest.raises(AboutHealth):
        lab_set.add_from(marked.pk, alice)
    says = stored.turns(1)[0]
    says.question.text = "I have diabetes and take insulin, does the plan cover my illness?"
    says.question.save()
    with pytest.raises(AboutHealth):
        lab_questions.add_from(says.pk, alice, "answered")
    assert not LabQuestion.objects.exists()


def test_an_erased_turn_is_refused(alice: Any):
    turn = stored.finished_turn()
    right(turn, alice)
    erasure.erase(_owner(turn))
    with pytest.raises(Erased):
        lab_set.add_from(turn.pk, alice)
    with pytest.raises(Erased):
        lab_questions.add_from(turn.pk, alice, "answered")


def test_a_question_that_came_with_a_file_is_refused(alice: Any):
    turn = stored.turns(1)[0]
    Attachment.objects.create(
        message=turn.question, ordinal=0, name="a.txt", kind="file", media_type="text/plain",
        size=1, sha256="0" * 64, text="x",
    )  # fmt: skip
    with pytest.raises(HasFiles):
        lab_questions.add_from(turn.pk, alice, "answered")


@pytest.mark.parametrize("fields", [{"kind": "lab"}, {"kind": "rerun"}, {"status": "running"}])
def test_only_what_a_person_asked_and_what_has_ended_is_taken(alice: Any, fields: dict[str, Any]):
    turn = stored.turns(1, **fields)[0]
    with pytest.raises(NotAsked):
        lab_questions.add_from(turn.pk, alice, "answered")


def test_an_end_that_the_lab_does_not_know_is_a_fault_of_the_caller(alice: Any):
    with pytest.raises(ValueError, match="none of answered"):
        lab_questions.add_from(stored.turns(1)[0].pk, alice, "greeted")


# ---- the set


def test_a_question_is_there_once(alice: Any, bob: Any):
    turn = stored.turns(1)[0]
    lab_questions.add_from(turn.pk, alice, "answered")
    with pytest.raises(ThereAlready):
        lab_questions.add_from(turn.pk, bob, "off_topic")
    assert LabQuestion.objects.get().expects == "answered"


def test_a_removed_question_comes_back_by_undo_and_by_being_added_again(alice: Any):
    turn = stored.turns(1)[0]
    question = lab_questions.add_from(turn.pk, alice, "answered")
    lab_questions.remove(question.pk)
    assert not lab_questions.active().exists()
    lab_questions.restore(question.pk)
    assert lab_questions.active().get() == question
    lab_questions.remove(question.pk)
    again = lab_questions.add_from(turn.pk, alice, "off_topic")
    assert (again.pk, again.expects, again.is_active) == (question.pk, "off_topic", True)


def test_removing_what_is_not_there_changes_nothing():
    assert lab_questions.remove(1) is None
    assert lab_questions.restore(1) is None


def test_a_question_that_refers_to_an_earlier_one_is_taken_as_it_was_read(alice: Any):
    first = stored.turns(1)[0]
    turn = factories.turn(first.conversation, "And for annual plans?", status="finished")
    read = QuestionRead(standalone="How long does a refund of an annual plan take?", items=("x",))
    factories.store(factories.events([read], turn=turn.pk))
    added = lab_questions.add_from(turn.pk, alice, "answered")
    assert added.question == "How long does a refund of an annual plan take?"


def test_offers_are_labelled_turns_that_can_be_taken_and_are_not_there(alice: Any):
    good, wrong, _unlabelled = (stored.finished_turn() for _ in range(3))
    right(good, alice)
    labels.give_groundedness(wrong, alice, ("no", "no"))
    health = stored.finished_turn(is_sensitive=True)
    right(health, alice)
    offers = lab_set.offers()
    assert [(offer.turn.pk, offer.expects) for offer in offers] == [(good.pk, "answered")]
    lab_set.add_from(good.pk, alice)
    assert lab_set.offers() == []


def test_offers_take_as_many_queries_for_many_turns_as_for_one(
    alice: Any, django_assert_num_queries: Any
):
    for _ in range(5):
        right(stored.finished_turn(), alice)
    with django_assert_num_queries(6):
        assert len(lab_set.offers()) == 5


# ---- erasure


def test_the_words_go_with_the_person_and_the_question_is_run_no_more(alice: Any):
    turn = stored.finished_turn()
    right(turn, alice)
    question = lab_set.add_from(turn.pk, alice)
    erasure.erase(_owner(turn))
    question.refresh_from_db()
    assert question.question == ""
    assert not lab_questions.active().exists()
    with pytest.raises(Erased):
        lab_questions.restore(question.pk)


def test_what_the_lab_made_of_the_question_goes_with_the_person_too(alice: Any):
    turn = stored.finished_turn()
    right(turn, alice)
    question = lab_set.add_from(turn.pk, alice)
    lab_turn, other = (
        _lab_turn(lab_questions.title(number, "2 rewrites, evidence first"))
        for number in (question.pk, question.pk * 10)
    )
    erasure.erase(_owner(turn))
    lab_turn.refresh_from_db()
    other.refresh_from_db()
    assert lab_turn.question.text == ""
    assert lab_turn.erased_at is not None
    assert not lab_turn.events.exclude(type="turn_finished").exists()
    assert other.question.text == QUESTION


def _unchecked(told: list[Event]) -> list[Event]:
    """The same story with an answer whose citations nobody checked."""

    def without(body: Any) -> Any:
        if not isinstance(body, Answer):
            return body
        cited = [c.model_copy(update={"supports": Supports.UNCHECKED}) for c in body.citations]
        return body.model_copy(update={"citations": tuple(cited)})

    return [replace(event, body=without(event.body)) for event in told]


def _lab_turn(title: str) -> Turn:
    talk = Conversation.objects.create(title=title, is_lab=True)
    turn: Turn = factories.turn(talk, QUESTION, kind="lab", status="finished")
    factories.store(
        factories.events([QuestionRead(standalone=QUESTION, items=("x",))], turn=turn.pk)
    )
    return turn


def _owner(turn: Turn) -> Person:
    return Person(visitor=turn.conversation.visitor)


def test_a_question_that_was_erased_meanwhile_does_not_begin() -> None:
    turn = stored.finished_turn()
    own = LabQuestion.objects.create(question=QUESTION, expects="answered", source=turn)
    lab_questions.hold(own.pk, QUESTION)
    LabQuestion.objects.filter(pk=own.pk).update(question="", is_active=False)
    with pytest.raises(Erased):
        lab_questions.hold(own.pk, QUESTION)
    with pytest.raises(Erased):
        lab._begun("Lab question", QUESTION, lambda _: lab_questions.hold(own.pk, QUESTION))
    assert not Conversation.objects.filter(is_lab=True).exists()
