"""Runs of the lab: what can be asked for, how work goes on after a kill, how it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from chat import lab, lab_questions, lab_runs, wiring
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.lab_reads import entries_of, groups_of, question_now, questions_of
from chat.lab_runs import RunRefused
from chat.lab_table import BadVariant, Entry, Variant
from chat.models import LabQuestion, LabRun, Pause, Turn
from tests import factories
from tests.doubles.models import ANSWERS, OFF_TOPIC, ON_TOPIC, VAGUE, Hangs, ScriptedModel, Waits
from tests.doubles.search import ListSearch

pytestmark = pytest.mark.django_db(transaction=True)

REAL = Variant(1, retrieval="hybrid")


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives the lab a model and a search of the test's own."""

    def given(model: ScriptedModel | None = None) -> ScriptedModel:
        spoken = model or ScriptedModel(grades={"refunds#timing": ANSWERS})
        search = ListSearch(factories.handbook())
        monkeypatch.setattr(wiring, "ports", lambda pace=None: factories.ports(spoken, search))
        monkeypatch.setattr(wiring, "search", lambda mode=None: search)
        return spoken

    monkeypatch.setattr(lab, "BEAT_EVERY", 0.02)
    given()
    return given


@pytest.fixture(autouse=True)
async def tidy() -> AsyncIterator[None]:
    yield
    await wiring.runner().close()


async def start(questions: str = "golden", *variants: Variant) -> LabRun:
    return await in_db(lab_runs.start, None, questions, variants or [Variant(0)])


async def again(run: LabRun) -> LabRun:
    return await in_db(LabRun.objects.get, pk=run.pk)


async def found(run: LabRun) -> tuple[Entry, ...]:
    return await in_db(entries_of, run)


def own(
    expects: str = "answered",
    chunks: tuple[str, ...] = ("refunds#timing",),
    text: str = factories.QUESTION,
) -> LabQuestion:
    turn = factories.turn(question=text, status="finished")
    return lab_questions.add_from(turn.pk, None, expects, chunks)


def left(run: LabRun, *, outcomes: int, owner: UUID | None = None, ago: int = 60) -> None:
    """As a killed process leaves a run behind."""
    run.status, run.owner, run.finished_at = "running", owner or uuid4(), None
    run.lease_until = timezone.now() - timedelta(seconds=ago)
    run.save()
    kept = run.outcomes.order_by("pk").values("pk")[:outcomes]
    run.outcomes.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


async def asked_for(model: ScriptedModel, purpose: str, times: int) -> None:
    """Wait until the model was asked so often."""
    while sum(asked.purpose == purpose for asked in model.asked) < times:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


# ---- what can be asked for


def test_a_run_waits_with_its_variants_and_the_questions_as_they_stand():
    question = own()
    run = lab_runs.start(factories.user("carol"), "own", [REAL, Variant(2, retrieval="hybrid")])
    assert (run.status, run.asked, run.total) == ("waiting", [question.pk], 2)
    assert [row.variant.bound for group in groups_of(run, ()) for row in group.rows] == [1, 2]


def test_what_is_not_in_the_set_any_more_is_not_asked():
    lab_questions.remove(own().pk)
    with pytest.raises(RunRefused, match="own set is empty"):
        lab_runs.start(None, "own", [REAL])


@pytest.mark.parametrize(
    ("questions", "variants", "words"),
    [
        ("others", [Variant(0)], "golden five or the own set"),
        ("golden", [], "at least one bound"),
        ("golden", [Variant(0), Variant(0)], "twice"),
        ("golden", [Variant(b, o, c) for b in range(5) for o in "eb" for c in (True, False)],
         "16 settings; these are 20"),
    ],
)  # fmt: skip
def test_nothing_or_too_much_is_refused_in_words(
    questions: str, variants: list[Variant], words: str
):
    with pytest.raises(RunRefused, match=words):
        lab_runs.start(None, questions, variants)
    assert not LabRun.objects.exists()


def test_more_than_two_hundred_questions_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lab_runs, "MAX_QUESTIONS", 1)
    own(), own()
    with pytest.raises(RunRefused, match="takes 1 questions; the set has 2"):
        lab_runs.start(None, "own", [REAL])


def test_the_golden_five_have_three_rewrites_and_real_ones_more():
    with pytest.raises(BadVariant, match="three rewrites"):
        lab_runs.start(None, "golden", [Variant(4)])
    assert lab_runs.start(None, "golden", [Variant(4, retrieval="hybrid")]).total == 5
    own()
    assert lab_runs.start(None, "own", [Variant(6)]).total == 1


def test_so_many_runs_may_wait_and_no_more():
    for _ in range(lab_runs.MAX_WAITING):
        lab_runs.start(None, "golden", [Variant(0)])
    with pytest.raises(RunRefused, match="8 runs wait"):
        lab_runs.start(None, "golden", [Variant(0)])
    lab_runs.stop(LabRun.objects.first().pk)
    lab_runs.start(None, "golden", [Variant(0)])


def test_the_ports_of_a_golden_question_are_those_of_its_variant():
    ports = lab.ports_of("refund", Variant(2, "budget", topic_check=False))
    given = ports.settings
    assert (given.max_rewrites, given.check_order, given.topic_check) == (2, "budget", False)
    assert ports.model.name == "golden"
    with pytest.raises(LookupError, match="no golden question"):
        lab.ports_of("rebate", Variant(0))


# ---- work


async def test_outcomes_come_one_by_one_until_the_run_is_done(speaks: Any):
    run = await start("golden", Variant(0), Variant(1))
    await lab_runs.work()
    run = await again(run)
    assert (run.status, run.owner) == ("done", None)
    assert run.finished_at is not None
    assert [entry.variant for entry in await found(run)] == [0] * 5 + [1] * 5


async def test_work_without_a_run_comes_back_at_once(speaks: Any):
    await lab_runs.work()


async def test_what_a_killed_process_began_goes_on_where_it_stopped(speaks: Any):
    run = await start()
    await lab_runs.work()
    first = (await found(run))[:2]
    await in_db(left, run, outcomes=2)
    await lab_runs.work()
    entries = await found(run)
    assert ((await again(run)).status, len(entries)) == ("done", 5)
    assert entries[:2] == first
    assert len({entry.outcome.question for entry in entries}) == 5


async def test_a_run_that_another_process_works_on_is_let_be(speaks: Any):
    run = await start()
    await in_db(left, run, outcomes=0, ago=-60)
    await lab_runs.work()
    assert await found(run) == ()


async def test_two_workers_at_once_ask_every_question_once(speaks: Any):
    run = await start("golden", Variant(0), Variant(1))
    await asyncio.gather(lab_runs.work(), lab_runs.work(), lab_runs.work())
    asked = [(entry.variant, entry.outcome.question) for entry in await found(run)]
    assert len(asked) == len(set(asked)) == 10
    assert await in_db(Turn.objects.filter(kind="lab").count) == 10


async def test_runs_take_turns_so_that_a_long_one_holds_nobody_up(
    speaks: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lab_runs, "SLICE", 0.0)
    runs = [await start(), await start()]
    await lab_runs.work()
    done = [await again(run) for run in runs]
    assert [run.status for run in done] == ["done", "done"]
    begun = await in_db(list, Turn.objects.filter(kind="lab").order_by("started_at"))
    of_first = {entry.outcome.turn for entry in await found(done[0])}
    assert [turn.pk in of_first for turn in begun][:6] == [True, False] * 3


async def test_a_stopped_run_stops_its_question_and_keeps_what_it_found(speaks: Any):
    gate = asyncio.Event()
    waits = ScriptedModel(
        grades={"refunds#timing": ANSWERS}, answers=("In ten days [1].", Waits(gate, "x [1]."))
    )
    speaks(waits)
    await in_db(own)
    run = await start("own", REAL, Variant(2, retrieval="hybrid"))
    working = asyncio.create_task(lab_runs.work())
    await asked_for(waits, "answer", 2)
    assert await in_db(lab_runs.stop, run.pk)
    await asyncio.wait_for(working, 20)
    run = await again(run)
    assert (run.status, len(await found(run))) == ("stopped", 1)
    last = await in_db(Turn.objects.filter(kind="lab").order_by("-started_at").first)
    assert (last.status, last.termination) == ("finished", "user_stop")
    assert not await in_db(lab_runs.stop, run.pk)
    await lab_runs.work()
    assert (await again(run)).status == "stopped"


async def test_a_question_that_never_comes_back_is_out_of_time_and_the_run_goes_on(
    speaks: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lab, "QUESTION_SECONDS", 0.05)
    speaks(ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=(Hangs(),)))
    await in_db(own)
    await in_db(own, "off_topic")
    run = await start("own", REAL)
    await lab_runs.work()
    run = await again(run)
    ends = [(entry.outcome.termination, entry.right) for entry in await found(run)]
    assert (run.status, ends) == ("done", [(Termination.USER_STOP, False)] * 2)


async def test_a_job_that_is_broken_off_stops_its_question_and_the_next_go_asks_it_again(
    speaks: Any,
):
    gate = asyncio.Event()
    waits = ScriptedModel(
        grades={"refunds#timing": ANSWERS}, answers=(Waits(gate, "x [1]."), "In ten days [1].")
    )
    speaks(waits)
    await in_db(own)
    run = await start("own", REAL)
    working = asyncio.create_task(lab_runs.work())
    await asked_for(waits, "answer", 1)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    await in_db(left, await again(run), outcomes=0)
    await lab_runs.work()
    run = await again(run)
    ends = [entry.outcome.ending for entry in await found(run)]
    assert (run.status, ends) == ("done", ["answered"])


async def test_a_run_that_breaks_says_so_and_the_next_one_is_worked_on(
    speaks: Any, monkeypatch: pytest.MonkeyPatch
):
    broken, fine = await start("golden", Variant(0, "budget")), await start()
    made = lab.ports_of

    def breaks(golden: str, variant: Variant) -> Any:
        if variant.order == "budget":
            raise KeyError("x")
        return made(golden, variant)

    monkeypatch.setattr(lab, "ports_of", breaks)
    await lab_runs.work()
    broken, fine = await again(broken), await again(fine)
    assert (broken.status, broken.problem) == ("failed", "It broke: KeyError.")
    assert fine.status == "done"


async def test_a_run_that_has_not_ended_in_a_day_is_given_up(speaks: Any):
    run = await start()
    old = timezone.now() - timedelta(days=1, minutes=1)
    await in_db(LabRun.objects.filter(pk=run.pk).update, created_at=old)
    await lab_runs.work()
    run = await again(run)
    assert (run.status, await found(run)) == ("failed", ())
    assert "longer than a day" in run.problem


# ---- the own set


async def test_each_end_is_held_against_what_it_should_be_and_passages_are_counted(speaks: Any):
    speaks(
        ScriptedModel(grades={"refunds#timing": ANSWERS}, topics=(ON_TOPIC, ON_TOPIC, OFF_TOPIC))
    )
    await in_db(own, "answered", ("refunds#timing", "refunds#never"))
    await in_db(own, "no_results", ())
    await in_db(own, "off_topic", ())
    run = await start("own", REAL)
    await lab_runs.work()
    run = await again(run)
    entries = await found(run)
    assert [(e.outcome.ending, e.right, e.accepted, e.wanted) for e in entries] == [
        ("answered", True, 1, 2),
        ("answered", False, 0, 0),
        ("off_topic", True, 0, 0),
    ]
    (row,) = groups_of(run, entries)[0].rows
    assert (row.right, row.answered, row.off_topic) == (2, 2, 1)


async def test_the_variant_reaches_the_real_settings(speaks: Any):
    model = speaks(ScriptedModel(grades={}))
    await in_db(own)
    await start("own", Variant(2, "budget", topic_check=False, retrieval="vector"))
    await lab_runs.work()
    purposes = [asked.purpose for asked in model.asked]
    assert purposes.count("rewrite") == 2
    assert "classify_topic" not in purposes


async def test_a_question_that_was_taken_out_meanwhile_is_not_asked(speaks: Any):
    kept, gone = await in_db(own), await in_db(own)
    run = await start("own", REAL)
    await in_db(lab_questions.remove, gone.pk)
    added = await in_db(own)
    await lab_runs.work()
    run = await again(run)
    entries = await found(run)
    assert [entry.outcome.question for entry in entries] == [str(kept.pk)]
    assert (run.status, groups_of(run, entries)[0].is_whole) == ("done", True)
    assert await in_db(question_now, run, str(gone.pk)) is None
    assert str(added.pk) not in await in_db(questions_of, run)


async def test_a_lab_turn_of_the_own_set_can_be_found_by_its_title(speaks: Any):
    question = await in_db(own)
    await start("own", REAL)
    await lab_runs.work()
    turn = await in_db(Turn.objects.select_related("conversation").get, kind="lab")
    assert turn.conversation.title == f"Lab question {question.pk}: 1 rewrite, evidence first"
    assert turn.conversation.is_lab


async def test_nobody_is_asked_anything_in_the_lab(speaks: Any):
    speaks(ScriptedModel(grades={"refunds#timing": ANSWERS}, clarities=(VAGUE,)))
    await in_db(own)
    run = await start("own", REAL)
    await lab_runs.work()
    assert (await again(run)).status == "done"
    assert not await in_db(Pause.objects.exists)


def test_a_run_of_erased_questions_still_shows_its_table():
    question = own()
    run = lab_runs.start(None, "own", [REAL])
    LabQuestion.objects.filter(pk=question.pk).update(question="")
    assert questions_of(run) == {}
    assert groups_of(run, ())[0].rows[0].asked == 1
