"""The job makes what is due: its costs, its batches, its stops, and what a killed process left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal
from uuid import uuid4

import pytest
from django.utils import timezone

from chat import counters, reruns, wiring
from chat import runner as runner_module
from chat.contracts.ports import LanguageModel
from chat.db import in_db
from chat.models import Conversation, Rerun, Tape, Turn
from chat.reruns import leasing, making, working
from tests import rerunning
from tests.corpus import take_in_the_handbook
from tests.doubles.models import ANSWERS, Fails, ScriptedModel, Waits
from tests.rerunning import again, asked, batch, called, flip, golden, wanted

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "How long does a refund take?"
ANSWER = "Refunds reach the card within 5 to 10 business days [1]."
TIMING = "refunds#refund-timing"


@dataclass
class Speaker:
    """Who speaks for the site: a test may put somebody else in its place."""

    model: LanguageModel = field(default_factory=lambda: scripted())


def scripted(**scripts: Any) -> ScriptedModel:
    return ScriptedModel(**({"grades": {TIMING: ANSWERS}, "answers": (ANSWER,)} | scripts))


@pytest.fixture(autouse=True)
def handbook() -> Iterator[None]:
    take_in_the_handbook()
    yield


@pytest.fixture
def speaker(monkeypatch: pytest.MonkeyPatch) -> Speaker:
    made = Speaker()
    monkeypatch.setattr(wiring, "model", lambda pace=None: made.model)
    monkeypatch.setattr(runner_module, "STOP_EVERY", 0.01)
    return made


def untaped(question: str = QUESTION) -> Turn:
    """A turn of which nothing can be reused."""
    turn = asked(question)
    Tape.objects.all().delete()
    return turn


def run(*work: Any) -> list[Any]:
    return rerunning.run(*work)


def test_only_what_is_new_costs(speaker: Speaker) -> None:
    source = asked(QUESTION)
    rerun = again(source, retrieval="exact")
    paid = [line for line in rerun.ledger if line["cost"]]
    assert paid
    assert not any(line["reused"] for line in paid)
    assert float(rerun.cost) == pytest.approx(0.001 * len(paid))
    assert rerun.turn is not None
    assert float(rerun.turn.cost) == pytest.approx(0.001 * rerun.turn.model_calls)


def test_a_turn_without_a_tape_is_called_whole_and_that_is_said(speaker: Speaker) -> None:
    source = untaped()
    rerun = again(source)
    assert (rerun.reused, rerun.flips) == (0, [])
    assert any("Everything is called anew." in note for note in reruns.notes(rerun))


def test_a_rerun_is_counted_once_and_its_calls_are_not(speaker: Speaker) -> None:
    source = asked(QUESTION)
    turns = counters.TURNS.labels("answered")._value.get()
    calls = counters.MODEL_CALLS.labels("grader", "ok")._value.get()
    same = counters.RERUNS.labels("same")._value.get()
    again(source)
    assert counters.TURNS.labels("answered")._value.get() == turns
    assert counters.MODEL_CALLS.labels("grader", "ok")._value.get() == calls
    assert counters.RERUNS.labels("same")._value.get() == same + 1


def test_a_batch_is_made_with_what_flipped_and_the_links_to_it() -> None:
    turns = [golden(), golden("refund"), golden("weather")]
    made = batch(turns, check_order="budget")
    run(reruns.work)
    progress = reruns.batch_progress(made)
    assert (progress.status, progress.done, progress.flipped) == ("done", 3, 1)
    (flipped,) = made.reruns.filter(is_flipped=True)
    assert flipped.source == turns[0]
    assert flip(flipped, "termination") == ("answered", "no_evidence")


def test_a_batch_stops_at_its_limit(speaker: Speaker) -> None:
    turns = [untaped() for _ in range(3)]
    made = reruns.ask(
        None, [turn.pk for turn in turns], reruns.change_from({"max_rewrites": 0}), cost_limit=0.005
    )
    run(reruns.work)
    assert not isinstance(made, Rerun)
    progress = reruns.batch_progress(made)
    assert (progress.status, progress.done, progress.stopped) == ("stopped", 1, 2)
    assert "limit" in progress.problem


def test_a_model_that_is_away_fails_a_rerun_and_flips_nothing(speaker: Speaker) -> None:
    source = untaped()
    speaker.model = scripted(answers=(Fails(),))
    rerun = wanted(source)
    run(reruns.work)
    rerun.refresh_from_db()
    assert (rerun.status, rerun.problem) == ("failed", "The model gave no answer.")


class Gate(asyncio.Event):
    """Never opens. `reached` is set once somebody waits at it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self.reached.set()
        return await super().wait()


def hanging(speaker: Speaker, gate: Gate) -> Rerun:
    """A re-run whose answer never comes."""
    source = untaped()
    speaker.model = scripted(answers=(Waits(gate, ANSWER, first="Refunds"),))
    return wanted(source)


async def until_nothing_runs() -> None:
    for left in list(wiring.runner().runs.values()):
        assert left.task is not None
        await asyncio.wait_for(left.task, 20)


def test_a_rerun_is_stopped_while_it_writes(speaker: Speaker) -> None:
    gate = Gate()
    rerun = hanging(speaker, gate)

    async def work() -> None:
        job = asyncio.create_task(reruns.work())
        await asyncio.wait_for(gate.reached.wait(), 20)
        await in_db(reruns.stop, rerun)
        await asyncio.wait_for(job, 20)

    run(work)
    rerun.refresh_from_db()
    assert rerun.status == "stopped"
    assert rerun.turn is not None
    assert (rerun.turn.status, rerun.turn.termination) == ("finished", "user_stop")
    assert rerun.called > 0


def test_one_that_takes_too_long_is_ended_and_says_so(
    speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    rerun = hanging(speaker, Gate())
    monkeypatch.setattr(working, "LONGEST", 0.3)
    run(reruns.work)
    rerun.refresh_from_db()
    assert rerun.status == "failed"
    assert "took longer than" in rerun.problem
    assert rerun.turn is not None
    assert rerun.turn.status == "finished"


def test_a_job_that_is_broken_off_leaves_no_turn_running(speaker: Speaker) -> None:
    gate = Gate()
    rerun = hanging(speaker, gate)

    async def work() -> None:
        job = asyncio.create_task(reruns.work())
        await asyncio.wait_for(gate.reached.wait(), 20)
        job.cancel()
        await asyncio.wait({job}, timeout=20)
        await until_nothing_runs()

    run(work)
    rerun.refresh_from_db()
    assert rerun.turn is not None
    assert rerun.turn.status == "finished"
    assert rerun.status == "running"  # until its lease runs out, and it is made anew


def test_one_whose_process_was_killed_is_made_anew_and_the_half_of_it_goes() -> None:
    rerun = wanted(golden(), check_order="budget")
    assert leasing.take() == rerun
    half = making.prepare(rerun.pk).begun.turn
    past = timezone.now() - timedelta(seconds=1)
    Turn.objects.filter(pk=half.pk).update(owner=uuid4(), lease_until=past)
    Rerun.objects.update(owner=uuid4(), lease_until=past)
    run(reruns.work)
    rerun.refresh_from_db()
    assert (rerun.status, rerun.owner, rerun.turn) == ("running", None, half)  # tried again soon
    Rerun.objects.update(lease_until=past)

    async def keep_and_work() -> None:
        await wiring.runner()._take_over()
        await until_nothing_runs()
        await reruns.work()

    run(keep_and_work)
    rerun.refresh_from_db()
    half.refresh_from_db()
    assert (half.termination, half.question.text) == ("interrupted", "")
    assert half.erased_at is not None
    assert rerun.turn != half
    assert (rerun.status, flip(rerun, "calls")) == ("done", (10, 9))


def test_what_another_process_took_meanwhile_is_left_alone() -> None:
    rerun = wanted(golden())
    leasing.take()
    Rerun.objects.update(owner=uuid4())
    with pytest.raises(making.Lost):
        making.prepare(rerun.pk)
    assert not Turn.objects.filter(kind="rerun").exists()


def test_a_turn_about_health_stays_one(speaker: Speaker) -> None:
    source = untaped()
    Turn.objects.update(is_sensitive=True)
    rerun = Rerun.objects.create(source=source)
    run(reruns.work)
    rerun.refresh_from_db()
    assert rerun.turn is not None
    assert rerun.turn.is_sensitive
    assert not Tape.objects.exists()
    assert called(rerun)


def test_no_conversation_of_a_person_grows(speaker: Speaker) -> None:
    source = asked(QUESTION)
    again(source)
    talk = Conversation.objects.get(pk=source.conversation_id)
    assert talk.turns.count() == 1
    assert talk.messages.count() == 2
    assert talk.records.count() == 1
