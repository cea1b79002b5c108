"""A turn that waits gives way, is stopped, or is taken over; each leaves one end and one record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from prometheus_client import REGISTRY

from chat import branches, keeping, leases, pauses, turns
from chat.contracts.errors import NothingWaiting, RedactionFailed, TurnRunning
from chat.contracts.events import DraftWithdrawn, Event, Failure, Token, TurnFinished
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.db import in_db, with_connection
from chat.event_rows import stored
from chat.models import DecisionRecord, Message, Pause, Turn
from chat.records.verify import verify
from chat.runner import Runner
from chat.runs import BEGINS_AGAIN, BROKE, GOES_ON
from tests.doubles.models import Waits
from tests.factories import QUESTION
from tests.pausing import (
    ANSWER,
    PERSON,
    UNCLEAR,
    VERSIONS,
    abandon,
    answered,
    asks_back,
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


def _versions() -> dict[str, str]:
    return VERSIONS


async def _ask(conversation: UUID, question: str = QUESTION, client: UUID | None = None) -> Any:
    given = (PERSON, conversation, question, client or uuid4(), _versions)
    return await in_db(turns.start, *given)


async def _stopped(turn: Turn) -> Event | None:
    own, stop = turn.conversation_id, turns.request_stop
    return await in_db(stop, PERSON, own, turn.pk, _versions)


def _counted(termination: Termination) -> float:
    name, labels = "plumbline_turns_total", {"termination": str(termination)}
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def _assert_ended(turn: Turn, termination: Termination) -> None:
    """Its last event, its columns, its record and its pause say so, and no checkpoint is left."""
    row = await in_db(Turn.objects.get, pk=turn.pk)
    assert (row.status, row.termination) == (Turn.Status.FINISHED, termination)
    events = await stored(turn.pk)
    ends = [e.body for e in events if isinstance(e.body, TurnFinished)]
    assert [end.termination for end in ends] == [termination]
    assert events[-1].body is ends[0]
    assert (row.model_calls, row.finished_at) == (ends[0].model_calls, events[-1].at)
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert record.facts["finished"]["termination"] == termination
    assert record.facts["versions"] == VERSIONS
    assert await in_db(verify, turn.conversation_id) is None
    pause = await pause_of(turn)
    assert (pause.status, pause.checkpoint) == ("ended", None)
    with pytest.raises(NothingWaiting):
        await answered(turn)


# ---- another question


async def test_another_question_ends_the_turn_that_waits_and_is_answered(runner: Runner) -> None:
    turn = await waiting(runner)
    new = await _ask(turn.conversation_id)
    assert isinstance(new.superseded, Event) and new.superseded.turn == turn.pk
    counted = _counted(Termination.SUPERSEDED)
    assert (await rested(runner.begin(new))).termination == Termination.ANSWERED
    assert _counted(Termination.SUPERSEDED) == counted + 1
    await _assert_ended(turn, Termination.SUPERSEDED)


async def test_the_same_question_twice_ends_nothing_twice(runner: Runner) -> None:
    turn, client = await waiting(runner), uuid4()
    new = await _ask(turn.conversation_id, UNCLEAR, client)
    second = await rested(runner.begin(new))
    assert second.status == Turn.Status.WAITING
    repeat = await _ask(turn.conversation_id, UNCLEAR, client)
    assert (repeat.is_new, repeat.turn.pk, repeat.superseded) == (False, second.pk, None)
    assert (await pause_of(second)).status == "waiting"


async def test_another_answer_is_asked_for_while_the_turn_waits(runner: Runner) -> None:
    turn = await waiting(runner)
    new = await in_db(branches.regenerate, PERSON, turn.conversation_id, turn.pk, _versions)
    assert new.superseded is not None and new.turn.question_id == turn.question_id
    await rested(runner.begin(new))
    await _assert_ended(turn, Termination.SUPERSEDED)


async def test_the_question_is_put_in_other_words_while_its_turn_waits(runner: Runner) -> None:
    turn = await waiting(runner)
    where = (PERSON, turn.conversation_id, turn.question_id)
    new = await in_db(branches.edit, *where, (QUESTION, uuid4()), _versions)
    assert (await rested(runner.begin(new))).termination == Termination.ANSWERED
    await _assert_ended(turn, Termination.SUPERSEDED)


async def test_a_question_that_is_not_kept_ends_nothing(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> None:
        raise RuntimeError("no screen")

    turn = await waiting(runner)
    with monkeypatch.context() as patched:
        patched.setattr(keeping, "redact", broken)
        with pytest.raises(RedactionFailed):
            await _ask(turn.conversation_id)
    assert (await rested(runner.resume(await answered(turn)))).termination == Termination.ANSWERED


async def test_a_question_that_cannot_begin_leaves_the_waiting_turn_as_it_was(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a defect")

    turn = await waiting(runner)
    with monkeypatch.context() as patched:
        patched.setattr(turns, "begin_turn", broken)
        with pytest.raises(RuntimeError):
            await _ask(turn.conversation_id)
    assert await in_db(DecisionRecord.objects.count) == 0
    assert (await rested(runner.resume(await answered(turn)))).termination == Termination.ANSWERED


async def test_after_the_reply_the_turn_runs_and_another_question_has_to_wait(
    runner: Runner,
) -> None:
    turn = await waiting(runner)
    left = await answered(turn)
    with pytest.raises(TurnRunning):
        await _ask(turn.conversation_id)
    assert (await rested(runner.resume(left))).termination == Termination.ANSWERED


async def test_a_reply_and_another_question_at_once_leave_one_open_turn(runner: Runner) -> None:
    turn = await waiting(runner)
    chances: list[Callable[[], Any]] = [
        partial(pauses.answer, PERSON, turn.conversation_id, turn.pk, "Refunds"),
        partial(turns.start, PERSON, turn.conversation_id, QUESTION, uuid4(), _versions),
        partial(turns.request_stop, PERSON, turn.conversation_id, turn.pk, _versions),
    ]

    def tried(chance: Callable[[], Any]) -> Any:
        try:
            return chance()
        except (NothingWaiting, TurnRunning) as refused:
            return refused

    def all_at_once() -> list[Any]:
        with ThreadPoolExecutor(len(chances)) as pool:
            looks = [pool.submit(with_connection, partial(tried, each)) for each in chances]
            return [look.result() for look in looks]

    replied, began, _ = await asyncio.to_thread(all_at_once)
    assert await in_db(DecisionRecord.objects.count) <= 1
    taken = [each for each in (replied, began) if not isinstance(each, Exception)]
    for each in taken:
        run = runner.begin(each) if isinstance(each, turns.Begun) else runner.resume(each)
        assert (await rested(run)).status == Turn.Status.FINISHED
    ended = await in_db(lambda: list(Turn.objects.values_list("status", flat=True)))
    assert set(ended) == {Turn.Status.FINISHED}
    assert await in_db(DecisionRecord.objects.count) == len(ended)
    assert await in_db(verify, turn.conversation_id) is None


# ---- a stop


async def test_a_stop_ends_a_turn_that_waits_whoever_hears_it(runner: Runner) -> None:
    turn = await waiting(runner)
    last = await _stopped(turn)
    assert isinstance(last, Event)
    await _assert_ended(turn, Termination.USER_STOP)
    assert await _stopped(turn) is None
    assert await in_db(Message.objects.filter(author="agent").count) == 0


async def test_a_stop_just_before_the_turn_would_wait_is_not_lost(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = pauses.wait

    def stopped_before(turn: Turn, *rest: Any) -> None:
        turns.request_stop(PERSON, turn.conversation_id, turn.pk)
        wait(turn, *rest)

    monkeypatch.setattr(pauses, "wait", stopped_before)
    turn = await rested(await begun(runner))
    assert turn.termination == Termination.USER_STOP
    assert await in_db(Pause.objects.count) == 0
    assert fold(await stored(turn.pk)).clarification is None


# ---- a process that dies


async def test_a_reply_outlives_the_process_that_took_it(runner: Runner) -> None:
    turn = await waiting(runner)
    await answered(turn, "Refunds")
    await abandon(turn)
    await runner._take_over()
    ended = await rested(runner.runs[turn.pk])
    assert (ended.termination, ended.attempt) == (Termination.ANSWERED, 2)
    rows = await stored(turn.pk)
    assert [e.body.why for e in rows if isinstance(e.body, DraftWithdrawn)] == [GOES_ON]
    assert [e.body.TYPE for e in rows].count("turn_started") == 1
    assert [e.body.TYPE for e in rows].count("clarification") == 1
    assert "You answered “Refunds”" in [line.label for line in fold(rows).stages]


async def test_silence_outlives_the_process_that_took_it(runner: Runner) -> None:
    turn = await waiting(runner)
    await let_expire(turn)
    await in_db(pauses.take_expired)
    await abandon(turn)
    await runner._take_over()
    ended = await rested(runner.runs[turn.pk])
    assert ended.termination == Termination.CLARIFICATION_EXPIRED


async def _died_while_writing(turn: Turn) -> int:
    """Goes on with a turn until its answer begins; then its process is gone. Gives its rows."""
    never = Waits(asyncio.Event(), ANSWER, first="It takes")
    dying = made(asks_back(answers=(never,)))
    before = len(await stored(turn.pk))
    run = dying.resume(await answered(turn))
    async with asyncio.timeout(20):
        async for batch in run.log.read(0, staff=True):
            if any(isinstance(event.body, Token) for event in batch):
                break
    await run.log.stored()
    await dying._let_go(run)
    await dying.close()
    await abandon(turn)
    return len(await stored(turn.pk)) - before


async def test_what_the_dead_process_did_is_void_but_what_it_spent_counts(runner: Runner) -> None:
    turn = await waiting(runner)
    assert await _died_while_writing(turn) > 5
    await runner._take_over()
    ended = await rested(runner.runs[turn.pk])
    assert ended.termination == Termination.ANSWERED
    rows = await stored(turn.pk)
    assert [e.body.TYPE for e in rows].count("retrieval") == 2
    calls = [e.body.TYPE for e in rows].count("model_call")
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert [each["pass"] for each in record.facts["passes"]] == [1]
    scopes = [each for each in record.facts["controls"] if each["control"] == "scope"]
    assert len(scopes) == 2  # before the pause, and once after it
    counted = sum(role["calls"] for role in record.facts["model_calls"].values())
    assert ended.model_calls == counted == calls


async def test_what_was_void_before_a_second_pause_stays_void(runner: Runner) -> None:
    turn = await waiting(runner)
    await _died_while_writing(turn)
    runner.ports = lambda: asks_back(standalones=(UNCLEAR, QUESTION))
    await runner._take_over()
    assert (await rested(runner.runs[turn.pk])).status == Turn.Status.WAITING
    runner.ports = asks_back
    ended = await rested(runner.resume(await answered(turn)))
    record = await in_db(DecisionRecord.objects.get, turn=ended)
    assert [each["pass"] for each in record.facts["passes"]] == [1]
    rows = await stored(turn.pk)
    assert [e.body.TYPE for e in rows].count("retrieval") == 2


async def test_what_was_void_is_void_in_the_record_of_a_superseded_turn_too(
    runner: Runner,
) -> None:
    turn = await waiting(runner)
    await _died_while_writing(turn)
    runner.ports = lambda: asks_back(standalones=(UNCLEAR, QUESTION))
    await runner._take_over()
    await rested(runner.runs[turn.pk])
    await _ask(turn.conversation_id)
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert record.facts["passes"] == []
    row = await in_db(Turn.objects.get, pk=turn.pk)
    calls = [e.body.TYPE for e in await stored(turn.pk)].count("model_call")
    assert row.model_calls == calls


@pytest.mark.parametrize(
    "change",
    [{"schema": 0}, {"state": {"daydream": 1}}, {"next": ["branch:to:no_such_node"]}, None],
    ids=str,
)
async def test_a_turn_whose_checkpoint_cannot_be_read_begins_again_at_its_question(
    runner: Runner, change: dict[str, Any] | None
) -> None:
    turn = await waiting(runner)
    pause = await pause_of(turn)
    pause.checkpoint = {**pause.checkpoint, **change} if change else {}
    await in_db(pause.save)
    again = await rested(runner.resume(await answered(turn)))
    assert again.status == Turn.Status.WAITING  # it is asked again, and no process loops
    rows = await stored(turn.pk)
    assert [e.body.why for e in rows if isinstance(e.body, DraftWithdrawn)] == [BEGINS_AGAIN]
    ended = await rested(runner.resume(await answered(turn)))
    assert ended.termination == Termination.ANSWERED
    assert fold(await stored(turn.pk)).text.startswith(ANSWER.split(" [")[0])
    assert await in_db(Pause.objects.filter(checkpoint__isnull=False).count) == 0


async def test_a_turn_that_dies_again_and_again_after_its_pause_ends_as_interrupted(
    runner: Runner,
) -> None:
    turn = await waiting(runner)
    await answered(turn)
    await abandon(turn)
    await in_db(Turn.objects.filter(pk=turn.pk).update, attempt=leases.MAX_ATTEMPTS)
    await runner._take_over()
    ended = await rested(runner.runs[turn.pk])
    assert ended.termination == Termination.INTERRUPTED
    assert [e.body for e in await stored(turn.pk) if isinstance(e.body, Failure)] == [BROKE]


async def test_a_clean_shutdown_leaves_a_waiting_turn_waiting(runner: Runner) -> None:
    turn = await waiting(runner)
    await runner.close()
    assert (await in_db(Turn.objects.get, pk=turn.pk)).status == Turn.Status.WAITING
    heir = made()
    assert (await rested(heir.resume(await answered(turn)))).termination == Termination.ANSWERED
    await heir.close()


async def test_the_record_of_a_turn_that_was_ended_while_it_waited_says_who_spoke(
    runner: Runner,
) -> None:
    runner.spoken = lambda _ports: {"prompts": "grade-b"}
    turn = await waiting(runner)
    await _stopped(turn)
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert record.facts["versions"] == VERSIONS | {"prompts": "grade-b"}
