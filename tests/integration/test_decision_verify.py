"""The walk over the chains names what was changed, removed or moved, at its first broken link."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from chat.models import ChainHead, Conversation, DecisionRecord, RecordContent
from chat.records.canonical import first_record_text, sha256
from chat.records.verify import chains as walk
from chat.records.verify import verify
from tests import chains
from tests.chains import chain, remove, tamper

pytestmark = pytest.mark.django_db(transaction=True)

Records = list[DecisionRecord]


@pytest.fixture
def conversation() -> Conversation:
    return chains.conversation()


def _change_facts(records: Records) -> None:
    tamper("UPDATE chat_decisionrecord SET facts = '{\"a\": 1}' WHERE id = %s", records[1].pk)


def _change_time(records: Records) -> None:
    tamper("UPDATE chat_decisionrecord SET sealed_at = now() WHERE id = %s", records[0].pk)


def _change_and_seal_anew(records: Records) -> None:
    """A clever hand: the digest is made to fit, so that the next record does not."""
    tamper("UPDATE chat_decisionrecord SET digest = %s WHERE id = %s", "0" * 64, records[0].pk)


def _change_content(records: Records) -> None:
    tamper("UPDATE chat_recordcontent SET content = '{}' WHERE record_id = %s", records[1].pk)


def _hide_content(records: Records) -> None:
    tamper("UPDATE chat_recordcontent SET content = NULL WHERE record_id = %s", records[2].pk)


def _remove_content(records: Records) -> None:
    tamper("DELETE FROM chat_recordcontent WHERE record_id = %s", records[2].pk)


def _swap(records: Records) -> None:
    for number, record in ((99, records[0]), (1, records[1]), (2, records[0])):
        tamper("UPDATE chat_decisionrecord SET number = %s WHERE id = %s", number, record.pk)


def _head_back(records: Records) -> None:
    of = records[0].conversation_id
    tamper(
        "UPDATE chat_chainhead SET count = 2, digest = %s WHERE conversation_id = %s",
        records[1].digest,
        of,
    )


def _head_gone(records: Records) -> None:
    tamper("DELETE FROM chat_chainhead WHERE conversation_id = %s", records[0].conversation_id)


def _last_with_its_head(records: Records) -> None:
    remove(records[2])
    _head_back(records)


def _all(records: Records) -> None:
    for record in records:
        remove(record)
    _head_gone(records)


HANDS: dict[str, tuple[Callable[[Records], None], int, str]] = {
    "facts": (_change_facts, 2, "it was changed"),
    "time": (_change_time, 1, "it was changed"),
    "digest": (_change_and_seal_anew, 1, "it was changed"),
    "content": (_change_content, 2, "its content was changed"),
    "hidden content": (_hide_content, 3, "its content is gone without an erasure"),
    "content row": (_remove_content, 3, "its content row is missing"),
    "first": (lambda records: remove(records[0]), 1, "record 1 is missing"),
    "middle": (lambda records: remove(records[1]), 2, "record 2 is missing"),
    "last": (lambda records: remove(records[2]), 3, "record 3 is missing at the end"),
    "last and head": (_last_with_its_head, 3, "1 finished turns have no record"),
    "order": (_swap, 1, "it does not follow the record before it"),
    "head back": (_head_back, 3, "its head does not fit the last record"),
    "head": (_head_gone, 3, "its head is missing"),
    "all": (_all, 1, "its records and its head are missing"),
}


@pytest.mark.parametrize("hand", HANDS)
def test_what_a_hand_did_is_named_with_its_first_broken_link(
    conversation: Conversation, hand: str
) -> None:
    other = chains.conversation()
    chain(other, 1)
    act, number, why = HANDS[hand]
    act(chain(conversation, 3))
    broken = verify(conversation.pk)
    assert broken is not None
    assert (broken.conversation, broken.number, broken.why) == (conversation.pk, number, why)
    assert verify(other.pk) is None
    assert {each.conversation: each.broken for each in walk()} == {
        conversation.pk: broken,
        other.pk: None,
    }


def test_an_erased_content_leaves_the_chain_whole(conversation: Conversation) -> None:
    chains.empty(chain(conversation, 2)[0])
    (walked,) = walk()
    assert (walked.broken, walked.records, walked.erased) == (None, 2, 1)


def test_a_chain_goes_on_after_what_was_purged(conversation: Conversation) -> None:
    chain(conversation, 3)
    with connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_purge_records(%s, 2, 'old')", [str(conversation.pk)])
    chain(conversation, 1)
    (walked,) = walk()
    assert (walked.broken, walked.records, walked.purged) == (None, 2, 2)


@pytest.mark.parametrize(
    "change", ["digest = repeat('0', 64)", "first = 2", "last = 1", "last = 3"]
)
def test_a_moved_anchor_is_seen(conversation: Conversation, change: str) -> None:
    chain(conversation, 3)
    with connection.cursor() as cursor:
        cursor.execute("SELECT plumbline_purge_records(%s, 2, 'old')", [str(conversation.pk)])
    tamper(f"UPDATE chat_purgeanchor SET {change}")
    assert verify(conversation.pk) is not None


def test_a_record_of_the_first_form_still_holds(conversation: Conversation) -> None:
    record = chain(conversation, 1)[0]
    name = (record.conversation_id, record.turn_id, record.number, record.sealed_at)
    digest = sha256(first_record_text(*name, (record.facts, record.content_digest, "")))
    tamper("UPDATE chat_decisionrecord SET digest = %s", digest)
    tamper("UPDATE chat_chainhead SET digest = %s", digest)
    chain(conversation, 1)
    assert verify(conversation.pk) is None
    tamper("UPDATE chat_decisionrecord SET facts = '{}' WHERE number = 1")
    assert verify(conversation.pk) is not None


def test_the_command_names_every_broken_chain(
    conversation: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    records = chain(conversation, 2)
    chain(chains.conversation(), 1)
    call_command("verify_decisions")
    assert "3 records in 2 chains, none broken" in capsys.readouterr().out
    tamper("UPDATE chat_decisionrecord SET facts = '{}' WHERE id = %s", records[0].pk)
    with pytest.raises(CommandError, match="1 of 2 chains are broken"):
        call_command("verify_decisions")
    assert f"{conversation.pk} record 1: it was changed" in capsys.readouterr().out


def test_a_walk_that_is_left_early_holds_nothing_up(conversation: Conversation) -> None:
    chain(conversation, 1)
    with closing(walk()) as walking:  # type: ignore[type-var]
        next(walking)
    assert connection.get_autocommit()


# Anchors, kept elsewhere


def _against(file: Path) -> None:
    call_command("verify_decisions", against=str(file))


@pytest.fixture
def anchored(conversation: Conversation, tmp_path: Path) -> tuple[Records, Path]:
    """Three records and another chain, anchored; then one more record in each."""
    records, other = chain(conversation, 3), chains.conversation()
    chain(other, 2)
    file = tmp_path / "anchors.jsonl"
    call_command("verify_decisions", anchor=str(file))
    chain(conversation, 1)
    chain(other, 1)
    return records, file


def test_an_anchor_is_one_line_over_all_heads(anchored: tuple[Records, Path]) -> None:
    (line,) = anchored[1].read_text().splitlines()
    anchor = json.loads(line)
    assert (anchor["chains"], anchor["records"], len(anchor["digest"])) == (2, 5, 64)
    _against(anchored[1])


def test_another_anchor_is_added_and_all_are_compared(
    anchored: tuple[Records, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_decisions", anchor=str(anchored[1]))
    _against(anchored[1])
    assert capsys.readouterr().out.count("as it was on") == 2


def test_an_anchor_still_proves_after_records_were_purged(anchored: tuple[Records, Path]) -> None:
    """Also one in whose middle the purge ends: each removed digest is kept."""
    of = str(anchored[0][0].conversation_id)
    for upto in (2, 4):
        with connection.cursor() as cursor:
            cursor.execute("SELECT plumbline_purge_records(%s, %s, 'old')", [of, upto])
        _against(anchored[1])


def test_a_past_that_was_written_anew_and_fits_is_found(anchored: tuple[Records, Path]) -> None:
    """Somebody with all rights seals a chain again, and its head: only the anchor knows better."""
    records, file = anchored
    previous = ""
    for record in DecisionRecord.objects.filter(conversation=records[0].conversation_id):
        name = (record.conversation_id, record.turn_id, record.number, record.sealed_at)
        digest = sha256(first_record_text(*name, ({"a": 1}, record.content_digest, previous)))
        tamper(
            "UPDATE chat_decisionrecord SET facts = '{\"a\": 1}', digest = %s, previous_digest = %s"
            " WHERE id = %s",
            *(digest, previous, record.pk),
        )
        previous = digest
    tamper(
        "UPDATE chat_chainhead SET digest = %s WHERE conversation_id = %s",
        *(previous, records[0].conversation_id),
    )
    call_command("verify_decisions")
    with pytest.raises(CommandError, match="a record that was there has been replaced"):
        _against(file)


def test_a_chain_that_went_whole_with_its_turns_is_found(anchored: tuple[Records, Path]) -> None:
    records, file = anchored
    of = records[0].conversation_id
    for record in DecisionRecord.objects.filter(conversation=of):
        remove(record)
    tamper("DELETE FROM chat_chainhead WHERE conversation_id = %s", of)
    tamper("UPDATE chat_turn SET status = 'lost' WHERE conversation_id = %s", of)
    call_command("verify_decisions")
    with pytest.raises(CommandError, match="there were 5 records, and 2 of them are left"):
        _against(file)


def test_a_broken_chain_is_not_anchored(conversation: Conversation, tmp_path: Path) -> None:
    chain(conversation, 1)
    tamper("UPDATE chat_decisionrecord SET facts = '{}'")
    with pytest.raises(CommandError, match="broken"):
        call_command("verify_decisions", anchor=str(tmp_path / "anchors"))
    assert not (tmp_path / "anchors").exists()


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"v": 1}', '{"v": 9, "time": "", "chains"'])
def test_a_file_without_an_anchor_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "anchors"
    file.write_text(text)
    with pytest.raises(CommandError, match="anchor"):
        _against(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        _against(tmp_path / "none")


def test_a_database_without_records_can_be_anchored(db: None, tmp_path: Path) -> None:
    call_command("verify_decisions", anchor=str(tmp_path / "anchors"))
    _against(tmp_path / "anchors")


def test_heads_and_contents_are_left_as_they_were(conversation: Conversation) -> None:
    chain(conversation, 2)
    before = list(ChainHead.objects.values()), list(RecordContent.objects.values())
    with transaction.atomic():
        assert verify(conversation.pk) is None
    assert before == (list(ChainHead.objects.values()), list(RecordContent.objects.values()))
