"""A turn waits for a person, in no process, and goes on once: with a reply or with silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone

from chat import counters, leases, pauses
from chat.contracts.errors import NothingWaiting, RedactionFailed
from chat.contracts.events import Clarification, Stage, TurnFinished
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.db import in_db, with_connection
from chat.event_log import LIVE, follow
from chat.event_rows import stored
from chat.identity import Person
from chat.models import DecisionRecord, Message, Pause, Turn
from chat.records.verify import verify
from chat.runner import Runner
from tests.doubles.models import VAGUE, FixedClock, Takes
from tests.factories import QUESTION
from tests.pausing import (
    ANSWER,
    PERSON,
    UNCLEAR,
    answered,
    asks_back,
    become_another_process,
    begun,
    let_expire,
    made,
    pause_of,
    rested,
    waiting,
    without_keeper,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    without_keeper(monkeypatch)


@pytest.fixture
async def runner() -> AsyncIterator[Runner]:
    here = made()
    yield here
    await here.close()


# ---- waiting


async def test_a_turn_that_asks_back_waits_and_no_process_has_it(runner: Runner) -> None:
    run = await begun(runner)
    turn = await rested(run)
    assert (turn.status, turn.owner, turn.lease_until) == (Turn.Status.WAITING, None, None)
    assert runner.runs == {} and turn.pk not in LIVE
    assert await in_db(DecisionRecord.objects.count) == 0
    rows = await stored(turn.pk)
    assert fold(run.log.shown) == fold(rows)
    last, before = rows[-1].body, rows[-2].body
    assert isinstance(last, Clarification) and isinstance(before, Stage)
    assert (last.question, last.options) == (VAGUE.question, VAGUE.options)
    assert (before.node, before.phase) == ("generate_clarification", "paused")


async def test_the_pause_says_what_is_asked_until_when_and_where_the_turn_stood(
    runner: Runner,
) -> None:
    turn = await waiting(runner)
    pause, rows = await pause_of(turn), await stored(turn.pk)
    asked = rows[-1].body
    assert isinstance(asked, Clarification)
    assert (pause.kind, pause.status, pause.seq) == ("clarification", "waiting", rows[-1].seq)
    assert (pause.question, tuple(pause.options)) == (asked.question, asked.options)
    assert pause.expires_at == asked.expires_at
    assert pause.expires_at - pause.asked_at > pauses.EXPIRY["clarification"] * 0.99
    assert pause.checkpoint["state"]["question"] == UNCLEAR


async def test_no_lease_runs_out_while_a_turn_waits(runner: Runner) -> None:
    await waiting(runner)
    assert await in_db(leases.take_abandoned) == []
    assert await in_db(pauses.take_expired) == []


async def test_a_pause_is_tried_again_while_the_database_is_away(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, away = pauses.wait, iter([True])

    def flaky(*args: Any) -> None:
        if next(away, False):
            raise OperationalError("gone")
        wait(*args)

    monkeypatch.setattr(pauses, "wait", flaky)
    assert (await rested(await begun(runner))).status == Turn.Status.WAITING


async def test_a_turn_of_another_process_does_not_begin_to_wait(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = pauses.wait

    def late(turn: Turn, *rest: Any) -> None:
        Turn.objects.filter(pk=turn.pk).update(owner=uuid4())
        wait(turn, *rest)

    monkeypatch.setattr(pauses, "wait", late)
    turn = await rested(await begun(runner))
    assert turn.status == Turn.Status.RUNNING
    assert await in_db(Pause.objects.count) == 0
    assert not [e for e in await stored(turn.pk) if isinstance(e.body, Clarification)]


# ---- answering


async def test_a_reply_is_taken_by_another_process_and_the_same_turn_goes_on(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await waiting(runner)
    become_another_process(monkeypatch)
    there = made()
    run = there.resume(await answered(turn))
    ended = await rested(run)
    assert (ended.pk, ended.termination) == (turn.pk, Termination.ANSWERED)
    rows = await stored(turn.pk)
    assert [e.body.TYPE for e in rows].count("turn_started") == 1
    assert [e.seq for e in rows] == sorted({e.seq for e in rows})
    left = [b.label for e in rows if isinstance(b := e.body, Stage) and b.phase == "leave"]
    assert "You answered “Refunds”" in left
    assert fold(rows).text == (await in_db(Message.objects.get, turn=turn)).text
    await there.close()


async def test_the_record_covers_the_turn_before_and_after_its_pause(runner: Runner) -> None:
    turn = await waiting(runner)
    before = [e.body.TYPE for e in await stored(turn.pk)].count("model_call")
    ended = await rested(runner.resume(await answered(turn)))
    calls = [e.body.TYPE for e in await stored(turn.pk)].count("model_call")
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    counted = sum(role["calls"] for role in record.facts["model_calls"].values())
    assert ended.model_calls == counted == calls > before > 0
    assert [each["pass"] for each in record.facts["passes"]] == [1]
    assert record.facts["versions"] == {"code": "test"}
    assert await in_db(verify, turn.conversation_id) is None


async def test_the_reply_becomes_a_part_of_the_question_and_no_message(runner: Runner) -> None:
    turn = await waiting(runner)
    await rested(runner.resume(await answered(turn)))
    said = [m.text for m in await in_db(lambda: list(Message.objects.filter(author="person")))]
    assert said == [UNCLEAR]
    pause = await pause_of(turn)
    assert (pause.status, pause.reply, pause.approved) == ("answered", "Refunds", None)
    assert pause.answered_at is not None


async def test_the_time_that_a_turn_waits_does_not_count() -> None:
    clock = FixedClock()
    slow = asks_back(clarities=(Takes(2.0, VAGUE),), clock=clock)
    runner = made(slow)
    turn = await waiting(runner)
    assert (await pause_of(turn)).elapsed_ms == pytest.approx(2_000)
    clock.move(3_600)
    ended = await rested(runner.resume(await answered(turn)))
    assert ended.ms is not None and ended.ms < 30_000
    assert ended.termination != Termination.TIME_CAP
    await runner.close()


async def test_of_two_replies_at_once_one_wins(runner: Runner) -> None:
    turn = await waiting(runner)

    def reply(text: str) -> pauses.Resumption | None:
        try:
            return pauses.answer(PERSON, turn.conversation_id, turn.pk, text)
        except NothingWaiting:
            return None

    def both() -> list[pauses.Resumption]:
        with ThreadPoolExecutor(4) as pool:
            said = [pool.submit(with_connection, partial(reply, text)) for text in "abcd"]
            return [left for each in said if (left := each.result())]

    (left,) = await asyncio.to_thread(both)
    assert left.point is not None
    assert (await pause_of(turn)).reply == left.point.reply.text
    assert (await rested(runner.resume(left))).termination == Termination.ANSWERED


async def test_a_second_reply_changes_nothing(runner: Runner) -> None:
    turn = await waiting(runner)
    run = runner.resume(await answered(turn, "First"))
    with pytest.raises(NothingWaiting):
        await answered(turn, "Second")
    ended = await rested(run)
    with pytest.raises(NothingWaiting):
        await answered(turn, "Third")
    assert (await pause_of(turn)).reply == "First"
    assert await in_db(DecisionRecord.objects.filter(turn=ended).count) == 1


async def test_nobody_else_replies(runner: Runner) -> None:
    turn = await waiting(runner)
    stranger = Person(visitor=uuid4())
    with pytest.raises(NothingWaiting):
        await in_db(pauses.answer, stranger, turn.conversation_id, turn.pk, "Mine")
    with pytest.raises(NothingWaiting):
        await in_db(pauses.answer, PERSON, uuid4(), turn.pk, "Elsewhere")
    assert (await pause_of(turn)).status == "waiting"


async def test_a_question_takes_no_yes(runner: Runner) -> None:
    turn = await waiting(runner)
    pause = await pause_of(turn)
    where = (PERSON, turn.conversation_id, turn.pk)
    with pytest.raises(NothingWaiting):
        await in_db(pauses.confirm, *where, str(pause.pk), True)
    assert (await pause_of(turn)).approved is None


async def test_a_reply_that_could_not_be_screened_is_not_kept(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> None:
        raise RuntimeError("no screen")

    turn = await waiting(runner)
    monkeypatch.setattr("chat.keeping.redact", broken)
    with pytest.raises(RedactionFailed):
        await answered(turn)
    assert (await pause_of(turn)).status == "waiting"


async def test_a_turn_that_asks_twice_waits_twice(runner: Runner) -> None:
    there = made(asks_back(clarities=(VAGUE,), standalones=(UNCLEAR, QUESTION)))
    turn = await waiting(there)
    again = await rested(there.resume(await answered(turn, "It")))
    assert again.status == Turn.Status.WAITING
    assert (await pause_of(turn)).reply == ""
    ended = await rested(there.resume(await answered(turn, "Refunds")))
    assert ended.termination == Termination.ANSWERED
    replies = await in_db(lambda: list(Pause.objects.order_by("asked_at").values_list("reply")))
    assert replies == [("It",), ("Refunds",)]
    rows = await stored(turn.pk)
    assert [e.body.TYPE for e in rows].count("clarification") == 2
    ends = [e.body for e in rows if isinstance(e.body, TurnFinished)]
    calls = [e.body.TYPE for e in rows].count("model_call")
    assert [end.model_calls for end in ends] == [calls]
    await there.close()


async def test_the_next_turn_knows_how_often_the_conversation_was_asked(runner: Runner) -> None:
    turn = await waiting(runner)
    left = await answered(turn)
    # Its own question counts too: if the turn begins again, the person was asked all the same.
    assert left.begun.clarifications_before == 1
    await rested(runner.resume(left))
    following = await begun(runner, QUESTION, turn.conversation_id)
    assert following.begun.clarifications_before == 1
    await rested(following)
    assert (await in_db(pauses.left, following.begun.turn)).begun.clarifications_before == 1
    other = await begun(runner, QUESTION)
    assert other.begun.clarifications_before == 0
    await rested(other)


async def test_no_checkpoint_outlives_its_turn(runner: Runner) -> None:
    turn = await waiting(runner)
    assert (await pause_of(turn)).checkpoint is not None
    await rested(runner.resume(await answered(turn)))
    assert (await pause_of(turn)).checkpoint is None


# ---- silence


async def test_after_its_time_a_question_takes_no_reply(runner: Runner) -> None:
    turn = await waiting(runner)
    await let_expire(turn)
    with pytest.raises(NothingWaiting):
        await answered(turn)
    assert (await pause_of(turn)).status == "waiting"


async def test_a_question_that_nobody_answers_ends_its_turn_with_that_reason(
    runner: Runner,
) -> None:
    turn = await waiting(runner)
    await let_expire(turn)
    await runner._expire()
    ended = await rested(runner.runs[turn.pk])
    assert ended.termination == Termination.CLARIFICATION_EXPIRED
    pause = await pause_of(turn)
    assert (pause.status, pause.reply, pause.checkpoint) == ("expired", "", None)
    rows = await stored(turn.pk)
    labels = [e.body.label for e in rows if isinstance(e.body, Stage)]
    assert "No reply came" in labels
    assert fold(rows).text.strip()
    assert await in_db(DecisionRecord.objects.filter(turn=turn).count) == 1


async def test_the_keeper_looks_for_silence_by_itself(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await waiting(runner)
    await let_expire(turn)
    monkeypatch.undo()
    keeping = made()
    keeping.keep()
    async with asyncio.timeout(20):
        events = [e async for batch in follow(turn.pk, staff=False) for e in batch]
    assert isinstance(end := events[-1].body, TurnFinished)
    assert end.termination == Termination.CLARIFICATION_EXPIRED
    await keeping.close()


async def test_two_processes_that_look_at_once_never_take_the_same_silence(runner: Runner) -> None:
    turns = {(await waiting(runner)).pk for _ in range(4)}
    past = timezone.now()
    await in_db(Pause.objects.update, expires_at=past)

    def all_at_once() -> list[Any]:
        with ThreadPoolExecutor(4) as pool:
            looks = [pool.submit(with_connection, pauses.take_expired) for _ in range(4)]
            return [turn.pk for look in looks for turn in look.result()]

    taken = await asyncio.to_thread(all_at_once)
    taken += [turn.pk for turn in await in_db(pauses.take_expired)]
    assert sorted(taken) == sorted(turns)


async def test_what_becomes_of_a_question_is_counted(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_keeper(monkeypatch)
    counted: list[tuple[str, str]] = []
    monkeypatch.setattr(counters, "pause", lambda *what: counted.append(what))
    await rested(runner.resume(await answered(await waiting(runner))))
    turn = await waiting(runner)
    await let_expire(turn)
    await runner._expire()
    await rested(runner.runs[turn.pk])
    outcomes = ["asked", "answered", "asked", "expired"]
    assert counted == [("clarification", outcome) for outcome in outcomes]


async def test_a_turn_can_be_given_up_where_nobody_can_be_asked(runner: Runner) -> None:
    turn = await waiting(runner)
    ended = await rested(runner.resume(await in_db(pauses.give_up, turn.pk)))
    assert ended.termination == Termination.CLARIFICATION_EXPIRED
    for unknown in (turn.pk, uuid4()):
        with pytest.raises(NothingWaiting):
            await in_db(pauses.give_up, unknown)


async def test_an_answer_is_what_it_would_be_without_the_pause(runner: Runner) -> None:
    straight = await rested(await begun(made(asks_back(clarities=(VAGUE,))), QUESTION))
    turn = await waiting(runner)
    ended = await rested(runner.resume(await answered(turn)))
    messages = [await in_db(Message.objects.get, turn=each) for each in (straight, ended)]
    assert messages[0].text == messages[1].text != ""
    assert ANSWER.split(" [")[0] in messages[1].text
