"""The tape of a turn as a row: kept with its end and its pause, and never in the turn's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError

from chat import branches, counters, pauses, tapes, turns
from chat.contracts.events import ModelCall, Token, TurnFinished
from chat.contracts.tasks import Draft, Image, Pause, PauseReply, ToolCall
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.db import in_db
from chat.event_rows import stored
from chat.models import Tape, Turn
from chat.runner import Runner
from chat.runs import Run
from chat.taping import SCHEMA
from tests import factories, pausing
from tests.doubles.models import ANSWERS, Fails, ScriptedModel, Waits
from tests.doubles.tools import Tools
from tests.factories import QUESTION, ports
from tests.pausing import VERSIONS, asks_back, made, rested, waiting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    pausing.without_keeper(monkeypatch)


@pytest.fixture
async def runner() -> AsyncIterator[Runner]:
    here = made()
    yield here
    await here.close()


async def ended(runner: Runner, question: str = QUESTION) -> Turn:
    turn = await rested(await pausing.begun(runner, question))
    assert turn.status == Turn.Status.FINISHED
    return turn


def methods(heard: tapes.Heard | None) -> list[str]:
    assert heard is not None
    return [call["method"] for call in heard.calls]


def outcomes() -> dict[str, float]:
    return {
        outcome: counters.TAPES.labels(outcome)._value.get()
        for outcome in ("kept", "too_large", "failed")
    }


async def tape_of(turn: Turn) -> tapes.Heard | None:
    return await in_db(tapes.of, turn.pk)


def answering(*answers: Any, **scripts: Any) -> Runner:
    grades = {"refunds#timing": ANSWERS}
    return made(
        ports(ScriptedModel(grades=grades, answers=answers or ("Ten days [1].",), **scripts))
    )


# ---- kept


async def test_a_turn_leaves_its_tape_with_every_call_that_it_made() -> None:
    turn = await ended(answering())
    heard = await tape_of(turn)
    assert methods(heard)[:3] == ["classify_topic", "route", "search"]
    assert heard is not None
    calls = [event.body for event in await stored(turn.pk) if isinstance(event.body, ModelCall)]
    told = [call["call"] for call in heard.calls if "call" in call]
    assert told == [body.model_dump(mode="json") for body in calls]


async def test_the_setting_says_how_the_turn_was_run() -> None:
    heard = await tape_of(await ended(made(ports(ScriptedModel(), max_rewrites=1))))
    assert heard is not None
    assert heard.setting["settings"]["max_rewrites"] == 1
    assert (heard.setting["model"], heard.setting["prompts"]) == ("scripted", "scripted-1")
    assert heard.setting["code"] == VERSIONS["code"]


async def test_passages_stand_by_name_in_what_was_given() -> None:
    heard = await tape_of(await ended(answering()))
    assert heard is not None
    graded = next(call for call in heard.calls if call["method"] == "grade")
    named = {"chunk", "document", "version"}
    assert set(graded["given"]["passage"]) == named


async def test_a_turn_that_waits_has_the_tape_of_what_it_heard_so_far(runner: Runner) -> None:
    turn = await waiting(runner)
    assert methods(await tape_of(turn))[-1] == "detect_ambiguity"


async def test_after_the_reply_the_tape_goes_on_behind_what_was_kept(runner: Runner) -> None:
    turn = await waiting(runner)
    before = methods(await tape_of(turn))
    await rested(runner.resume(await pausing.answered(turn)))
    heard = await tape_of(turn)
    assert methods(heard)[: len(before) + 2] == [*before, "ask", "standalone"]
    assert methods(heard)[-1] in ("answer", "check")


async def test_what_the_person_said_is_kept_without_the_key_of_the_pause(runner: Runner) -> None:
    turn = await waiting(runner)
    pause = await pausing.pause_of(turn)
    await rested(runner.resume(await pausing.answered(turn, "Refunds")))
    heard = await tape_of(turn)
    assert heard is not None
    asked = next(call for call in heard.calls if call["kind"] == "ask")
    assert (asked["came"]["text"], asked["came"]["key"]) == ("Refunds", "")
    assert str(pause.pk) not in repr(heard.calls)


async def test_a_turn_that_a_stop_ends_while_it_waits_keeps_its_tape(runner: Runner) -> None:
    turn = await waiting(runner)
    await in_db(turns.request_stop, pausing.PERSON, turn.conversation_id, turn.pk)
    assert await tape_of(turn) is not None


async def test_a_turn_that_begins_again_has_a_new_tape(runner: Runner) -> None:
    turn = await waiting(runner)
    left = await pausing.answered(turn)
    anew = pauses.Resumption(left.begun, left.events, None)
    await rested(runner.resume(anew, died=True))
    assert methods(await tape_of(turn)).count("classify_topic") == 1


async def test_a_fault_is_kept_and_what_was_shown_before_it() -> None:
    turn = await ended(answering(Fails("cut_stream", after="It takes ")))
    heard = await tape_of(turn)
    assert heard is not None
    last = heard.calls[-1]
    assert last["fault"] == {"type": "model", "reason": "cut_stream"}
    assert last["wrote"] == "It takes "


# ---- in nobody's way


async def test_a_tape_that_cannot_be_written_is_counted_and_the_turn_ends_as_it_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tapes, "FIRST", "INSERT INTO chat_no_such_table VALUES (%(turn)s)")
    before = outcomes()
    turn = await ended(answering())
    assert isinstance((await stored(turn.pk))[-1].body, TurnFinished)
    assert (turn.termination, await tape_of(turn)) == ("answered", None)
    assert outcomes() == before | {"failed": before["failed"] + 1}


async def test_a_pause_whose_tape_cannot_be_written_waits_all_the_same(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "FIRST", "SELECT broken")
    turn = await waiting(runner)
    ended_ = await rested(runner.resume(await pausing.answered(turn)))
    assert (ended_.status, await tape_of(turn)) == (Turn.Status.FINISHED, None)


async def test_ports_that_cannot_be_heard_run_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any) -> Any:
        raise DatabaseError

    monkeypatch.setattr(tapes, "setting_of", broken)
    before = outcomes()
    turn = await ended(answering())
    assert (turn.termination, await tape_of(turn)) == ("answered", None)
    assert outcomes()["failed"] == before["failed"] + 1


async def test_a_tape_that_is_too_large_is_not_kept_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tapes, "LARGEST", 100)
    before = outcomes()
    turn = await ended(answering())
    assert await tape_of(turn) is None
    assert "too large" in await in_db(tapes.why_none, turn)
    assert (await in_db(Tape.objects.get, turn=turn)).calls == []
    assert outcomes()["too_large"] == before["too_large"] + 1


async def test_both_halves_of_a_tape_count_for_its_size(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await waiting(runner)
    half = len(repr((await in_db(Tape.objects.get, turn=turn)).calls))
    monkeypatch.setattr(tapes, "LARGEST", 4 * half)
    turn = await rested(runner.resume(await pausing.answered(turn)))
    assert await tape_of(turn) is None
    assert "too large" in await in_db(tapes.why_none, turn)


@pytest.mark.parametrize("text", ["refund\x00days", "broken \ud800"])
def test_a_text_that_no_database_takes_costs_one_call_and_not_the_tape(text: str) -> None:
    turn = factories.turn()
    _, recording = tapes.recorded(asks_back(), is_sensitive=False)
    assert recording is not None
    pause = Pause(kind="clarification", question="What is it about?")
    recording.recorder.replied(pause, PauseReply(text="Refunds"))
    recording.recorder.replied(pause, PauseReply(text=text))
    tapes.keep(turn.pk, recording)
    heard = tapes.of(turn.pk)
    assert heard is not None
    assert heard.calls[0]["came"]["text"] == "Refunds"
    assert heard.calls[1]["fault"] == {"type": "unstorable"}
    assert heard.calls[1]["key"] == heard.calls[0]["key"]


async def test_a_tape_of_another_schema_is_not_used() -> None:
    turn = await ended(answering())
    await in_db(Tape.objects.filter(turn=turn).update, schema=SCHEMA + 1)
    assert await tape_of(turn) is None
    assert "another version" in await in_db(tapes.why_none, turn)


# ---- whose words are not kept


async def test_a_turn_about_somebodys_health_has_none() -> None:
    turn = await ended(answering(), "I have epilepsy, how long does a refund take?")
    assert not await in_db(Tape.objects.exists)
    assert "health" in await in_db(tapes.why_none, turn)


async def test_a_reply_about_health_takes_the_tape_away_that_was_kept(runner: Runner) -> None:
    turn = await waiting(runner)
    left = await pausing.answered(turn, "It is about my epilepsy, I have had it for years")
    assert not await in_db(Tape.objects.exists)
    await rested(runner.resume(left))
    assert not await in_db(Tape.objects.exists)


async def test_a_vote_about_health_takes_it_away() -> None:
    turn = await ended(answering())
    vote = branches.Vote("down", note="I have epilepsy and this is no help")
    await in_db(branches.give_feedback, pausing.PERSON, turn.conversation_id, turn.pk, vote)
    assert not await in_db(Tape.objects.exists)


def test_a_turn_that_was_marked_meanwhile_gets_none() -> None:
    turn = factories.turn(is_sensitive=True)
    tapes.keep(turn.pk, tapes.recorded(asks_back(), is_sensitive=False)[1])
    assert not Tape.objects.exists()


# ---- without personal data

ARGUMENTS = {"subject": "Refund for robin@cage-example.org", "description": "Call me"}


async def test_arguments_that_a_model_wrote_are_kept_as_the_turn_keeps_them() -> None:
    call = ToolCall(id="1", tool="open_ticket", arguments=ARGUMENTS)
    model = ScriptedModel(answers=(Draft(text="", calls=(call,)),))
    given = ports(model, clock=model.clock, others={"tools": Tools()})
    turn = await waiting(made(given), "Please open a ticket about this.")
    heard = await tape_of(turn)
    assert heard is not None
    (said,) = [each["came"] for each in heard.calls if each["method"] == "answer"]
    assert said["calls"][0]["arguments"]["subject"] == "Refund for [email]"


async def test_what_a_judge_says_is_kept_without_what_it_saw() -> None:
    told = "held by robin@cage-example.org"
    verdict = ClaimVerdict(
        text=told, label="ten days", basis=Basis.SOURCE, supported=True, by="judge", reason=told
    )
    heard = await tape_of(await ended(answering(checks=((verdict,),))))
    assert heard is not None
    assert "robin@" not in repr(heard.calls)
    assert "held by [email]" in repr(heard.calls)


async def test_a_draft_that_saw_a_picture_is_kept_without_what_was_in_it() -> None:
    picture = Image(name="screen.png", media_type="image/png", data="QUJD")
    model = ScriptedModel(
        grades={"refunds#timing": ANSWERS}, answers=("Write to robin@cage-example.org [1].",)
    )
    given = ports(model, clock=model.clock, others={"images": (picture,)})
    heard = await tape_of(await ended(made(given)))
    assert heard is not None
    assert "Write to [email]" in repr(heard.calls)
    assert "robin@" not in repr(heard.calls)
    assert "QUJD" not in repr(heard.calls)


async def test_a_stopped_call_is_kept_as_left_with_what_was_shown() -> None:
    runner = answering(Waits(asyncio.Event(), "x", first="It "))
    run = await pausing.begun(runner, QUESTION)
    await until_shown(run)
    runner.stop(run.begun.turn.pk)
    heard = await tape_of(await rested(run))
    assert heard is not None
    assert heard.calls[-1]["fault"] == {"type": "left"}
    assert heard.calls[-1]["wrote"] == "It "


async def until_shown(run: Run) -> None:
    async with asyncio.timeout(20):
        async for batch in run.log.read(0, staff=True):
            if any(isinstance(event.body, Token) for event in batch):
                return


def test_no_turn_has_no_tape() -> None:
    assert tapes.of(UUID(int=1)) is None
