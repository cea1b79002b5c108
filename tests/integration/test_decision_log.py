"""The decision record: sealed once, chained, and append-only by the rules of the database."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from chat import decision_log
from chat.models import ChainHead, Conversation, DecisionRecord, LegalHold, PurgeAnchor
from chat.records.canonical import canonical, content_text, plain, record_text, sha256
from chat.records.verify import verify
from tests import chains
from tests.chains import chain

pytestmark = pytest.mark.django_db

LEFT = {
    "UPDATE chat_decisionrecord SET facts = '{}'": "append-only",
    "DELETE FROM chat_decisionrecord": "append-only",
    "TRUNCATE chat_decisionrecord CASCADE": "append-only",
    "UPDATE chat_recordcontent SET content = '{}'": "erased and not changed",
    "UPDATE chat_recordcontent SET content = NULL, erased_at = now()": "erased and not changed",
    "DELETE FROM chat_recordcontent": "erased and not changed",
    "UPDATE chat_chainhead SET count = 0, digest = ''": "only goes on",
    "UPDATE chat_chainhead SET count = count + 1": "only goes on",
    "UPDATE chat_chainhead SET digest = ''": "only goes on",
    "DELETE FROM chat_chainhead": "append-only",
    "INSERT INTO chat_purgeanchor (conversation_id, first, last, digest, purged_at, why, removed)"
    " SELECT conversation_id, 1, 1, 'none', now(), '', '[]' FROM chat_chainhead": "in place of",
    "INSERT INTO chat_purgeanchor (conversation_id, first, last, digest, purged_at, why, removed)"
    " SELECT conversation_id, 2, 2, digest, now(), '', '[]' FROM chat_chainhead": "in place of",
    "UPDATE chat_legalhold SET reason = 'none'": "lifted once",
    "DELETE FROM chat_legalhold": "lifted once",
}
"""What no role may do by a plain statement, and what it is told."""

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**9), 10**9)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def conversation() -> Conversation:
    return chains.conversation()


def test_records_of_a_conversation_are_chained(conversation: Conversation) -> None:
    records = chain(conversation, 3)
    assert [record.number for record in records] == [1, 2, 3]
    assert [r.previous_digest for r in records] == ["", records[0].digest, records[1].digest]
    head = ChainHead.objects.get(conversation=conversation)
    assert (head.count, head.digest) == (3, records[2].digest)
    assert verify(conversation.pk) is None


def test_a_turn_gets_one_record_only(conversation: Conversation) -> None:
    turn = chains.turn(conversation)
    chains.sealed(turn)
    with pytest.raises(IntegrityError), transaction.atomic():
        decision_log.seal(turn, {}, {})
    assert verify(conversation.pk) is None


@pytest.mark.parametrize("statement", LEFT)
def test_the_database_refuses_to_change_what_is_sealed(
    conversation: Conversation, statement: str
) -> None:
    chain(conversation, 1)
    LegalHold.objects.create(conversation=chains.conversation(), reason="a dispute")
    connection.check_constraints()  # a table with checks to come cannot be emptied anyway
    with pytest.raises(DatabaseError, match=LEFT[statement]), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement)
    assert verify(conversation.pk) is None


def test_a_record_that_follows_nothing_is_refused(conversation: Conversation) -> None:
    first = chain(conversation, 1)[0]
    turn = chains.turn(conversation)
    for number, previous in ((1, ""), (2, "another"), (3, first.digest)):
        with pytest.raises(DatabaseError, match="does not follow"), transaction.atomic():
            DecisionRecord.objects.create(
                turn=turn,
                conversation=conversation,
                number=number,
                sealed_at=timezone.now(),
                facts={},
                previous_digest=previous,
            )


def test_content_may_be_erased_but_not_under_a_hold(conversation: Conversation) -> None:
    record = chain(conversation, 1)[0]
    hold = LegalHold.objects.create(conversation=conversation, reason="a dispute")
    with pytest.raises(DatabaseError, match="erased and not changed"), transaction.atomic():
        chains.empty(record)
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=timezone.now())
    chains.empty(record)
    assert verify(conversation.pk) is None


def test_a_hold_is_lifted_once(conversation: Conversation) -> None:
    hold = LegalHold.objects.create(conversation=conversation, reason="a dispute")
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=timezone.now())
    with pytest.raises(DatabaseError, match="lifted once"), transaction.atomic():
        LegalHold.objects.filter(pk=hold.pk).update(lifted_at=None)


def test_an_anchor_stays(conversation: Conversation) -> None:
    chain(conversation, 2)
    with connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_purge_records(%s, 1, 'old')", [str(conversation.pk)])
    for change in (PurgeAnchor.objects.all().delete, lambda: PurgeAnchor.objects.update(last=2)):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_a_temporary_table_does_not_blind_a_rule(conversation: Conversation) -> None:
    record = chain(conversation, 1)[0]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE chat_purgeanchor AS SELECT * FROM chat_purgeanchor")
        cursor.execute(
            "INSERT INTO pg_temp.chat_purgeanchor (conversation_id, first, last, digest)"
            " VALUES (%s, 1, 9, '')",
            [str(conversation.pk)],
        )
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute("DELETE FROM public.chat_decisionrecord WHERE id = %s", [record.pk])
        cursor.execute("DROP TABLE pg_temp.chat_purgeanchor")


def test_an_erased_conversation_takes_no_message(conversation: Conversation) -> None:
    Conversation.objects.filter(pk=conversation.pk).update(erased_at=timezone.now())
    with pytest.raises(DatabaseError, match="was erased"), transaction.atomic():
        chains.turn(conversation)


def test_the_digest_of_content_cannot_be_guessed_from_its_text(conversation: Conversation) -> None:
    record = chain(conversation, 1)[0]
    bare = hashlib.sha256(b'{"question":"How long, 0?"}').hexdigest()
    assert record.content_digest != bare
    said = content_text(record.content.salt, {"question": "How long, 0?"})
    assert record.content_digest == sha256(said)


def test_a_record_is_sealed_over_its_facts_its_content_and_the_record_before() -> None:
    at = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
    ids = UUID(int=1), UUID(int=2)
    text = record_text(*ids, 3, at, ("facts", "content", "previous"))
    assert text == (
        '{"content":"content","conversation":"00000000-0000-0000-0000-000000000001",'
        '"facts":"facts","number":3,"previous":"previous",'
        '"sealed_at":"2026-11-30T09:30:00+00:00","turn":"00000000-0000-0000-0000-000000000002",'
        '"v":2}'
    )


@given(value=values)
def test_what_comes_back_from_the_database_is_hashed_as_it_was_sealed(value: Any) -> None:
    kept = plain(value)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::jsonb::text", [canonical(kept)])
        (back,) = cursor.fetchone()
    assert canonical(json.loads(back)) == canonical(kept)


def test_records_of_others_do_not_touch_a_chain(conversation: Conversation) -> None:
    other = Conversation.objects.create(visitor=uuid4())
    chain(conversation, 2)
    chain(other, 1)
    assert ChainHead.objects.get(conversation=other).count == 1
