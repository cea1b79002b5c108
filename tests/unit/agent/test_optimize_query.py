"""Other words for the same search: bounded, from the question, and never the same twice."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import search
from chat.contracts.events import Decision, Rewrite
from chat.contracts.verdicts import Control, Outcome
from tests.doubles.models import Fails, ScriptedModel
from tests.doubles.search import ListSearch
from tests.factories import QUESTION, handbook, hit, ports, start_state

ELIGIBILITY = next(p for p in handbook() if p.chunk == "refunds#eligibility")


def stuck(given: Any, **changed: Any) -> Any:
    """A state after one pass that found nothing."""
    return {
        **start_state(given),
        "standalone": QUESTION,
        "query": QUESTION,
        "passes": 1,
        "rewrites": 0,
        "tried": (QUESTION,),
        "hits": (hit(ELIGIBILITY),),
        "seen_before": False,
        **changed,
    }


def of(update: dict[str, Any], kind: type) -> Any:
    (found,) = (body for body in update["emit"] if isinstance(body, kind))
    return found


async def test_a_rewrite_counts_itself_and_tells_before_and_after() -> None:
    model = ScriptedModel(rewrites=["business days card"])
    given = ports(model)
    update = await search.optimize_query(stuck(given), given)
    assert (update["query"], update["rewrites"]) == ("business days card", 1)
    told = of(update, Rewrite)
    assert (told.pass_, told.before, told.after) == (1, QUESTION, "business days card")
    assert told.drift is not None
    assert of(update, Decision) == Decision(
        control=Control.BOUNDED_RETRY, outcome=Outcome.PASSED, reason="rewrite 1 of 2"
    )


async def test_a_rewrite_starts_from_the_question_and_knows_what_was_tried() -> None:
    model = ScriptedModel()
    given = ports(model)
    await search.optimize_query(stuck(given, query="other", tried=(QUESTION, "other")), given)
    task = model.asked[0].about
    assert (task.question, task.tried) == (QUESTION, (QUESTION, "other"))
    assert "thirty" in task.terms
    assert task.avoid == ()


async def test_after_no_progress_the_words_that_brought_nothing_are_to_be_avoided() -> None:
    model = ScriptedModel()
    given = ports(model)
    before = stuck(given, query="How long does a reimbursement take?", seen_before=True)
    update = await search.optimize_query(before, given)
    assert model.asked[0].about.avoid == ("reimbursement",)
    assert of(update, Rewrite).no_progress


async def test_a_long_rewrite_is_cut_under_twenty_words() -> None:
    given = ports(ScriptedModel(rewrites=["word " * 60]))
    assert (await search.optimize_query(stuck(given), given))["query"].split() == ["word"] * 19


async def test_at_the_bound_a_rewrite_changes_nothing() -> None:
    model = ScriptedModel()
    given = ports(model)
    update = await search.optimize_query(stuck(given, rewrites=2), given)
    assert set(update) == {"emit"}
    assert of(update, Decision).outcome is Outcome.ACTED
    assert model.asked == []


@pytest.mark.parametrize("said", ["", "   ", Fails("timeout"), Fails("invalid")], ids=str)
async def test_a_rewrite_that_says_nothing_leaves_the_query_as_it_was(said: Any) -> None:
    given = ports(ScriptedModel(rewrites=[said]))
    update = await search.optimize_query(stuck(given), given)
    assert (update["query"], update["rewrites"], update["calls"]) == (QUESTION, 1, 1)


async def test_a_rewrite_does_without_the_index_if_it_does_not_answer() -> None:
    model = ScriptedModel(rewrites=["card days"])
    given = ports(model, ListSearch(handbook(), helpers_fail=True))
    update = await search.optimize_query(stuck(given), given)
    assert update["query"] == "card days"
    assert (model.asked[0].about.terms, of(update, Rewrite).drift) == ((), None)
