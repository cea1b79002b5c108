"""Retention: each class goes at its age, a hold keeps all of it, and chains go on afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from admin_tracing.models import RecordRead
from admin_tracing.retention import notes_of, reads, reads_of
from chat import retention
from chat.contracts.events import BODY_OF
from chat.models import (
    Attachment,
    Conversation,
    DecisionRecord,
    LegalHold,
    Message,
    PurgeAnchor,
    RecordContent,
    Turn,
    TurnEvent,
)
from chat.records.verify import verify
from config.variables import RETENTION
from tests import chains, factories, traces

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
CANARY = "quetzal"
KEEP: Mapping[str, int] = dict.fromkeys(RETENTION, 0)


def old_turn(talk: Conversation, days: float, **fields: Any) -> Turn:
    """A turn of so many days ago, with events of both audiences and its record."""
    at = timezone.now() - days * DAY
    events = traces.refund_with_one_rewrite()
    with patch("django.utils.timezone.now", return_value=at):
        turn = chains.turn(talk, CANARY, started_at=at, finished_at=at, **fields)
        factories.store([replace(event, turn=turn.pk) for event in events])
        Attachment.objects.create(
            message=turn.question, ordinal=1, kind="document", name=CANARY, text=CANARY,
            media_type="text/plain", size=7, sha256="a" * 64,
        )  # fmt: skip
        chains.sealed(turn, answer=CANARY)
    return turn


def purge(settings: Any, days: Mapping[str, int], *, dry: bool = False) -> str:
    """Run the command; what is not named is kept for ever."""
    settings.PLUMBLINE = replace(site.PLUMBLINE, retention_days={**KEEP, **days})
    out = StringIO()
    call_command("purge", *(("--dry-run",) if dry else ()), stdout=out)
    return out.getvalue()


@pytest.fixture
def talk() -> Conversation:
    return Conversation.objects.create(title=CANARY)


def kinds_of(turn: Turn) -> set[str]:
    types = TurnEvent.objects.filter(turn=turn).values_list("type", flat=True)
    return {BODY_OF[name].AUDIENCE for name in types}


def test_the_trace_goes_and_what_the_person_saw_stays(talk: Conversation, settings: Any) -> None:
    old, new = old_turn(talk, 91), old_turn(talk, 89)
    told = purge(settings, {"trace": 90})
    assert (kinds_of(old), kinds_of(new)) == ({"user"}, {"user", "staff"})
    assert "trace, older than 90 days: " in told
    assert "content: kept for ever" in told
    assert Message.objects.exclude(text="").count() == 2


def test_what_was_said_goes_and_the_chain_holds(talk: Conversation, settings: Any) -> None:
    old, new = old_turn(talk, 731), old_turn(talk, 1)
    purge(settings, {"content": 730})
    old.refresh_from_db()
    assert old.erased_at is not None
    assert [event.type for event in old.events.all()] == ["turn_finished"]
    assert list(Message.objects.exclude(text="")) == [new.question]
    contents = RecordContent.objects.order_by("record__number")
    assert [content.content is None for content in contents] == [True, False]
    talk.refresh_from_db()
    assert talk.title == ""
    assert verify(talk.pk) is None


def test_turns_that_tell_of_health_go_earlier(talk: Conversation, settings: Any) -> None:
    old, plain = old_turn(talk, 91, is_sensitive=True), old_turn(talk, 91)
    assert "sensitive, older than 90 days: 1 turns" in purge(settings, {"sensitive": 90})
    old.refresh_from_db()
    plain.refresh_from_db()
    assert old.erased_at is not None
    assert plain.erased_at is None


def test_a_message_of_staff_goes_with_the_content(talk: Conversation, settings: Any) -> None:
    with patch("django.utils.timezone.now", return_value=timezone.now() - 800 * DAY):
        Message.objects.create(conversation=talk, author="staff", text=CANARY)
    Message.objects.create(conversation=talk, author="staff", text="new")
    purge(settings, {"content": 730})
    assert list(Message.objects.order_by("created_at").values_list("text", flat=True)) == [
        "",
        "new",
    ]


def test_files_go_before_what_was_said(talk: Conversation, settings: Any) -> None:
    old_turn(talk, 366)
    assert "366" not in purge(settings, {"attachments": 365})
    (file,) = Attachment.objects.all()
    assert (file.name, file.text, file.sha256) == ("removed", "", "")
    assert Message.objects.get(author="person").text == CANARY


def test_records_go_as_the_beginning_of_a_chain(talk: Conversation, settings: Any) -> None:
    for days in (3000, 2900, 10):
        old_turn(talk, days)
    reader = factories.user("reader")
    RecordRead.objects.create(record=DecisionRecord.objects.get(number=1), user=reader)
    last = DecisionRecord.objects.get(number=2)
    told = purge(settings, {"records": 2555})
    assert "1 reads, 2 records, 1 chains" in told
    anchor = PurgeAnchor.objects.get()
    assert (anchor.first, anchor.last, anchor.digest) == (1, 2, last.digest)
    assert anchor.why == "older than 2555 days"
    assert [digest for _, digest in anchor.removed][-1] == last.digest
    assert DecisionRecord.objects.get().number == 3
    assert verify(talk.pk) is None
    old_turn(talk, 1)
    assert verify(talk.pk) is None


def test_records_may_go_again_later_and_all_at_last(talk: Conversation, settings: Any) -> None:
    for days in (3000, 100, 50):
        old_turn(talk, days)
    for days in (2555, 90, 1):
        purge(settings, {"records": days})
        assert verify(talk.pk) is None
    assert [(a.first, a.last) for a in PurgeAnchor.objects.all()] == [(1, 1), (2, 2), (3, 3)]
    old_turn(talk, 0)
    assert verify(talk.pk) is None
    assert DecisionRecord.objects.get().number == 4


def test_a_broken_chain_is_left_as_evidence(talk: Conversation, settings: Any) -> None:
    old_turn(talk, 3000)
    chains.tamper("UPDATE chat_decisionrecord SET facts = '{}'")
    other = chains.conversation()
    old_turn(other, 3000)
    assert "1 broken chains left" in purge(settings, {"records": 2555})
    assert DecisionRecord.objects.get().conversation_id == talk.pk


def test_readings_go_at_their_age(talk: Conversation, settings: Any) -> None:
    old_turn(talk, 10)
    with patch("django.utils.timezone.now", return_value=timezone.now() - 40 * DAY):
        RecordRead.objects.create(record=talk.records.get(), user=factories.user("early"))
    RecordRead.objects.create(record=talk.records.get(), user=factories.user("late"))
    assert "1 reads" in purge(settings, {"reads": 30})
    assert RecordRead.objects.get().user.username == "late"


def test_a_reading_goes_in_no_other_way(talk: Conversation) -> None:
    old_turn(talk, 10)
    RecordRead.objects.create(record=talk.records.get(), user=factories.user("reader"))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        RecordRead.objects.all()._raw_delete("default")


@pytest.mark.parametrize(
    "name", ["trace", "content", "sensitive", "attachments", "records", "reads"]
)
def test_a_hold_keeps_all_of_it(talk: Conversation, settings: Any, name: str) -> None:
    turn = old_turn(talk, 5000, is_sensitive=True)
    with patch("django.utils.timezone.now", return_value=timezone.now() - 5000 * DAY):
        RecordRead.objects.create(record=turn.record, user=factories.user("reader"))
        Message.objects.create(conversation=talk, author="staff", text=CANARY)
    hold = LegalHold.objects.create(conversation=talk, reason="a dispute")
    before = cells()
    assert f"{name}, older than 30 days: nothing" in purge(settings, {name: 30})
    assert cells() == before
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=timezone.now())
    assert "nothing" not in purge(settings, {name: 30})
    assert cells() != before


def cells() -> list[Any]:
    models = (TurnEvent, Message, Attachment, RecordContent, DecisionRecord, RecordRead, Turn)
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.parametrize(
    "name", ["trace", "content", "sensitive", "attachments", "records", "reads"]
)
def test_a_dry_run_counts_what_would_go(talk: Conversation, settings: Any, name: str) -> None:
    turn = old_turn(talk, 5000, is_sensitive=True)
    with patch("django.utils.timezone.now", return_value=timezone.now() - 5000 * DAY):
        RecordRead.objects.create(record=turn.record, user=factories.user("reader"))
    before = cells()
    assert f"{name}, older than 30 days: would go: " in purge(settings, {name: 30}, dry=True)
    assert cells() == before


def test_all_classes_at_once_take_everything_of_a_very_old_turn(
    talk: Conversation, settings: Any
) -> None:
    old_turn(talk, 5000)
    purge(settings, RETENTION)
    assert DecisionRecord.objects.count() == 0
    assert Message.objects.exclude(text="").count() == 0
    assert Turn.objects.count() == 1
    assert verify(talk.pk) is None


def test_a_run_that_was_killed_is_finished_by_the_next(
    talk: Conversation, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 1)
    others = [chains.conversation() for _ in range(2)]
    for each in (talk, *others):
        old_turn(each, 5000)
    now = timezone.now()
    for steps in (
        retention.trace(now, dry=False),
        retention.content(now, now, notes_of, dry=False),
        retention.attachments(now, dry=False),
        retention.records(now, "old", reads_of, dry=False),
        reads(now, dry=False),
    ):
        with closing(steps):  # type: ignore[type-var]
            next(steps, None)
    assert DecisionRecord.objects.count() == 2
    purge(settings, RETENTION)
    assert DecisionRecord.objects.count() == 0
    assert Message.objects.exclude(text="").count() == 0
    assert all(verify(each.pk) is None for each in (talk, *others))
    assert "nothing" in purge(settings, RETENTION)


def test_a_hold_that_is_placed_in_the_last_moment_counts(talk: Conversation) -> None:
    """Between the choice of a batch and its lock."""
    old_turn(talk, 5000)
    chosen = retention._batches

    def then_hold(turns: Any) -> Any:
        for found in chosen(turns):
            LegalHold.objects.create(conversation=talk, reason="a dispute")
            yield found

    now = timezone.now()
    with patch.object(retention, "_batches", then_hold):
        done = list(retention.content(now, now, notes_of, dry=False))
    assert sum(sum(batch.counts.values()) for batch in done) == 0
    assert Message.objects.get(author="person").text == CANARY


def test_two_runs_at_once_take_each_record_once(talk: Conversation) -> None:
    """The other one is quicker, between the choice of a batch and its lock."""
    for days in (5000, 4000):
        old_turn(talk, days)
    now = timezone.now()
    others: list[int] = []

    def meanwhile(of: Any) -> Any:
        if not others:
            others.append(0)
            other = retention.records(now, "", reads_of, dry=False)
            others[0] = sum(batch.counts["records"] for batch in other)
        return verify(of)

    with patch.object(retention, "verify", meanwhile):
        done = list(retention.records(now, "old", reads_of, dry=False))
    assert (others, sum(batch.counts.get("records", 0) for batch in done)) == ([2], 0)
    assert PurgeAnchor.objects.count() == 1
    assert verify(talk.pk) is None


def test_running_turns_are_left_alone(talk: Conversation, settings: Any) -> None:
    at: datetime = timezone.now() - 5000 * DAY
    factories.turn(talk, CANARY, started_at=at)
    purge(settings, RETENTION)
    assert Message.objects.get(author="person").text == CANARY
