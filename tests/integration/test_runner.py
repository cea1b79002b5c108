"""The server owns a turn: it ends once, is stopped from anywhere, and outlives its process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone
from prometheus_client import REGISTRY

from chat import closing, keeping, leases, turns
from chat import runner as runner_module
from chat.contracts.errors import NoSuchTurn, NotYours, RedactionFailed, TurnRunning
from chat.contracts.events import (
    DraftWithdrawn,
    Failure,
    ModelCall,
    Retrieval,
    Token,
    Tokens,
    TurnFinished,
    TurnStarted,
)
from chat.contracts.ports import Ports
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_rows import insert, stored
from chat.identity import Person
from chat.models import Conversation, DecisionRecord, Message, Turn, TurnEvent
from chat.records.verify import verify
from chat.runner import Runner
from chat.runs import BROKE, Run
from tests.doubles.models import ANSWERS, Fails, Raises, ScriptedModel, Waits
from tests.factories import QUESTION, events, ports

pytestmark = pytest.mark.django_db(transaction=True)

PERSON = Person(visitor=UUID("00000000-0000-4000-8000-00000000000a"))
ANSWER = "It takes five to ten business days [1]."


def _scripted(*, answers: Sequence[Any] = (ANSWER,)) -> Ports:
    return ports(ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=answers))


@pytest.fixture
async def runner() -> AsyncIterator[Runner]:
    made = Runner(ports=_scripted, versions=lambda: {"code": "test"})
    yield made
    await made.close()


async def _begin(
    runner: Runner, given: Ports | None = None, conversation: UUID | None = None
) -> Run:
    begun = await in_db(turns.start, PERSON, conversation or uuid4(), QUESTION, uuid4())
    return runner.begin(begun, given)


async def _done(run: Run) -> Turn:
    assert run.task is not None
    await asyncio.wait_for(run.task, 20)
    return await in_db(Turn.objects.get, pk=run.begun.turn.pk)


async def _until_shown(run: Run, kind: type) -> None:
    async with asyncio.timeout(20):
        async for batch in run.log.read(0, staff=True):
            if any(isinstance(event.body, kind) for event in batch):
                return


async def test_a_turn_leaves_its_answer_its_columns_and_a_sealed_record(runner: Runner) -> None:
    turn = await _done(await _begin(runner))
    assert turn.termination == Termination.ANSWERED
    assert (turn.status, turn.route_taken, turn.passes) == ("finished", "single_shot", 1)
    assert turn.owner is None
    answer = await in_db(Message.objects.get, turn=turn, author="agent")
    assert "five to ten business days" in answer.text
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert record.facts["passes"][0]["accepted"] == ["refunds#timing"]
    assert record.facts["finished"]["termination"] == "answered"
    assert await in_db(verify, turn.conversation_id) is None


async def test_live_events_equal_the_stored_rows(runner: Runner) -> None:
    run = await _begin(runner)
    await _done(run)
    assert fold(run.log.shown) == fold(await stored(run.begun.turn.pk))


async def test_a_stopped_turn_keeps_its_partial_text(runner: Runner) -> None:
    gate = asyncio.Event()
    waiting = _scripted(answers=(Waits(gate, ANSWER, first="It takes"),))
    run = await _begin(runner, waiting)
    await _until_shown(run, Token)
    runner.stop(run.begun.turn.pk)
    turn = await _done(run)
    assert turn.termination == Termination.USER_STOP
    kept = await in_db(Message.objects.get, turn=turn)
    assert kept.text == "It takes"
    assert await in_db(DecisionRecord.objects.filter(turn=turn).count) == 1


async def test_a_stop_from_another_process_is_heard(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "STOP_EVERY", 0.01)
    gate = asyncio.Event()
    run = await _begin(runner, _scripted(answers=(Waits(gate, ANSWER, first="It"),)))
    await _until_shown(run, Token)
    await in_db(turns.request_stop, PERSON, run.begun.turn.conversation_id, run.begun.turn.pk)
    assert (await _done(run)).termination == Termination.USER_STOP


async def test_stopping_twice_or_after_the_end_changes_nothing(runner: Runner) -> None:
    run = await _begin(runner)
    turn = await _done(run)
    runner.stop(turn.pk)
    await in_db(turns.request_stop, PERSON, turn.conversation_id, turn.pk)
    again = await in_db(Turn.objects.get, pk=turn.pk)
    assert (again.termination, again.stop_requested) == (Termination.ANSWERED, False)


async def test_only_one_turn_of_a_conversation_runs_at_a_time(runner: Runner) -> None:
    gate, conversation = asyncio.Event(), uuid4()
    waiting = _scripted(answers=(Waits(gate, ANSWER, first="It"),))
    run = await _begin(runner, waiting, conversation)
    with pytest.raises(TurnRunning):
        await in_db(turns.start, PERSON, conversation, "And how much?", uuid4())
    gate.set()
    await _done(run)
    assert (await _done(await _begin(runner, None, conversation))).termination


async def test_the_same_ask_twice_is_one_turn(runner: Runner) -> None:
    conversation, client_id = uuid4(), uuid4()
    first = await in_db(turns.start, PERSON, conversation, QUESTION, client_id)
    again = await in_db(turns.start, PERSON, conversation, QUESTION, client_id)
    assert (again.turn.pk, again.is_new) == (first.turn.pk, False)
    assert await in_db(Turn.objects.count) == 1


async def test_nobody_asks_in_a_conversation_of_somebody_else(runner: Runner) -> None:
    turn = await _done(await _begin(runner))
    stranger = Person(visitor=uuid4())
    with pytest.raises(NotYours):
        await in_db(turns.start, stranger, turn.conversation_id, "Mine?", uuid4())
    with pytest.raises(NoSuchTurn):
        await in_db(turns.request_stop, stranger, turn.conversation_id, turn.pk)


async def test_a_question_that_could_not_be_screened_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(text: str) -> None:
        raise RuntimeError("no screen")

    monkeypatch.setattr(keeping, "redact", broken)
    with pytest.raises(RedactionFailed):
        await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4())
    assert await in_db(Conversation.objects.count) == 0


async def test_a_follow_up_sees_the_answers_that_passed_their_checks(runner: Runner) -> None:
    conversation = uuid4()
    await _done(await _begin(runner, None, conversation))
    failing = _scripted(answers=(Fails(),))
    failed = await _done(await _begin(runner, failing, conversation))
    assert failed.termination == Termination.MODEL_FAILED
    third = await in_db(turns.start, PERSON, conversation, "And by bank?", uuid4())
    assert [exchange.question for exchange in third.history] == [QUESTION]


async def test_a_defect_ends_the_turn_and_is_told(runner: Runner) -> None:
    broken = _scripted(answers=(Raises(RuntimeError("a defect")),))
    run = await _begin(runner, broken)
    turn = await _done(run)
    assert turn.termination == Termination.INTERRUPTED
    told = [event.body for event in run.log.shown if isinstance(event.body, Failure)]
    assert told == [BROKE]
    assert "a defect" not in told[0].message


async def test_the_end_is_tried_again_while_the_database_is_away(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, away = closing.finish, iter([True])

    def flaky(*args: Any) -> None:
        if next(away, False):
            raise OperationalError("gone")
        finish(*args)

    monkeypatch.setattr(closing, "finish", flaky)
    turn = await _done(await _begin(runner))
    assert turn.termination == Termination.ANSWERED
    assert await in_db(DecisionRecord.objects.filter(turn=turn).count) == 1


async def test_whatever_breaks_the_record_does_not_keep_a_turn_running_for_ever(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = iter([FileNotFoundError("a model's weights")])

    def versions() -> dict[str, str]:
        if (error := next(broken, None)) is not None:
            raise error
        return {"code": "test"}

    monkeypatch.setattr(runner, "versions", versions)
    turn = await _done(await _begin(runner))
    assert turn.termination == Termination.ANSWERED
    assert runner.runs == {}


async def test_a_turn_whose_process_died_is_run_again_from_its_question(runner: Runner) -> None:
    begun = await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4())
    started = TurnStarted(question=QUESTION, message=begun.turn.question_id, kind="ask")
    await in_db(insert, events([started, Token(offset=0, text="It ta")], turn=begun.turn.pk))
    await in_db(_abandon, begun.turn)
    await runner._take_over()
    run = runner.runs[begun.turn.pk]
    turn = await _done(run)
    assert (turn.termination, turn.attempt) == (Termination.ANSWERED, 2)
    rows = await stored(turn.pk)
    assert [e.body.TYPE for e in rows].count("turn_started") == 1
    withdrawn = next(e for e in rows if isinstance(e.body, DraftWithdrawn))
    assert withdrawn.seq > 1_000
    assert fold(rows).text == (await in_db(Message.objects.get, turn=turn)).text


async def test_a_turn_taken_over_counts_what_its_first_attempt_spent(runner: Runner) -> None:
    begun = await in_db(turns.start, PERSON, uuid4(), f"{QUESTION} a@b-example.org", uuid4())
    started = TurnStarted(question=begun.question, message=begun.turn.question_id, kind="ask")
    call = ModelCall(role="main", purpose="answer", model="scripted", tokens=Tokens(output=7))
    earlier = Retrieval.model_validate({"pass": 1, "query": "q", "asked": 6, "hits": (), "ms": 1.0})
    await in_db(insert, events([started, earlier, call], turn=begun.turn.pk))
    await in_db(_abandon, begun.turn)
    await runner._take_over()
    turn = await _done(runner.runs[begun.turn.pk])
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    scripted = record.facts["model_calls"]["main"]
    assert scripted["calls"] == 2  # the lost answer and the one that was given
    assert [each["pass"] for each in record.facts["passes"]] == [1]
    redaction = record.facts["controls"][0]
    assert (redaction["control"], redaction["outcome"]) == ("redaction", "acted")


async def test_one_turn_that_cannot_be_read_does_not_keep_the_others_waiting(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = [await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4()) for _ in range(2)]
    for begun in (broken, sound):
        await in_db(_abandon, begun.turn)
    resumed = turns.resumed

    def unreadable(turn: Turn) -> turns.Begun:
        if turn.pk == broken.turn.pk:
            raise ValueError("no such shape")
        return resumed(turn)

    monkeypatch.setattr(turns, "resumed", unreadable)
    await runner._take_over()
    assert (await _done(runner.runs[sound.turn.pk])).termination == Termination.ANSWERED


async def test_a_turn_that_can_never_be_read_is_given_up_and_its_conversation_is_free(
    runner: Runner,
) -> None:
    begun = await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4())
    turn = begun.turn
    unknown = {"turn": turn, "seq": 1, "at": timezone.now(), "type": "of another version"}
    await in_db(lambda: TurnEvent.objects.create(**unknown, data={}))
    turn.attempt = leases.MAX_ATTEMPTS
    await in_db(_abandon, turn)
    await runner._take_over()
    turn = await in_db(Turn.objects.get, pk=turn.pk)
    assert (turn.status, turn.termination) == (Turn.Status.FINISHED, Termination.INTERRUPTED)
    assert await in_db(DecisionRecord.objects.filter(turn=turn).exists)


async def test_a_lab_turn_of_a_dead_command_is_not_run_under_the_sites_own_settings(
    runner: Runner,
) -> None:
    begun = await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4())
    begun.turn.kind = "lab"
    await in_db(_abandon, begun.turn)
    await runner._take_over()
    assert (await _done(runner.runs[begun.turn.pk])).termination == Termination.INTERRUPTED


async def test_a_turn_that_dies_again_and_again_ends_as_interrupted(runner: Runner) -> None:
    begun = await in_db(turns.start, PERSON, uuid4(), QUESTION, uuid4())
    begun.turn.attempt = leases.MAX_ATTEMPTS
    await in_db(_abandon, begun.turn)
    await runner._take_over()
    turn = await _done(runner.runs[begun.turn.pk])
    assert turn.termination == Termination.INTERRUPTED
    assert fold(await stored(turn.pk)).failure == BROKE


async def test_a_process_that_lost_its_lease_writes_no_end(runner: Runner) -> None:
    gate = asyncio.Event()
    run = await _begin(runner, _scripted(answers=(Waits(gate, ANSWER, first="It"),)))
    await _until_shown(run, Token)
    await in_db(Turn.objects.filter(pk=run.begun.turn.pk).update, owner=uuid4())
    gate.set()
    turn = await _done(run)
    assert turn.status == Turn.Status.RUNNING
    assert await in_db(DecisionRecord.objects.count) == 0


async def test_a_clean_shutdown_hands_running_turns_on(runner: Runner) -> None:
    gate = asyncio.Event()
    run = await _begin(runner, _scripted(answers=(Waits(gate, ANSWER, first="It"),)))
    await _until_shown(run, Token)
    await runner.close()
    turn = await in_db(Turn.objects.get, pk=run.begun.turn.pk)
    assert (turn.status, turn.owner) == (Turn.Status.RUNNING, None)
    heir = Runner(ports=_scripted, versions=lambda: {})
    await heir._take_over()
    assert (await _done(heir.runs[turn.pk])).termination == Termination.ANSWERED
    await heir.close()


async def test_a_held_draft_is_never_shown_before_it_was_checked() -> None:
    runner = Runner(ports=_scripted, versions=lambda: {}, hold_draft=True)
    run = await _begin(runner)
    await _done(run)
    assert not [e for e in run.log.shown if isinstance(e.body, Token)]
    assert fold(run.log.shown).answer is not None
    await runner.close()


async def test_a_first_question_waits_for_what_is_still_being_loaded() -> None:
    """Half loaded, a control would run into its time limit and count as failed."""
    loaded = asyncio.Event()
    model = _scripted()
    runner = Runner(ports=lambda: model, versions=lambda: {}, ready=loaded.wait)
    run = await _begin(runner)
    await run.log.stored()
    assert [event.body.TYPE for event in run.log.shown] == ["turn_started"]
    loaded.set()
    assert (await _done(run)).termination == Termination.ANSWERED
    await runner.close()


async def test_the_last_event_carries_the_totals(runner: Runner) -> None:
    run = await _begin(runner)
    turn = await _done(run)
    end = run.log.shown[-1].body
    assert isinstance(end, TurnFinished)
    assert (end.model_calls, end.passes) == (turn.model_calls, turn.passes)
    assert end.tokens.total == turn.tokens > 0


def _abandon(turn: Turn) -> None:
    turn.owner, turn.lease_until = uuid4(), timezone.now() - timedelta(seconds=1)
    turn.save()


async def test_a_lab_turn_counts_as_nobodys_but_its_money_does(runner: Runner) -> None:
    talk = await in_db(lambda: Conversation.objects.create(is_lab=True))
    begun = await in_db(turns.start_lab, talk, QUESTION)
    dear = ports(ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=(ANSWER,), cost=0.5))
    names = ("turn_seconds_count", "model_seconds_count", "cost_usd_total")
    before = [_counted(name) for name in names]
    await _done(runner.begin(begun, dear))
    turn_count, calls, cost = (_counted(name) for name in names)
    assert (turn_count, calls) == tuple(before[:2])
    assert cost >= before[2] + 0.5


def _counted(name: str) -> float:
    """Over all roles."""
    samples = (each for metric in REGISTRY.collect() for each in metric.samples)
    return sum(each.value for each in samples if each.name == f"plumbline_{name}")
