"""What re-runs and the lab made of a person's words goes when these go, and a hold keeps it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from admin_tracing.erasure import erase_notes
from admin_tracing.retention import notes_of
from chat import branches, erasure, lab_questions, removal, reruns, retention
from chat.erasure import CannotErase
from chat.identity import Person
from chat.models import Conversation, LabQuestion, LegalHold, Rerun, RerunBatch, Tape, Turn
from chat.reruns import leasing, making
from tests import factories
from tests.spoken import CANARY, every_cell, everything

pytestmark = pytest.mark.django_db(transaction=True)

VISITOR = UUID("00000000-0000-4000-8000-0000000000aa")
PERSON = Person(visitor=VISITOR)


@pytest.fixture
def source() -> Turn:
    """A turn whose every text holds the canary."""
    talk = Conversation.objects.create(visitor=VISITOR, title=f"{CANARY} asks")
    return everything(talk, termination="answered")


def rerun_of(source: Turn, at: datetime | None = None, **fields: Any) -> Rerun:
    """A re-run that was made, with the canary in every text of its turn and on its tape."""
    talk = Conversation.objects.create(title=f"Re-run of {source.pk}", is_lab=True)
    turn = everything(talk, kind="rerun", finished_at=at or timezone.now())
    given = {"status": "done", "finished_at": timezone.now(), "change": {"max_rewrites": 1}}
    return Rerun.objects.create(source=source, turn=turn, **(given | fields))


def erase() -> None:
    """As the command does, the notes of staff with it."""
    erasure.erase(PERSON, lambda talks: {"notes": erase_notes(talks)})


def purge(before: datetime | None = None) -> dict[str, int]:
    """What was said before goes; the rows that went, by what they are."""
    counts = removal.Counts()
    now = timezone.now()
    for batch in retention.content(before or now, now, notes_of, dry=False):
        counts.add(batch.counts)
    return counts.of


def test_erasing_a_person_takes_the_reruns_of_their_turns(source: Turn) -> None:
    first = rerun_of(source)
    assert first.turn is not None
    second = rerun_of(first.turn)
    erase()
    assert CANARY not in every_cell().lower()
    for rerun in (first, second):
        assert rerun.turn is not None
        rerun.turn.refresh_from_db()
        rerun.turn.conversation.refresh_from_db()
        assert rerun.turn.erased_at is not None
        assert rerun.turn.conversation.erased_at is not None


def test_what_came_out_of_a_rerun_stays_as_a_figure(source: Turn) -> None:
    rerun = rerun_of(source, flips=[{"what": "calls", "before": 10, "after": 9}], reused=9)
    erase()
    rerun.refresh_from_db()
    assert (rerun.reused, rerun.flips[0]["after"]) == (9, 9)


def test_the_filters_of_a_batch_forget_whom_it_was_about(source: Turn) -> None:
    batch = RerunBatch.objects.create(
        filters={"person": f"visitor {VISITOR}", "q": CANARY, "route": "direct"}, total=1
    )
    rerun_of(source, batch=batch)
    erase()
    batch.refresh_from_db()
    assert batch.filters == {"route": "direct"}
    assert str(VISITOR) not in every_cell()


def test_a_batch_without_any_of_their_turns_forgets_them_too(source: Turn) -> None:
    """They were looked for, and had nothing that could be run again."""
    about = RerunBatch.objects.create(
        filters={"person": f"visitor {VISITOR}", "q": CANARY, "route": "direct"}, total=0
    )
    other = RerunBatch.objects.create(filters={"person": f"visitor {uuid4()}"}, total=0)
    erase()
    about.refresh_from_db()
    assert about.filters == {"route": "direct"}
    kept = dict(other.filters)
    other.refresh_from_db()
    assert other.filters == kept


def test_a_user_is_forgotten_by_their_number_and_by_their_key_from_before(source: Turn) -> None:
    owner = factories.user("owner")
    Conversation.objects.filter(pk=source.conversation_id).update(user=owner)  # they signed in
    names = (f"user {owner.pk}", f"visitor {VISITOR}", f"user {owner.pk}0")
    for name in names:
        RerunBatch.objects.create(filters={"person": name}, total=0)
    erasure.erase(Person(user_id=owner.pk), lambda talks: {"notes": erase_notes(talks)})
    left = RerunBatch.objects.order_by("pk").values_list("filters", flat=True)
    assert list(left) == [{}, {}, {"person": f"user {owner.pk}0"}]


def test_a_rerun_that_still_runs_is_waited_for(source: Turn) -> None:
    rerun = rerun_of(source, status="running")
    Turn.objects.filter(pk=rerun.turn_id).update(status="running")
    with pytest.raises(CannotErase, match="is running"):
        erase()
    source.refresh_from_db()
    assert source.erased_at is None


def test_a_hold_on_the_rerun_keeps_the_person(source: Turn) -> None:
    rerun = rerun_of(source)
    assert rerun.turn is not None
    LegalHold.objects.create(conversation=rerun.turn.conversation, reason="a claim")
    with pytest.raises(CannotErase, match="is held"):
        erase()


def test_a_rerun_that_waits_finds_nothing_to_run_any_more(source: Turn) -> None:
    waiting = Rerun.objects.create(source=source, change={})
    erase()
    taken = leasing.take()
    assert taken == waiting
    with pytest.raises(reruns.CannotRerun, match="has been erased"):
        making.prepare(waiting.pk)


def test_purging_what_was_said_takes_the_younger_rerun_too(source: Turn) -> None:
    rerun = rerun_of(source)
    Turn.objects.filter(pk=source.pk).update(finished_at=timezone.now() - timedelta(days=800))
    assert purge(timezone.now() - timedelta(days=730))["turns"] == 2
    assert rerun.turn is not None
    assert [event.type for event in rerun.turn.events.all()] == ["turn_finished"]
    assert rerun.turn.messages.get().text == ""
    assert not Tape.objects.exists()


def test_a_purge_leaves_a_turn_that_is_being_run_again(source: Turn) -> None:
    rerun = rerun_of(source)
    Turn.objects.filter(pk=rerun.turn_id).update(status="running")
    assert purge().get("turns", 0) == 0
    Turn.objects.filter(pk=rerun.turn_id).update(status="finished")
    assert purge()["turns"] == 2


def test_a_hold_on_the_source_keeps_its_old_rerun(source: Turn) -> None:
    rerun = rerun_of(source, at=timezone.now() - timedelta(days=800))
    LegalHold.objects.create(conversation=source.conversation, reason="a claim")
    assert purge().get("turns", 0) == 0
    gone = [batch.counts for batch in retention.trace(timezone.now(), dry=False)]
    assert all(count["events"] == 0 for count in gone)
    assert rerun.turn is not None
    rerun.turn.refresh_from_db()
    assert rerun.turn.erased_at is None


def test_a_dry_run_counts_what_would_go_with_it(source: Turn) -> None:
    rerun_of(source)
    before = every_cell()
    (batch,) = retention.content(timezone.now(), timezone.now(), notes_of, dry=True)
    assert batch.counts == {"turns": 2}
    assert every_cell() == before


def test_a_question_of_the_lab_goes_with_the_turn_that_it_was_made_from(source: Turn) -> None:
    question = LabQuestion.objects.create(
        question=f"{CANARY} asks", expects="answered", source=source
    )
    title = lab_questions.title(question.pk, "2 rewrites")
    made = everything(Conversation.objects.create(title=title, is_lab=True), kind="lab")
    erase()
    question.refresh_from_db()
    made.refresh_from_db()
    assert (question.question, question.is_active) == ("", False)
    assert made.erased_at is not None
    assert CANARY not in every_cell().lower()


def test_questions_of_others_stay_in_the_lab(source: Turn) -> None:
    other = everything(Conversation.objects.create(visitor=uuid4()))
    question = LabQuestion.objects.create(question="How long?", expects="answered", source=other)
    ten = lab_questions.title(question.pk * 10 + 1, "2 rewrites")
    stays = everything(Conversation.objects.create(title=ten, is_lab=True), kind="lab")
    erase()
    question.refresh_from_db()
    stays.refresh_from_db()
    assert question.is_active
    assert stays.erased_at is None


def test_taking_a_file_away_takes_the_tapes_of_reruns_that_could_search_it(source: Turn) -> None:
    rerun = rerun_of(source)
    own = list(source.question.attachments.values_list("pk", flat=True))
    with transaction.atomic():
        removal.attachments(own)
    assert not Tape.objects.filter(turn=rerun.turn_id).exists()


def test_a_vote_that_tells_of_health_hides_what_holds_the_same_words(source: Turn) -> None:
    rerun = rerun_of(source)
    own = LabQuestion.objects.create(question=CANARY, expects="answered", source=source)
    vote = branches.Vote("down", "", "My epilepsy medicine was not in it")
    branches.give_feedback(PERSON, source.conversation_id, source.pk, vote)
    assert Turn.objects.filter(pk__in=[source.pk, rerun.turn_id], is_sensitive=True).count() == 2
    assert not Tape.objects.exists()
    own.refresh_from_db()
    assert (own.question, own.is_active) == ("", False)
