"""Other words for the same search: bounded, from the question, and never the same twice."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import rewriting
from chat.contracts.events import Decision, Rewrite
from chat.contracts.verdicts import Basis, ClaimVerdict, Control, Outcome, Termination
from tests.doubles.models import Fails, FixedClock, ScriptedModel
from tests.doubles.search import ListSearch
from tests.factories import QUESTION, handbook, hit, planned_state, ports

ELIGIBILITY = next(p for p in handbook() if p.chunk == "refunds#eligibility")


def stuck(given: Any, **changed: Any) -> Any:
    """A state after one pass that found nothing; `query` is what its one item was searched with."""
    query = changed.pop("query", QUESTION)
    before: dict[str, Any] = {
        "queries": {QUESTION: query},
        "passes": 1,
        "tried": (QUESTION,),
        "hits": (hit(ELIGIBILITY),),
        "found_for": {ELIGIBILITY.chunk: (QUESTION,)},
    }
    return planned_state(given, **before | changed)


def query(update: dict[str, Any]) -> str:
    """The words for the one item."""
    return str(update["queries"][QUESTION])


def of(update: dict[str, Any], kind: type) -> Any:
    (found,) = (body for body in update["emit"] if isinstance(body, kind))
    return found


async def test_a_rewrite_counts_itself_and_tells_before_and_after() -> None:
    model = ScriptedModel(rewrites=["business days card"])
    given = ports(model)
    update = await rewriting.optimize_query(stuck(given), given)
    assert (query(update), update["rewrites"]) == ("business days card", 1)
    told = of(update, Rewrite)
    assert (told.pass_, told.before, told.after) == (1, QUESTION, "business days card")
    assert told.drift is not None
    assert of(update, Decision) == Decision(
        control=Control.BOUNDED_RETRY, outcome=Outcome.PASSED, reason="rewrite 1 of 2"
    )


async def test_a_rewrite_starts_from_the_question_and_knows_what_was_tried() -> None:
    model = ScriptedModel()
    given = ports(model)
    await rewriting.optimize_query(stuck(given, query="other", tried=(QUESTION, "other")), given)
    task = model.asked[0].about
    assert (task.question, task.tried) == (QUESTION, (QUESTION, "other"))
    assert "thirty" in task.terms
    assert task.avoid == ()


async def test_after_no_progress_the_words_that_brought_nothing_are_to_be_avoided() -> None:
    model = ScriptedModel()
    given = ports(model)
    before = stuck(given, query="How long does a reimbursement take?", seen_before=True)
    update = await rewriting.optimize_query(before, given)
    assert model.asked[0].about.avoid == ("reimbursement",)
    assert of(update, Rewrite).no_progress


async def test_a_long_rewrite_is_cut_under_twenty_words() -> None:
    given = ports(ScriptedModel(rewrites=["word " * 60]))
    update = await rewriting.optimize_query(stuck(given), given)
    assert query(update).split() == ["word"] * 19


async def test_at_the_bound_a_rewrite_changes_nothing() -> None:
    model = ScriptedModel()
    given = ports(model)
    update = await rewriting.optimize_query(stuck(given, rewrites=2), given)
    assert set(update) == {"emit", "budget_hit"}
    assert of(update, Decision).outcome is Outcome.ACTED
    assert model.asked == []


@pytest.mark.parametrize("said", ["", "   ", Fails("timeout"), Fails("invalid")], ids=str)
async def test_a_rewrite_that_says_nothing_leaves_the_query_as_it_was(said: Any) -> None:
    given = ports(ScriptedModel(rewrites=[said]))
    update = await rewriting.optimize_query(stuck(given), given)
    assert (query(update), update["rewrites"], update["calls"]) == (QUESTION, 1, 1)


async def test_a_rewrite_does_without_the_index_if_it_does_not_answer() -> None:
    model = ScriptedModel(rewrites=["card days"])
    given = ports(model, ListSearch(handbook(), helpers_fail=True))
    update = await rewriting.optimize_query(stuck(given), given)
    assert query(update) == "card days"
    assert (model.asked[0].about.terms, of(update, Rewrite).drift) == ((), None)


async def test_a_budget_that_is_used_up_by_then_ends_the_rewriting() -> None:
    clock = FixedClock()
    model = ScriptedModel(clock=clock)
    given = ports(model, clock=clock)
    before = stuck(given)
    clock.move(61.0)
    update = await rewriting.optimize_query(before, given)
    assert update["budget_hit"] is Termination.TIME_CAP
    assert (model.asked, "queries" in update) == ([], False)


async def test_every_missing_item_gets_words_of_its_own() -> None:
    model = ScriptedModel(rewrites=["late payment charge", "interest percent"])
    given = ports(model)
    before = stuck(
        given,
        items=("the fee", "the rate", "the term"),
        queries={"the fee": "fee", "the rate": "rate", "the term": "term"},
        covered={"the fee": False, "the rate": False, "the term": True},
        tried=("fee", "rate", "term"),
    )
    update = await rewriting.optimize_query(before, given)
    assert update["queries"] == {"the fee": "late payment charge", "the rate": "interest percent"}
    assert update["rewrites"] == 1
    told = [body for body in update["emit"] if isinstance(body, Rewrite)]
    assert [(each.before, each.after) for each in told] == [
        ("fee", "late payment charge"),
        ("rate", "interest percent"),
    ]


async def test_a_failed_claim_is_searched_by_its_words() -> None:
    model = ScriptedModel(rewrites=["refund fee percent"])
    given = ports(model)
    claim = ClaimVerdict(
        text="There is a fee.",
        label="fee for refunds",
        basis=Basis.NONE,
        supported=False,
        by="code",
    )
    before = stuck(given, covered={QUESTION: True}, claims=(claim,), correction="search")
    update = await rewriting.optimize_query(before, given)
    assert model.asked[0].about.terms[:3] == ("fee", "for", "refunds")
    assert (query(update), update["correction"]) == ("refund fee percent", "")


async def test_how_far_a_rewrite_went_is_measured_from_the_question() -> None:
    """The drift of the second rewrite counts from the question, not from the first rewrite."""
    given = ports(ScriptedModel(rewrites=["something else entirely"]))
    near = stuck(given, query="How long does a refund really take?")
    told = of(await rewriting.optimize_query(near, given), Rewrite)
    assert told.drift == await given.search.drift(QUESTION, "something else entirely")


async def test_parts_that_the_last_rewrite_left_out_come_first_in_the_next() -> None:
    given = ports(ScriptedModel(rewrites=[f"new words {n}" for n in range(6)]))
    parts = ("price", "fee", "rate", "term")
    before: Any = planned_state(given, items=parts, covered=dict.fromkeys(parts, False), passes=1)
    before["queries"] = {part: part for part in parts}
    first = await rewriting.optimize_query(before, given)
    assert list(first["queries"]) == ["price", "fee", "rate"]
    after: Any = {**before, **first}
    second = await rewriting.optimize_query(after, given)
    assert list(second["queries"]) == ["term", "price", "fee"]
