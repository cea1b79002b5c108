"""What a run of the lab costs: it stops at its limit, all that was spent counts, and what is said
before it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from chat import lab, lab_questions, lab_runs, wiring
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.lab_costs import BadLimit, Rough, in_dollars, rough, spent, with_cost
from chat.lab_reads import entries_of
from chat.lab_table import Variant
from chat.leases import PROCESS
from chat.models import LabOutcome, LabRun, Turn, VersionSet
from tests import factories
from tests.doubles.models import ANSWERS, ScriptedModel, Waits
from tests.doubles.search import ListSearch
from tests.lab_pages import lab_turn, outcome

pytestmark = pytest.mark.django_db(transaction=True)

REAL = Variant(1, retrieval="hybrid")
DEARER = Variant(2, retrieval="hybrid")
TIMING = "refunds#timing"
PRICES = MappingProxyType({"m": {"input": 1.0}, "judge": {"input": 1.0}})


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives the lab a model that costs 0.001 dollars a call."""

    def given(*answers: Any) -> ScriptedModel:
        model = ScriptedModel(grades={TIMING: ANSWERS}, answers=answers or ("In ten days [1].",))
        search = ListSearch(factories.handbook())
        monkeypatch.setattr(wiring, "ports", lambda pace=None: factories.ports(model, search))
        monkeypatch.setattr(wiring, "search", lambda mode=None: search)
        return model

    monkeypatch.setattr(lab, "BEAT_EVERY", 0.02)
    given()
    return given


@pytest.fixture(autouse=True)
async def tidy() -> AsyncIterator[None]:
    yield
    await wiring.runner().close()


def endpoint(settings: Any, monkeypatch: pytest.MonkeyPatch, **changed: Any) -> None:
    """The site has a model at an endpoint, with prices."""
    own = {"llm_model": "m", "llm_prices": PRICES, "llm_grader_model": ""} | changed
    settings.PLUMBLINE = replace(settings.PLUMBLINE, **own)
    monkeypatch.setattr(wiring, "model", lambda pace=None: ScriptedModel())


def own_set(count: int) -> None:
    for _ in range(count):
        turn = factories.turn(status="finished")
        lab_questions.add_from(turn.pk, None, "answered", [TIMING])


async def asked_for(model: ScriptedModel, purpose: str) -> None:
    """Wait until the model was asked."""
    while not any(asked.purpose == purpose for asked in model.asked):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


# ---- the limit


async def test_a_run_stops_at_its_limit_says_so_and_keeps_what_it_found(speaks: Any):
    await in_db(own_set, 3)
    run = await in_db(lab_runs.start, None, "own", [REAL, DEARER], cost_limit="0.005")
    await lab_runs.work()
    run = await in_db(LabRun.objects.get, pk=run.pk)
    entries = await in_db(entries_of, run)
    assert (run.status, run.problem) == ("stopped", "It reached its limit of $0.005.")
    assert 0 < len(entries) < 6
    cost = await in_db(spent, run.pk)
    assert cost >= Decimal("0.005")
    assert sum(entry.outcome.cost for entry in entries[:-1]) < 0.005
    assert run.finished_at is not None


async def test_a_run_whose_last_question_reaches_the_limit_is_done(speaks: Any):
    await in_db(own_set, 1)
    run = await in_db(lab_runs.start, None, "own", [REAL], cost_limit="0.001")
    await lab_runs.work()
    run = await in_db(LabRun.objects.get, pk=run.pk)
    assert (run.status, run.problem) == ("done", "")
    assert await in_db(spent, run.pk) > Decimal("0.001")


async def test_what_the_turn_of_a_killed_process_cost_counts_before_the_next_one_begins(
    speaks: Any,
):
    run = await in_db(lab_runs.start, None, "golden", [Variant(0)], cost_limit=1)
    await in_db(lab_turn, run, "1.2", termination="interrupted")
    await lab_runs.work()
    run = await in_db(LabRun.objects.get, pk=run.pk)
    assert (run.status, run.problem) == ("stopped", "It reached its limit of $1.00.")
    assert await in_db(run.outcomes.count) == 0
    assert await in_db(Turn.objects.filter(kind="lab").count) == 1


async def test_what_a_question_cost_that_was_stopped_counts_though_it_has_no_outcome(speaks: Any):
    model = speaks(Waits(asyncio.Event(), "x [1]."))
    await in_db(own_set, 1)
    run = await in_db(lab_runs.start, None, "own", [REAL])
    working = asyncio.create_task(lab_runs.work())
    await asked_for(model, "answer")
    assert await in_db(lab_runs.stop, run.pk)
    await asyncio.wait_for(working, 20)
    assert await in_db(entries_of, run) == ()
    turn = await in_db(Turn.objects.get, kind="lab")
    assert turn.cost > 0
    assert await in_db(spent, run.pk) == turn.cost


async def test_a_question_that_ran_out_of_time_counts_with_what_it_cost(
    speaks: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lab, "QUESTION_SECONDS", 0.3)
    speaks(Waits(asyncio.Event(), "x [1]."))
    await in_db(own_set, 1)
    run = await in_db(lab_runs.start, None, "own", [REAL])
    await lab_runs.work()
    (entry,) = await in_db(entries_of, run)
    assert entry.outcome.termination == Termination.USER_STOP
    assert await in_db(spent, run.pk) == Decimal(str(round(entry.outcome.cost, 6))) > 0


@pytest.mark.parametrize("limit", ["0", "-1", "1000.01", "NaN", "Infinity", "much", None])
def test_a_limit_that_is_none_is_refused(limit: Any):
    with pytest.raises(BadLimit, match=r"above 0 and at most 1,000 US dollars"):
        lab_runs.start(None, "golden", [Variant(0)], cost_limit=limit)
    assert not LabRun.objects.exists()


def test_a_limit_is_written_in_dollars_with_no_digit_less_than_was_given():
    given = {"1": "1.00", "0.5": "0.50", "1000": "1,000.00", "0.005": "0.005", "2.000000": "2.00"}
    assert {limit: in_dollars(Decimal(limit)) for limit in given} == given


# ---- rows


def test_a_button_that_was_pressed_twice_asks_once():
    carol = factories.user("carol")
    run = lab_runs.start(carol, "golden", [Variant(0)])
    assert lab_runs.start(carol, "golden", [Variant(0)]) == run
    assert lab_runs.start(carol, "golden", [Variant(1)]) != run
    assert lab_runs.start(factories.user("dave"), "golden", [Variant(0)]) != run
    lab_runs.stop(run.pk)
    assert lab_runs.start(carol, "golden", [Variant(0)]) != run


def test_an_outcome_that_is_written_twice_stands_once():
    run = lab_runs.start(None, "golden", [Variant(0)])
    LabRun.objects.filter(pk=run.pk).update(status="running", owner=PROCESS)
    first = lab_turn(run, termination="answered")
    for turn in (first, first, lab_turn(run, termination="no_evidence")):
        lab_runs._keep(LabOutcome(run=run, variant=0, question="export", turn=turn))
    assert [entry.outcome.turn for entry in entries_of(run)] == [first.pk]


def test_an_outcome_of_a_run_that_is_anothers_is_not_written():
    run = lab_runs.start(None, "golden", [Variant(0)])
    with pytest.raises(lab_runs.Lost):
        lab_runs._keep(LabOutcome(run=run, variant=0, question="export", turn=lab_turn(run)))
    assert entries_of(run) == ()


def test_a_turn_that_has_not_ended_is_an_interrupted_outcome_until_it_has():
    run = lab_runs.start(None, "golden", [Variant(0)])
    turn = lab_turn(run, "0", status="running")
    LabOutcome.objects.create(run=run, variant=0, question="export", turn=turn)
    (entry,) = entries_of(run)
    assert entry.outcome.termination == Termination.INTERRUPTED
    Turn.objects.filter(pk=turn.pk).update(termination="time_cap", model_calls=7, cost="0.5")
    (entry,) = entries_of(run)
    assert (entry.outcome.termination, entry.outcome.calls) == (Termination.TIME_CAP, 7)
    assert spent(run.pk) == Decimal("0.5")


def test_outcomes_come_in_one_statement_and_the_costs_of_runs_too(
    django_assert_num_queries: Any,
):
    runs = [lab_runs.start(None, "golden", [Variant(bound)]) for bound in range(3)]
    for number, run in enumerate(runs):
        for _ in range(number):
            outcome(run, 0, f"q{run.outcomes.count()}", Termination.ANSWERED, 4)
    with django_assert_num_queries(1):
        assert len(entries_of(runs[2])) == 2
    with django_assert_num_queries(1):
        costs = {run.pk: run.cost for run in with_cost(LabRun.objects.all())}
    assert [costs[run.pk] for run in runs] == [0, Decimal("0.0004"), Decimal("0.0008")]


# ---- what is said beforehand


def test_the_offline_model_costs_nothing_whatever_was_paid_before():
    lab_turn(lab_runs.start(None, "golden", [Variant(0)]), "0.5")
    assert rough("golden", 5, [Variant(0), Variant(1)]) == Rough(5, 2, "offline")


def test_a_model_without_a_price_is_named(settings: Any, monkeypatch: pytest.MonkeyPatch):
    endpoint(settings, monkeypatch, llm_grader_model="g", llm_judge_model="judge")
    told = rough("golden", 5, [Variant(0)])
    assert (told.told, told.models, told.cost) == ("unpriced", ("g",), 0)


def test_earlier_runs_of_the_kind_say_what_a_turn_costs(
    settings: Any, monkeypatch: pytest.MonkeyPatch
):
    endpoint(settings, monkeypatch)
    with_stand_ins = lab_runs.start(None, "golden", [Variant(0)])
    real = lab_runs.start(None, "golden", [REAL])
    of_nothing = lab_runs.start(None, "golden", [DEARER])
    for run, costs in ((with_stand_ins, ("0.01",)), (real, ("0.1", "0.3")), (of_nothing, ("0",))):
        for cost in costs:
            lab_turn(run, cost)
    assert rough("golden", 5, [Variant(0), Variant(1)]) == Rough(5, 2, "runs", 0.01)
    assert rough("golden", 5, [Variant(0), Variant(1)]).cost == pytest.approx(0.1)
    assert rough("golden", 5, [REAL]) == Rough(5, 1, "runs", 0.2)
    assert rough("own", 5, [REAL]).told == "nothing"


def test_without_such_runs_peoples_turns_with_the_model_of_today_do(
    settings: Any, monkeypatch: pytest.MonkeyPatch
):
    endpoint(settings, monkeypatch)
    today = VersionSet.objects.create(digest="a", values={"model": "scripted"})
    before = VersionSet.objects.create(digest="b", values={"model": "another"})
    for cost, versions in (("0.02", today), ("0.04", today), ("5", before), ("5", None)):
        factories.turn(status="finished", cost=cost, versions=versions)
    factories.turn(status="finished", kind="rerun", cost="5", versions=today)
    assert rough("own", 10, [REAL]) == Rough(10, 1, "turns", 0.03)


def test_with_neither_nothing_is_known(settings: Any, monkeypatch: pytest.MonkeyPatch):
    endpoint(settings, monkeypatch)
    assert rough("own", 10, [REAL]) == Rough(10, 1, "nothing")
