"""The log of a turn: rows first, tokens at once and merged, and followers that lose nothing."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from chat import event_log, event_rows
from chat.contracts.events import (
    Body,
    Clarification,
    Event,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    Tokens,
    TurnFinished,
    TurnStarted,
)
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Route, Termination
from chat.db import in_db
from chat.event_log import TurnLog, follow, open_log
from chat.event_rows import stored
from chat.models import Conversation, Message, Turn, TurnEvent

pytestmark = pytest.mark.django_db(transaction=True)

ENTER = Stage(node="retrieve", phase="enter", label="Looking in the handbook")
ASKED = Clarification(question="What is it about?", expires_at=datetime(2026, 11, 30, tzinfo=UTC))
STAFF_ONLY = RouteTaken(decided=Route.SINGLE_SHOT, taken=Route.SINGLE_SHOT)
END = TurnFinished(
    termination=Termination.ANSWERED, ms=1, passes=0, model_calls=0, tokens=Tokens(), cost=0
)


@pytest.fixture
def turn() -> Turn:
    conversation = Conversation.objects.create(visitor=uuid4())
    question = Message.objects.create(conversation=conversation, author="person", text="How long?")
    return Turn.objects.create(
        conversation=conversation, question=question, started_at=timezone.now()
    )


def _started(turn: Turn) -> TurnStarted:
    return TurnStarted(question="How long?", message=turn.question_id, kind="ask")


async def _end(log: TurnLog) -> None:
    await log.stored()
    last = log.number(END)
    await in_db(_store_end, last)
    log.close([last])


def _store_end(last: Event) -> None:
    with transaction.atomic():
        event_rows.insert([last])
        Turn.objects.filter(pk=last.turn).update(status=Turn.Status.FINISHED)


async def _follow_all(turn: UUID, after: int = 0, *, staff: bool = False) -> list[Event]:
    return [event async for batch in follow(turn, after, staff=staff) for event in batch]


def _say(log: TurnLog, text: str, offset: int = 0) -> None:
    for index, character in enumerate(text):
        log.add(Token(offset=offset + index, text=character))


async def test_an_event_has_its_row_before_anybody_sees_it(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(_started(turn))
    assert log.shown == []
    await log.stored()
    assert [event.seq for event in log.shown] == [1]
    assert await in_db(TurnEvent.objects.count) == 1


async def test_a_token_is_shown_at_once_and_stored_merged(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(_started(turn))
    await log.stored()
    _say(log, "Refunds")
    assert [event.seq for event in log.shown] == [1, 2, 3, 4, 5, 6, 7, 8]
    await log.stored()
    rows = await stored(turn.pk, 1)
    assert [(row.seq, row.body) for row in rows] == [(8, Token(offset=0, text="Refunds"))]


async def test_a_token_waits_behind_an_event_that_has_no_row_yet(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(ENTER)
    _say(log, "Re")
    assert log.shown == []
    await log.stored()
    assert [event.seq for event in log.shown] == [1, 2, 3]


async def test_a_follower_sees_what_was_and_what_comes_in_order(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(_started(turn))
    await log.stored()
    reader = asyncio.create_task(_follow_all(turn.pk))
    await asyncio.sleep(0)
    log.add(ENTER)
    _say(log, "Refunds take 5 days")
    await _end(log)
    events = await reader
    assert [event.seq for event in events] == sorted({event.seq for event in events})
    assert fold(events).draft == "Refunds take 5 days"
    assert events[-1].body == END


async def test_a_drafts_first_token_waits_for_no_frame_before_it(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "FRAME_EVERY", 60)
    log = open_log(turn.pk)
    log.add(_started(turn))
    async with asyncio.timeout(10):
        reader = follow(turn.pk, staff=False)
        assert [event.body.TYPE for event in await anext(reader)] == ["turn_started"]
        log.add(ENTER)
        assert [event.body.TYPE for event in await anext(reader)] == ["stage"]
        _say(log, "Re")
        assert [event.body for event in await anext(reader)] == [Token(offset=0, text="Re")]


async def test_live_equals_stored_from_every_resume_point(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(_started(turn))
    _say(log, "Five to ten")
    log.add(ENTER)
    _say(log, " business days", offset=len("Five to ten"))
    everything = log.shown
    await _end(log)
    rows = await stored(turn.pk)
    whole = fold(rows)
    assert whole == fold(everything)
    for seen in everything:
        known = fold(event for event in everything if event.seq <= seen.seq)
        resumed = await _follow_all(turn.pk, seen.seq)
        assert fold(resumed, known) == whole


async def test_a_person_gets_no_staff_event_and_staff_get_all(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.add(_started(turn))
    log.add(STAFF_ONLY)
    await _end(log)
    assert [e.body.TYPE for e in await _follow_all(turn.pk)] == ["turn_started", "turn_finished"]
    assert len(await _follow_all(turn.pk, staff=True)) == 3


async def test_a_slow_reader_of_two_thousand_tokens_loses_no_character(turn: Turn) -> None:
    log = open_log(turn.pk)
    text = "".join(chr(97 + index % 26) for index in range(2_000))
    slow: list[Event] = []

    async def read() -> None:
        async for batch in follow(turn.pk, staff=False):
            slow.extend(batch)
            for _ in range(50):  # gives way to the writer again and again
                await asyncio.sleep(0)

    reader = asyncio.create_task(read())
    for offset in range(0, len(text), 20):
        _say(log, text[offset : offset + 20], offset)
        await asyncio.sleep(0)
    await _end(log)
    await reader
    assert fold(slow).draft == text


async def test_rows_that_the_database_refuses_are_tried_again(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert, failures = event_rows.insert, iter([True, True])

    def flaky(events: list[Event]) -> None:
        if next(failures, False):
            raise OperationalError("gone")
        insert(events)

    monkeypatch.setattr(event_log, "insert", flaky)
    monkeypatch.setattr(event_rows, "insert", flaky)
    monkeypatch.setattr(event_log, "RETRY_AFTER", 0)
    log = open_log(turn.pk)
    log.add(_started(turn))
    await log.stored()
    assert next(failures, None) is None  # both tries had failed before
    assert [row.seq for row in await stored(turn.pk)] == [1]


async def test_a_turn_that_another_process_writes_is_let_go(turn: Turn) -> None:
    log, other = open_log(turn.pk), TurnLog(turn.pk)
    await in_db(event_rows.insert, [other.number(_started(turn))])
    log.add(_started(turn))
    await log.stored()
    assert log.is_lost
    assert log.shown == []


async def test_nothing_more_is_stored_or_shown_of_a_lost_turn(turn: Turn) -> None:
    log = open_log(turn.pk)
    log.lose()
    log.add(_started(turn))
    await asyncio.wait_for(log.stored(), 10)
    await asyncio.sleep(0)
    assert (log.shown, await stored(turn.pk)) == ([], [])


async def test_a_reader_of_a_lost_turn_waits_for_news_of_it(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that runs it tells of it; to ask the database all the time tells nothing new."""
    looks: list[UUID] = []

    async def counted(asked: UUID, after: int = 0) -> list[Event]:
        looks.append(asked)
        await asyncio.sleep(0)
        return []

    monkeypatch.setattr(event_log, "stored", counted)
    open_log(turn.pk).lose()
    reader = asyncio.create_task(_follow_all(turn.pk))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader, 0.3)
    assert len(looks) <= 2


async def test_one_lost_turn_does_not_hold_up_the_others(turn: Turn) -> None:
    second = await in_db(_another)
    log, healthy, other = open_log(turn.pk), open_log(second.pk), TurnLog(turn.pk)
    await in_db(event_rows.insert, [other.number(_started(turn))])
    bodies: list[Body] = [_started(turn)]
    log.add(bodies[0])
    healthy.add(_started(second))
    await healthy.stored()
    assert [event.seq for event in healthy.shown] == [1]


async def test_what_no_database_takes_becomes_a_fault_and_holds_up_nobody(turn: Turn) -> None:
    second = await in_db(_another)
    log, healthy = open_log(turn.pk), open_log(second.pk)
    log.add(_started(turn))
    log.add(StateDiff(node="retrieve", changed={"queries": "a\x00b"}))
    log.add(ENTER)
    healthy.add(_started(second))
    async with asyncio.timeout(10):
        await log.stored()
        await healthy.stored()
    rows = await stored(turn.pk)
    assert [event.body for event in rows] == [_started(turn), event_rows.UNSTORABLE, ENTER]
    assert log.shown == rows
    assert [event.seq for event in healthy.shown] == [1]


def _another() -> Turn:
    conversation = Conversation.objects.create(visitor=uuid4())
    question = Message.objects.create(conversation=conversation, author="person", text="And?")
    return Turn.objects.create(
        conversation=conversation, question=question, started_at=timezone.now()
    )


# ---- a turn that waits


def _let_wait(last: Event) -> None:
    with transaction.atomic():
        event_rows.insert([last])
        Turn.objects.filter(pk=last.turn).update(status=Turn.Status.WAITING)


async def _pause(log: TurnLog) -> None:
    await log.stored()
    last = log.number(ASKED)
    await in_db(_let_wait, last)
    log.rest([last])


async def test_a_reader_goes_on_through_a_pause_in_the_same_process(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "POLL", 60.0)  # it is woken, and does not wait to look
    log = open_log(turn.pk)
    log.add(_started(turn))
    reader = asyncio.create_task(_follow_all(turn.pk))
    await asyncio.sleep(0)
    await _pause(log)
    assert turn.pk not in event_log.LIVE
    while turn.pk not in event_log._sleepers:  # noqa: ASYNC110 - the reader is on its way to sleep
        await asyncio.sleep(0.005)
    again = open_log(turn.pk, 2)
    again.add(ENTER)
    async with asyncio.timeout(10):
        await _end(again)
        events = await reader
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert events[-1].body == END
    assert event_log._sleepers == {}


async def test_a_turn_that_ends_while_a_reader_reads_its_rows_is_read_to_its_end(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "POLL", 60.0)  # nobody tells it any more, and it does not wait
    log = open_log(turn.pk)
    log.add(_started(turn))

    async def ended_meanwhile(of: UUID, after: int) -> list[Event]:
        rows = await stored(of, after)
        if of in event_log.LIVE:
            await _end(log)
        return rows

    monkeypatch.setattr(event_log, "stored", ended_meanwhile)
    async with asyncio.timeout(10):
        events = await _follow_all(turn.pk)
    assert events[-1].body == END
    assert event_log._sleepers == {}


async def test_a_reader_goes_on_through_a_pause_in_another_process(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "POLL", 0.01)
    log = TurnLog(turn.pk)  # of another process, so it is not among those that run here
    await in_db(event_rows.insert, [log.number(_started(turn))])
    await in_db(_let_wait, log.number(ASKED))
    reader = asyncio.create_task(_follow_all(turn.pk))
    await asyncio.sleep(0.05)
    assert not reader.done()
    await in_db(_store_end, log.number(END))
    async with asyncio.timeout(10):
        assert [event.body.TYPE for event in await reader][1:] == ["clarification", "turn_finished"]


async def test_a_reader_is_told_of_a_turn_that_ended_without_running(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "POLL", 60.0)
    log = open_log(turn.pk)
    await _pause(log)
    reader = asyncio.create_task(_follow_all(turn.pk))
    while turn.pk not in event_log._sleepers:  # noqa: ASYNC110 - the reader is on its way to sleep
        await asyncio.sleep(0.005)
    await in_db(_store_end, log.number(END))
    event_log.tell(turn.pk)
    async with asyncio.timeout(10):
        assert (await reader)[-1].body == END


async def test_a_log_that_rests_late_leaves_the_run_that_went_on_alone(turn: Turn) -> None:
    log = open_log(turn.pk)
    await log.stored()
    last = log.number(ASKED)
    await in_db(_let_wait, last)
    again = open_log(turn.pk, last.seq)  # the person was faster than the end of the first run
    log.rest([last])
    assert event_log.LIVE[turn.pk] is again
    assert log.shown == [last]
    await _end(again)


async def test_what_a_broken_wake_up_raises_is_not_swallowed(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ConnectionError("no such layer")

    monkeypatch.setattr(event_log, "heard", broken)
    with pytest.raises(ConnectionError):
        await _follow_all(turn.pk)
    assert event_log._sleepers == {}
