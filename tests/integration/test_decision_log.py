"""The decision record: sealed once, chained, append-only, and proved by walking its chain."""

from __future__ import annotations

import hashlib
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from chat import decision_log
from chat.models import ChainHead, Conversation, DecisionRecord, Message, RecordContent, Turn

pytestmark = pytest.mark.django_db(transaction=True)

FACTS = {"route": {"decided": "single_shot"}, "passes": []}


@pytest.fixture
def conversation() -> Conversation:
    return Conversation.objects.create(visitor=uuid4(), title="Refunds")


def _turn(conversation: Conversation) -> Turn:
    question = Message.objects.create(conversation=conversation, author="person", text="How long?")
    return Turn.objects.create(
        conversation=conversation,
        question=question,
        started_at=timezone.now(),
        status=Turn.Status.FINISHED,
    )


def _chain(conversation: Conversation, length: int) -> list[DecisionRecord]:
    made = []
    for number in range(length):
        with transaction.atomic():
            content = {"question": f"How long, {number}?"}
            made.append(decision_log.seal(_turn(conversation), FACTS, content))
    return made


def _tamper(sql: str, *values: object) -> None:
    """What only somebody above the application's role could do."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql, values)


def test_a_chain_of_three_holds(conversation: Conversation) -> None:
    records = _chain(conversation, 3)
    assert [record.number for record in records] == [1, 2, 3]
    assert records[1].previous_digest == records[0].digest
    assert decision_log.verify(conversation.pk) is None


def test_a_turn_gets_one_record_only(conversation: Conversation) -> None:
    turn = _turn(conversation)
    with transaction.atomic():
        decision_log.seal(turn, FACTS, {})
    with pytest.raises(IntegrityError), transaction.atomic():
        decision_log.seal(turn, FACTS, {})
    assert decision_log.verify(conversation.pk) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chat_decisionrecord SET facts = '{}'",
        "DELETE FROM chat_decisionrecord",
        "TRUNCATE chat_decisionrecord CASCADE",
    ],
)
def test_the_database_refuses_to_change_a_record(
    conversation: Conversation, statement: str
) -> None:
    _chain(conversation, 1)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement)
    assert DecisionRecord.objects.count() == 1


def test_changed_facts_are_named(conversation: Conversation) -> None:
    records = _chain(conversation, 3)
    _tamper("UPDATE chat_decisionrecord SET facts = '{\"a\": 1}' WHERE id = %s", records[1].pk)
    broken = decision_log.verify(conversation.pk)
    assert broken is not None
    assert (broken.number, broken.why) == (2, "its facts were changed")


def test_a_removed_record_in_the_middle_is_named(conversation: Conversation) -> None:
    records = _chain(conversation, 3)
    RecordContent.objects.filter(record=records[1]).delete()
    _tamper("DELETE FROM chat_decisionrecord WHERE id = %s", records[1].pk)
    broken = decision_log.verify(conversation.pk)
    assert broken is not None
    assert broken.number == 2


def test_a_removed_last_record_is_seen_by_the_anchor(conversation: Conversation) -> None:
    records = _chain(conversation, 2)
    RecordContent.objects.filter(record=records[1]).delete()
    _tamper("DELETE FROM chat_decisionrecord WHERE id = %s", records[1].pk)
    broken = decision_log.verify(conversation.pk)
    assert broken is not None
    assert (broken.number, broken.why) == (2, "record 2 is missing at the end")


def test_two_records_that_changed_places_are_seen(conversation: Conversation) -> None:
    first, second = _chain(conversation, 2)
    _tamper("UPDATE chat_decisionrecord SET number = 99 WHERE id = %s", first.pk)
    _tamper("UPDATE chat_decisionrecord SET number = 1 WHERE id = %s", second.pk)
    _tamper("UPDATE chat_decisionrecord SET number = 2 WHERE id = %s", first.pk)
    broken = decision_log.verify(conversation.pk)
    assert broken is not None
    assert broken.number == 1


def test_changed_content_is_seen_and_erased_content_leaves_the_chain_whole(
    conversation: Conversation,
) -> None:
    records = _chain(conversation, 2)
    RecordContent.objects.filter(record=records[0]).update(content={"question": "Other"})
    assert decision_log.verify(conversation.pk) is not None
    RecordContent.objects.filter(record=records[0]).update(content=None, erased_at=timezone.now())
    assert decision_log.verify(conversation.pk) is None


def test_a_missing_anchor_is_seen(conversation: Conversation) -> None:
    _chain(conversation, 1)
    ChainHead.objects.all().delete()
    broken = decision_log.verify(conversation.pk)
    assert broken is not None
    assert broken.why == "its anchor is missing"


def test_the_digest_of_content_cannot_be_guessed_from_its_text(conversation: Conversation) -> None:
    record = _chain(conversation, 1)[0]
    bare = hashlib.sha256(b'{"question":"How long, 0?"}').hexdigest()
    assert record.content_digest != bare
    assert record.content_digest == decision_log.content_digest(
        record.content.salt, {"question": "How long, 0?"}
    )


def test_the_command_names_the_first_broken_link(
    conversation: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    records = _chain(conversation, 2)
    call_command("verify_decisions")
    assert "2 records in 1 chains, none broken" in capsys.readouterr().out
    _tamper("UPDATE chat_decisionrecord SET facts = '{}' WHERE id = %s", records[0].pk)
    with pytest.raises(CommandError, match="1 of 1 chains are broken"):
        call_command("verify_decisions")
    assert f"{conversation.pk} record 1: its facts were changed" in capsys.readouterr().out
