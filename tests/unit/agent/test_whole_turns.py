"""Whole turns through the compiled graph, over a scripted model and an index in memory."""

from __future__ import annotations

from typing import Any

import pytest

from chat.contracts.events import (
    Answer,
    Decision,
    DraftWithdrawn,
    Failure,
    ModelCall,
    Retrieval,
    Rewrite,
    RouteTaken,
    Verdicts,
)
from chat.contracts.tasks import Exchange
from chat.contracts.turn_facts import spent
from chat.contracts.verdicts import Control, GradeLabel, Outcome, Route, Termination
from tests.doubles.models import (
    ANSWERS,
    OFF_TOPIC,
    ON_TOPIC,
    Fails,
    FixedClock,
    ScriptedModel,
    Takes,
)
from tests.doubles.search import ListSearch
from tests.factories import QUESTION, events, handbook, ports
from tests.unit.agent.running import Told, run

INTAKE = [
    *("screen_input", "detect_greeting", "enhance_query"),
    *("validate_topic", "detect_ambiguity", "choose_path"),
]
PASS = ["retrieve", "assess_relevance"]
SPOKEN = ["final_gate", "deliver"]
ANSWERED = ["generate_response", "check_grounding", "finish_answer", *SPOKEN]
NOTHING = ["handle_no_results", *SPOKEN]

TIMING = "refunds#timing"
OTHER_WORDS = ("business days to arrive", "thirty days payment", "public holidays offices")


def knowing(**scripts: Any) -> ScriptedModel:
    """A model that takes the section on timing for the answer."""
    return ScriptedModel(grades={TIMING: ANSWERS}, **scripts)


def outcomes(told: Told) -> dict[Control, Outcome]:
    return {d.control: d.outcome for d in told.all(Decision)}


async def test_a_greeting_is_greeted_without_a_search_or_a_call() -> None:
    model, index = ScriptedModel(), ListSearch(handbook())
    told = await run(ports(model, index), "hello")
    assert told.path == ["screen_input", "detect_greeting", "greeting_response", *SPOKEN]
    assert (told.termination, model.asked, index.asked) == (Termination.GREETED, [], [])
    assert told.all(RouteTaken)[-1].taken is Route.GREETING


async def test_a_question_off_the_topic_is_never_searched() -> None:
    index = ListSearch(handbook())
    told = await run(ports(ScriptedModel(topics=[OFF_TOPIC]), index), "Will it rain tomorrow?")
    assert told.path == [*INTAKE[:4], "handle_off_topic", *SPOKEN]
    assert (told.termination, index.asked) == (Termination.OFF_TOPIC, [])
    assert len(told.all(ModelCall)) == 1


async def test_an_answer_on_the_first_pass() -> None:
    told = await run(ports(knowing()))
    assert told.path == [*INTAKE, "plan_search", *PASS, *ANSWERED]
    assert told.termination is Termination.ANSWERED
    answer = told.one(Answer)
    assert [c.chunk for c in answer.citations] == [TIMING]
    assert (answer.caveats, answer.gaps) == ((), ())


async def test_an_answer_after_one_rewrite() -> None:
    model = knowing(rewrites=["business days to arrive"])
    told = await run(ports(model, ListSearch(handbook())), "When is my money back?")
    assert told.path == [*INTAKE, "plan_search", *PASS, "optimize_query", *PASS, *ANSWERED]
    assert told.termination is Termination.ANSWERED
    assert [r.pass_ for r in told.all(Retrieval)] == [1, 2]
    assert told.one(Rewrite).after == "business days to arrive"


async def test_a_turn_costs_one_call_a_grade_a_rewrite_a_topic_and_an_answer() -> None:
    told = await run(ports(knowing(rewrites=["business days to arrive"])), "When is my money back?")
    _, calls, tokens, cost = spent(events(told.bodies))
    assert calls == told.state["calls"] == len(told.all(ModelCall))
    assert tokens.total == told.state["spent_tokens"]
    assert cost == pytest.approx(told.state["spent_cost"])


async def test_a_hit_on_the_last_retrieval_is_still_answered() -> None:
    model = knowing(rewrites=["thirty payment", "business days to arrive"])
    told = await run(ports(model), "When is my money back?")
    assert len(told.all(Retrieval)) == 3
    assert told.termination is Termination.ANSWERED


async def test_with_the_budget_first_the_same_hit_is_thrown_away() -> None:
    model = knowing(rewrites=["thirty payment", "business days to arrive"])
    told = await run(ports(model, check_order="budget"), "When is my money back?")
    assert len(told.all(Retrieval)) == 3
    assert told.termination is Termination.NO_EVIDENCE


@pytest.mark.parametrize("bound", [0, 1, 2, 3])
async def test_without_evidence_the_loop_ends_at_its_bound(bound: int) -> None:
    given = ports(ScriptedModel(rewrites=OTHER_WORDS), max_rewrites=bound)
    told = await run(given)
    assert len(told.all(Retrieval)) == bound + 1
    assert len(told.all(Rewrite)) == bound
    assert told.path == [
        *INTAKE,
        "plan_search",
        *PASS,
        *["optimize_query", *PASS] * bound,
        *NOTHING,
    ]
    assert told.termination is Termination.NO_EVIDENCE


async def test_a_question_that_is_never_answered_costs_what_the_arithmetic_says() -> None:
    found = handbook()[:2]
    for bound in (0, 1, 2):
        given = ports(
            ScriptedModel(rewrites=["refund thirty", "refund ten", "refund card"]),
            ListSearch(found),
            max_rewrites=bound,
        )
        told = await run(given)
        assert len(told.all(ModelCall)) == 1 + 2 * (bound + 1) + bound


async def test_no_progress_twice_in_a_row_ends_the_loop() -> None:
    model = ScriptedModel(rewrites=["refund one", "refund two", "refund three"])
    given = ports(model, ListSearch(handbook()[:1]), max_rewrites=5)
    told = await run(given, "refund")
    assert len(told.all(Retrieval)) == 3
    assert [r.no_progress for r in told.all(Rewrite)] == [False, True]
    assert told.termination is Termination.NO_PROGRESS


async def test_with_its_stop_off_no_progress_goes_on_to_the_bound() -> None:
    model = ScriptedModel(rewrites=["refund one", "refund two", "refund three"])
    given = ports(model, ListSearch(handbook()[:1]), max_rewrites=3, no_progress_stop=False)
    told = await run(given, "refund")
    assert len(told.all(Retrieval)) == 4
    assert told.termination is Termination.NO_EVIDENCE


@pytest.mark.parametrize("said", [QUESTION, "", Fails("timeout")], ids=str)
async def test_an_unchanged_rewrite_is_not_searched(said: Any) -> None:
    told = await run(ports(ScriptedModel(rewrites=[said])))
    assert len(told.all(Retrieval)) == 1
    assert told.path[-4:] == ["optimize_query", *NOTHING]
    assert told.termination is Termination.NO_PROGRESS


@pytest.mark.parametrize(
    ("limit", "end"),
    [
        ({"max_passes": 1}, Termination.PASS_CAP),
        ({"token_budget": 150}, Termination.TOKEN_CAP),
        ({"cost_budget": 0.0015}, Termination.COST_CAP),
    ],
    ids=str,
)
async def test_a_budget_ends_the_search_in_a_reply(limit: dict[str, Any], end: Termination) -> None:
    told = await run(ports(ScriptedModel(), **limit))
    assert (len(told.all(Retrieval)), told.termination) == (1, end)
    assert told.one(Answer).text


async def test_time_ends_the_search_too() -> None:
    clock = FixedClock()
    model = ScriptedModel(topics=[Takes(61.0, ON_TOPIC)], clock=clock)
    told = await run(ports(model, clock=clock))
    assert (len(told.all(Retrieval)), told.termination) == (1, Termination.TIME_CAP)


async def test_evidence_wins_over_a_budget_that_it_used_up() -> None:
    told = await run(ports(knowing(), max_passes=1))
    assert told.termination is Termination.ANSWERED


async def test_a_grader_that_is_out_keeps_everything_and_says_so() -> None:
    out = {p.chunk: Fails("server_error") for p in handbook()}
    told = await run(ports(ScriptedModel(grades=out)))
    assert {v.label for v in told.one(Verdicts).chunks} == {GradeLabel.UNGRADED}
    assert outcomes(told)[Control.RELEVANCE] is Outcome.FAILED_OPEN
    assert told.one(Answer).caveats
    assert told.termination is Termination.ANSWERED_WITH_CAVEAT


async def test_a_topic_check_that_is_out_lets_the_question_through() -> None:
    told = await run(ports(knowing(topics=[Fails("timeout")])))
    assert outcomes(told)[Control.SCOPE] is Outcome.FAILED_OPEN
    assert told.termination is Termination.ANSWERED


@pytest.mark.parametrize("after", ["", "A refund "])
async def test_a_model_that_fails_at_the_answer_ends_in_a_fallback(after: str) -> None:
    told = await run(ports(knowing(answers=[Fails("cut_stream", after=after)])))
    assert told.path[-4:] == ["generate_response", "final_gate", "fallback", "deliver"]
    assert told.termination is Termination.MODEL_FAILED
    assert bool(told.all(DraftWithdrawn)) is bool(after)
    assert told.one(Answer).text


async def test_a_blank_answer_is_stopped_by_the_gate() -> None:
    told = await run(ports(knowing(answers=["  "])))
    assert told.path[-3:] == ["final_gate", "fallback", "deliver"]
    assert told.termination is Termination.GATE_BLOCKED


async def test_a_search_that_fails_ends_in_honest_words() -> None:
    told = await run(ports(knowing(), ListSearch(handbook(), fails_on=[1])))
    assert told.path == [*INTAKE, "plan_search", *PASS, *NOTHING]
    assert told.termination is Termination.CONTROL_FAILED
    assert told.one(Failure).code == "search_failed"


async def test_a_search_that_fails_later_still_answers_from_what_was_found() -> None:
    model = knowing(rewrites=["something else"])
    told = await run(ports(model, ListSearch(handbook(), fails_on=[2]), min_docs=2))
    assert told.path[-7:] == [*PASS, *ANSWERED]
    assert told.termination is Termination.ANSWERED_WITH_CAVEAT
    assert told.one(Answer).gaps == (QUESTION,)


async def test_a_follow_up_is_searched_by_its_standalone_question() -> None:
    index = ListSearch(handbook())
    model = knowing(standalones=["How many business days does a refund take?"])
    history = (Exchange(question="What is a refund?", answer="Money back [1]."),)
    told = await run(ports(model, index), "And how long?", history)
    assert index.asked == ["How many business days does a refund take?"]
    assert told.termination is Termination.ANSWERED


# ---- the plain path


async def test_the_plain_path_takes_the_same_edges_and_skips_the_checks() -> None:
    model = ScriptedModel()
    told = await run(ports(model, ListSearch(handbook()), agentic=False))
    assert told.path == [*INTAKE, "plan_search", *PASS, *ANSWERED]
    assert model.purposes() == ["answer"]
    assert told.all(RouteTaken)[0].decided is told.all(RouteTaken)[-1].taken is Route.BASIC
    assert told.termination is Termination.ANSWERED


async def test_the_plain_path_records_what_it_skipped() -> None:
    told = await run(ports(ScriptedModel(), agentic=False))
    ran = outcomes(told)
    skipped = {control for control, outcome in ran.items() if outcome is Outcome.SKIPPED}
    assert skipped == {
        *(Control.SCOPE, Control.AMBIGUITY, Control.COVERAGE, Control.RELEVANCE),
        *(Control.BOUNDED_RETRY, Control.GROUNDEDNESS),
    }
    assert ran[Control.CITATION_BINDING] is ran[Control.FINAL_GATE] is Outcome.PASSED


async def test_the_plain_path_never_rewrites() -> None:
    told = await run(ports(ScriptedModel(), ListSearch([]), agentic=False))
    assert told.all(Rewrite) == []
    assert told.termination is Termination.NO_EVIDENCE
