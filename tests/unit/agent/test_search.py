"""The evidence boundary: what is missing is searched, verdicts are fresh, evidence accumulates."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import search
from chat.contracts.events import (
    Decision,
    Failure,
    ModelCall,
    Retrieval,
    Verdicts,
)
from chat.contracts.verdicts import Control, Grade, GradeLabel, Outcome, Termination
from tests.doubles.models import (
    ANSWERS,
    IRRELEVANT,
    SUPPORTS,
    Fails,
    FixedClock,
    ScriptedModel,
    Takes,
)
from tests.doubles.search import ListSearch
from tests.factories import QUESTION, handbook, hit, passage, planned_state, ports

TIMING, ELIGIBILITY, OFFICES = (
    next(p for p in handbook() if p.chunk == chunk)
    for chunk in ("refunds#timing", "refunds#eligibility", "contact#offices")
)


def state(given: Any, **changed: Any) -> Any:
    """A state as `plan_search` leaves it; `query` stands for the words of its one item."""
    query = changed.pop("query", QUESTION)
    return {**planned_state(given), "queries": {QUESTION: query}, **changed}


def of(update: dict[str, Any], kind: type) -> Any:
    (found,) = (body for body in update["emit"] if isinstance(body, kind))
    return found


# ---- retrieve


async def test_a_search_counts_itself_and_tells_what_came() -> None:
    given = ports(search=ListSearch(handbook()), top_k=2)
    update = await search.retrieve(state(given), given)
    told = of(update, Retrieval)
    assert (update["passes"], update["tried"]) == (1, (QUESTION,))
    assert (told.pass_, told.query, told.asked) == (1, QUESTION, 2)
    assert [line.chunk for line in told.hits] == [h.passage.chunk for h in update["hits"]]


async def test_asked_and_got_stand_side_by_side() -> None:
    given = ports(search=ListSearch([TIMING]), top_k=6)
    told = of(await search.retrieve(state(given), given), Retrieval)
    assert (told.asked, len(told.hits)) == (6, 1)


async def test_the_first_pass_is_never_no_progress() -> None:
    given = ports(search=ListSearch([]))
    update = await search.retrieve(state(given), given)
    assert (update["seen_before"], update["no_progress"]) == (False, 0)


async def test_the_same_chunks_at_the_same_scores_are_no_progress() -> None:
    given = ports(search=ListSearch([TIMING]))
    first = await search.retrieve(state(given, query="refund"), given)
    second = await search.retrieve(
        state(
            given,
            **first,
        )
        | {"queries": {QUESTION: "card"}},
        given,
    )
    assert (second["seen_before"], second["no_progress"]) == (True, 1)


async def test_new_chunks_begin_the_count_anew() -> None:
    given = ports(search=ListSearch(handbook()))
    before = state(given, passes=1, no_progress=1, hits=(hit(OFFICES),), query="refund")
    update = await search.retrieve(before, given)
    assert (update["seen_before"], update["no_progress"]) == (False, 0)


async def test_other_scores_for_the_same_chunks_are_progress() -> None:
    given = ports(search=ListSearch([TIMING]))
    before = state(given, passes=1, hits=(hit(TIMING, score=9.0),), query="refund")
    assert (await search.retrieve(before, given))["no_progress"] == 0


async def test_a_failed_search_is_told_in_plain_words_and_finds_nothing() -> None:
    given = ports(search=ListSearch(handbook(), fails_on=[1]))
    update = await search.retrieve(state(given), given)
    assert (update["passes"], update["hits"], update["search_failed"]) == (1, (), True)
    told = of(update, Failure)
    assert (told.code, told.retryable) == ("search_failed", True)


# ---- assess_relevance


def found(given: Any, *passages: Any, **changed: Any) -> Any:
    hits = tuple(hit(p) for p in passages)
    found_for = {p.chunk: (QUESTION,) for p in passages}
    return state(given, **{"hits": hits, "found_for": found_for, "passes": 1, **changed})


async def test_only_what_answers_is_accepted() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS, ELIGIBILITY.chunk: SUPPORTS}))
    update = await search.assess_relevance(found(given, ELIGIBILITY, TIMING, OFFICES), given)
    assert update["accepted"] == (TIMING,)
    assert update["covered"] == {QUESTION: True}
    assert {c: g.label for c, g in update["verdicts"].items()} == {
        ELIGIBILITY.chunk: GradeLabel.SUPPORTS,
        TIMING.chunk: GradeLabel.ANSWERS,
        OFFICES.chunk: GradeLabel.IRRELEVANT,
    }


async def test_support_alone_is_no_evidence() -> None:
    given = ports(ScriptedModel(grades={ELIGIBILITY.chunk: SUPPORTS}))
    update = await search.assess_relevance(found(given, ELIGIBILITY), given)
    assert (update["accepted"], update["covered"]) == ((), {QUESTION: False})


async def test_verdicts_are_fresh_in_every_pass() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS}))
    stale = {OFFICES.chunk: Grade(label=GradeLabel.ANSWERS)}
    update = await search.assess_relevance(found(given, TIMING, verdicts=stale), given)
    assert set(update["verdicts"]) == {TIMING.chunk}


async def test_accepted_evidence_accumulates_over_passes() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS}))
    before = found(
        given,
        TIMING,
        accepted=(ELIGIBILITY,),
        accepted_as={ELIGIBILITY.chunk: GradeLabel.UNGRADED},
    )
    update = await search.assess_relevance(before, given)
    assert update["accepted"] == (ELIGIBILITY, TIMING)
    assert update["accepted_as"] == {
        ELIGIBILITY.chunk: GradeLabel.UNGRADED,
        TIMING.chunk: GradeLabel.ANSWERS,
    }


async def test_a_chunk_that_is_found_again_is_accepted_once() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS}))
    before = found(
        given, TIMING, accepted=(TIMING,), accepted_as={TIMING.chunk: GradeLabel.ANSWERS}
    )
    assert (await search.assess_relevance(before, given))["accepted"] == (TIMING,)


async def test_a_grader_that_fails_for_one_chunk_keeps_that_one_ungraded() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: Fails("rate_limited")}))
    update = await search.assess_relevance(found(given, TIMING, OFFICES), given)
    assert update["accepted_as"] == {TIMING.chunk: GradeLabel.UNGRADED}
    decision = of(update, Decision)
    assert (decision.outcome, decision.reason) == (Outcome.FAILED_OPEN, "rate_limited")


async def test_an_answer_needs_as_many_passages_as_the_setting_says() -> None:
    model = ScriptedModel(grades={TIMING.chunk: ANSWERS})
    given = ports(model, min_docs=2)
    update = await search.assess_relevance(found(given, TIMING, OFFICES), given)
    assert update["accepted"] == (TIMING,)
    assert update["covered"] == {QUESTION: False}


async def test_no_setting_makes_an_answer_from_nothing() -> None:
    given = ports(ScriptedModel(), min_docs=0)
    update = await search.assess_relevance(found(given, OFFICES), given)
    assert update["covered"] == {QUESTION: False}


async def test_every_grade_is_a_call_and_the_verdicts_are_told_by_pass() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS}))
    update = await search.assess_relevance(found(given, TIMING, OFFICES, calls=2), given)
    calls = [body for body in update["emit"] if isinstance(body, ModelCall)]
    assert (len(calls), update["calls"]) == (2, 4)
    told = of(update, Verdicts)
    assert (told.pass_, [v.chunk for v in told.chunks]) == (1, [TIMING.chunk, OFFICES.chunk])
    assert (told.covered, of(update, Decision).reason) == ({QUESTION: True}, "1 of 2 answer")


def retries(update: dict[str, Any]) -> list[Outcome]:
    decisions = (body for body in update["emit"] if isinstance(body, Decision))
    return [d.outcome for d in decisions if d.control is Control.BOUNDED_RETRY]


async def test_the_bound_says_that_it_ended_the_search() -> None:
    given = ports(ScriptedModel(), max_rewrites=2)
    again = await search.assess_relevance(found(given, OFFICES, passes=2, rewrites=1), given)
    last = await search.assess_relevance(found(given, OFFICES, passes=3, rewrites=2), given)
    assert (retries(again), retries(last)) == ([], [Outcome.ACTED])


async def test_a_hit_on_the_last_retrieval_is_not_put_down_to_the_bound() -> None:
    given = ports(ScriptedModel(grades={TIMING.chunk: ANSWERS}), max_rewrites=2)
    update = await search.assess_relevance(found(given, TIMING, rewrites=2), given)
    assert retries(update) == []


async def test_grading_may_use_up_a_budget() -> None:
    clock = FixedClock()
    slow = Takes(61.0, ANSWERS)
    given = ports(ScriptedModel(grades={TIMING.chunk: slow}, clock=clock), clock=clock)
    update = await search.assess_relevance(found(given, TIMING), given)
    assert update["budget_hit"] is Termination.TIME_CAP


async def test_the_calls_of_this_pass_count_towards_the_budget() -> None:
    given = ports(ScriptedModel(), token_budget=220)
    update = await search.assess_relevance(found(given, TIMING, OFFICES), given)
    assert update["budget_hit"] is Termination.TOKEN_CAP


async def test_the_plain_path_grades_nothing_and_keeps_all() -> None:
    model = ScriptedModel()
    given = ports(model, agentic=False)
    update = await search.assess_relevance(found(given, TIMING, OFFICES), given)
    assert update["accepted"] == (TIMING, OFFICES)
    skipped = [d.control for d in update["emit"] if isinstance(d, Decision)]
    assert skipped == [Control.RELEVANCE, Control.BOUNDED_RETRY]
    assert {d.outcome for d in update["emit"] if isinstance(d, Decision)} == {Outcome.SKIPPED}
    assert model.asked == []


# ---- a question with parts

TWO: dict[str, Any] = {
    "items": ("refund time", "office hours"),
    "queries": {"refund time": "refund business days", "office hours": "offices holidays"},
    "covered": {"refund time": False, "office hours": False},
}


async def test_every_item_is_searched_in_the_same_pass() -> None:
    index = ListSearch(handbook())
    given = ports(search=index, top_k=6)
    update = await search.retrieve(state(given, **TWO), given)
    told = [body for body in update["emit"] if isinstance(body, Retrieval)]
    assert [(each.pass_, each.query) for each in told] == [
        (1, "refund business days"),
        (1, "offices holidays"),
    ]
    assert update["passes"] == 1
    assert update["tried"] == ("refund business days", "offices holidays")


async def test_searches_of_one_pass_share_the_hits_that_are_graded() -> None:
    given = ports(search=ListSearch(handbook()), top_k=6)
    update = await search.retrieve(state(given, **TWO), given)
    assert {b.asked for b in update["emit"] if isinstance(b, Retrieval)} == {3}


async def test_the_best_hit_of_each_item_comes_first_and_a_chunk_stands_once() -> None:
    given = ports(search=ListSearch(handbook()))
    update = await search.retrieve(state(given, **TWO), given)
    chunks = [h.passage.chunk for h in update["hits"]]
    assert chunks[:2] == [TIMING.chunk, OFFICES.chunk]
    assert len(chunks) == len(set(chunks))
    assert update["found_for"][OFFICES.chunk] == ("office hours",)


async def test_a_chunk_is_graded_for_the_items_that_it_was_found_for() -> None:
    model = ScriptedModel(grades={TIMING.chunk: ANSWERS})
    given = ports(model)
    before = found(
        given,
        TIMING,
        OFFICES,
        **TWO,
        found_for={TIMING.chunk: ("refund time",), OFFICES.chunk: ("office hours",)},
    )
    update = await search.assess_relevance(before, given)
    assert [asked.about for asked in model.asked] == [
        ("refund time", TIMING.chunk),
        ("office hours", OFFICES.chunk),
    ]
    assert update["covered"] == {"refund time": True, "office hours": False}


async def test_an_item_that_was_found_stays_found() -> None:
    given = ports(ScriptedModel())
    before = found(
        given,
        OFFICES,
        **TWO | {"covered": {"refund time": True, "office hours": False}},
        accepted=(TIMING,),
        accepted_as={TIMING.chunk: GradeLabel.ANSWERS},
    )
    update = await search.assess_relevance(before, given)
    assert update["covered"] == {"refund time": True, "office hours": False}


async def test_a_chunk_that_answers_one_of_two_items_counts_as_an_answer() -> None:
    model = ScriptedModel(grades={TIMING.chunk: [IRRELEVANT, ANSWERS]})
    given = ports(model)
    both = {TIMING.chunk: ("office hours", "refund time")}
    update = await search.assess_relevance(found(given, TIMING, **TWO, found_for=both), given)
    assert update["verdicts"][TIMING.chunk].label is GradeLabel.ANSWERS
    assert update["covered"] == {"refund time": True, "office hours": False}


async def test_one_search_of_two_that_fails_is_told_and_the_other_goes_on() -> None:
    given = ports(search=ListSearch(handbook(), fails_on=[2]))
    update = await search.retrieve(state(given, **TWO), given)
    assert [type(body) for body in update["emit"]] == [Retrieval, Failure, Decision]
    assert update["hits"] and "search_failed" not in update


async def test_a_search_of_the_models_own_serves_whatever_is_missing() -> None:
    given = ports(search=ListSearch(handbook()))
    before = state(given, **TWO | {"queries": {"offices refund": "offices refund"}})
    update = await search.retrieve(before, given)
    assert update["found_for"][OFFICES.chunk] == TWO["items"]


# ---- labels


@pytest.mark.parametrize(
    ("rewrites", "label"),
    [(0, "Looking in the handbook"), (1, "Nothing there, trying other words")],
)
def test_the_second_search_says_that_it_is_one(rewrites: int, label: str) -> None:
    assert search.retrieve_label({"rewrites": rewrites}) == label


@pytest.mark.parametrize(("count", "label"), [(1, "Reading 1 passage"), (4, "Reading 4 passages")])
def test_the_passages_that_are_read_are_counted(count: int, label: str) -> None:
    hits = tuple(hit(passage(f"a#{n}")) for n in range(count))
    assert search.assess_label({"hits": hits}) == label
