"""A person is erased: their words are nowhere, all or nothing, and the chain of records holds."""

from __future__ import annotations

import threading
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from chat import branches, erasure, queries, removal, turns
from chat.contracts.errors import ChatError
from chat.identity import Person
from chat.models import (
    Conversation,
    DecisionRecord,
    Feedback,
    LegalHold,
    Message,
    RecordContent,
    Turn,
)
from chat.records.verify import verify
from chat.turn_page import turn_page
from tests import chains, factories, stored
from tests.spoken import CANARY, every_cell, everything
from tests.staff import person

pytestmark = pytest.mark.django_db(transaction=True)

VISITOR = UUID("00000000-0000-4000-8000-0000000000aa")


def erase(*more: str, who: tuple[str, str] = ("--visitor", str(VISITOR)), yes: bool = True) -> str:
    out = StringIO()
    call_command("erase", *who, *more, *(("--yes",) if yes else ()), stdout=out)
    return out.getvalue()


@pytest.fixture
def talk() -> Conversation:
    return Conversation.objects.create(visitor=VISITOR, title=f"{CANARY} asks")


def test_their_words_are_nowhere_and_the_chain_holds(talk: Conversation) -> None:
    for _ in range(2):
        everything(talk)
    assert CANARY in every_cell()
    told = erase()
    cells = every_cell().lower()
    assert CANARY not in cells
    assert CANARY.encode().hex() not in cells
    assert verify(talk.pk) is None
    assert told.startswith("1 conversations erased: ")
    assert "2 turns" in told
    assert "2 records' contents" in told


def test_nothing_leads_from_them_to_it(talk: Conversation) -> None:
    everything(talk)
    erase()
    talk.refresh_from_db()
    assert (talk.visitor, talk.user, talk.title) == (None, None, "")
    assert talk.erased_at is not None
    assert str(VISITOR) not in every_cell()


def test_what_stays_says_how_turns_ended_and_when_they_were_erased(talk: Conversation) -> None:
    turn = everything(talk, termination="answered")
    erase()
    turn.refresh_from_db()
    assert turn.erased_at is not None
    assert turn.termination == "answered"
    assert [event.type for event in turn.events.all()] == ["turn_finished"]
    content = RecordContent.objects.get(record__turn=turn)
    assert (content.content, content.salt) == (None, "")
    assert content.erased_at is not None
    assert DecisionRecord.objects.get(turn=turn).facts == chains.FACTS


def test_others_are_left_alone(talk: Conversation) -> None:
    everything(talk)
    other = chains.conversation()
    everything(other)
    mine = every_cell().count(CANARY) // 2
    erase()
    assert every_cell().count(CANARY) == mine
    other.refresh_from_db()
    assert other.erased_at is None


def test_a_user_is_erased_by_name_and_keeps_the_account() -> None:
    user = factories.user("alice")
    talk = factories.conversation(user, title=CANARY)
    everything(talk)
    erase(who=("--user", "alice"))
    assert CANARY not in every_cell()
    user.refresh_from_db()
    assert user.is_active


def test_a_dry_run_counts_and_changes_nothing(talk: Conversation) -> None:
    everything(talk)
    before = every_cell()
    assert "1 conversations would go: " in erase("--dry-run")
    assert every_cell() == before


@pytest.mark.parametrize(
    ("status", "told"), [("running", "is running"), ("waiting", "waits for a reply")]
)
def test_a_turn_that_has_not_ended_is_waited_for(
    talk: Conversation, status: str, told: str
) -> None:
    everything(talk)
    factories.turn(talk, status=status)
    with pytest.raises(CommandError, match=told):
        erase()
    assert CANARY in every_cell()


def test_a_hold_is_respected_and_named(talk: Conversation) -> None:
    everything(talk)
    hold = LegalHold.objects.create(conversation=talk, reason="a dispute")
    with pytest.raises(CommandError, match=f"{talk.pk} is held: a dispute"):
        erase()
    assert CANARY in every_cell()
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=timezone.now())
    erase()
    assert CANARY not in every_cell()


def test_an_end_in_the_middle_leaves_everything(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything(talk)
    before = every_cell()

    def fails(*_args: Any) -> int:
        raise DatabaseError("the power went")

    monkeypatch.setattr(removal, "_run", _after(4, removal._run, fails))
    with pytest.raises(DatabaseError, match="the power went"):
        erase()
    assert every_cell() == before


def _after(calls: int, first: Any, then: Any) -> Any:
    """`first` for so many calls, `then` from there on."""
    made = iter([first] * calls)
    return lambda *args: next(made, then)(*args)


def test_a_second_time_there_is_nobody_to_erase(talk: Conversation) -> None:
    everything(talk)
    erase()
    with pytest.raises(CommandError, match="has no conversation"):
        erase()


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(CommandError, match="there is no user nobody"):
        erase(who=("--user", "nobody"))


@pytest.mark.parametrize("typed", ["n", ""])
def test_without_a_yes_nothing_is_erased(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    everything(talk)
    monkeypatch.setattr("builtins.input", lambda _ask: typed)
    with pytest.raises(CommandError, match="nothing was erased"):
        erase(yes=False)
    monkeypatch.setattr("builtins.input", lambda _ask: "y")
    assert "1 conversations erased" in erase(yes=False)


def asked_again(talk: Conversation) -> None:
    turns.start(Person(visitor=VISITOR), talk.pk, f"{CANARY} again", uuid4())


def another_answer(talk: Conversation) -> None:
    branches.regenerate(Person(visitor=VISITOR), talk.pk, talk.turns.earliest("started_at").pk)


def edited(talk: Conversation) -> None:
    asked = talk.messages.filter(author="person").earliest("created_at")
    branches.edit(Person(visitor=VISITOR), talk.pk, asked.pk, (f"{CANARY} again", uuid4()))


def voted(talk: Conversation) -> None:
    turn = talk.turns.earliest("started_at")
    vote = branches.Vote("down", note=f"{CANARY} again")
    branches.give_feedback(Person(visitor=VISITOR), talk.pk, turn.pk, vote)


@pytest.mark.parametrize("work", [asked_again, another_answer, edited, voted])
def test_what_a_person_does_meanwhile_does_not_slip_in(talk: Conversation, work: Any) -> None:
    """Their conversation is being erased: what they say waits, and is then refused."""
    everything(talk)
    refused: list[str] = []

    def say() -> None:
        try:
            work(talk)
        except ChatError as error:
            refused.append(error.code)
        finally:
            connection.close()

    saying = threading.Thread(target=say)

    def while_locked(_conversations: Any) -> dict[str, int]:
        saying.start()
        saying.join(0.2)  # it stands at the lock, or has not come as far
        return {}

    erasure.erase(Person(visitor=VISITOR), while_locked)
    saying.join(10)
    assert len(refused) == 1
    assert Message.objects.exclude(text="").count() == 0
    assert Feedback.objects.exclude(note="").count() == 0
    assert not Turn.objects.exclude(status="finished").exists()


def test_a_shared_question_goes_with_its_last_turn(talk: Conversation) -> None:
    """An answer that was asked for again shares its question; retention takes turns one by one."""
    first = chains.turn(talk, CANARY)
    second = Turn.objects.create(
        conversation=talk,
        question=first.question,
        kind="regenerate",
        status="finished",
        started_at=timezone.now() + timedelta(seconds=1),
    )
    with transaction.atomic():
        removal.content_of_turns([first.pk], timezone.now())
    first.question.refresh_from_db()
    assert first.question.text == CANARY
    with transaction.atomic():
        removal.content_of_turns([second.pk], timezone.now())
    first.question.refresh_from_db()
    assert first.question.text == ""


def test_the_page_of_a_person_says_what_retention_took(talk: Conversation) -> None:
    turn = stored.finished_turn(of=talk)
    with transaction.atomic():
        removal.content_of_turns([turn.pk], timezone.now())
    turn.refresh_from_db()
    (row,) = queries.transcript(talk)
    page = turn_page(row, {})
    assert (page.question, page.answer) == ("Erased", None)
    assert page.ending is not None
    assert page.ending.words.startswith("What was said here was erased on ")
    assert not page.ending.again


def test_pages_of_an_erased_turn_say_so(talk: Conversation) -> None:
    turn = stored.finished_turn(of=talk)
    chains.sealed(turn)
    erase()
    client = Client()
    client.force_login(person("superuser"))
    day = f"{timezone.now():%d %B %Y}".lstrip("0")
    for address in (
        f"/admin/chat/conversation/{talk.pk}/change/",
        f"/admin/rag-workflow/{turn.pk}/",
        f"/admin/chat/decisionrecord/{turn.record.pk}/change/",
    ):
        page = client.get(address)
        assert page.status_code == 200
        assert f"rased on {day}" in page.content.decode(), address
