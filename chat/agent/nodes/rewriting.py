"""Other words for what is missing, towards the documents' own vocabulary.

Counts itself and repeats the limit check. A rewrite begins at the original question, so that
it cannot drift further with each pass; how far it went is measured.
"""

from __future__ import annotations

import asyncio
from typing import Any

from chat.agent.budget import checked, rewrites_left, spend
from chat.agent.saying import in_time
from chat.agent.state import TurnState
from chat.contracts.errors import SearchFailed
from chat.contracts.events import Decision, ModelCall, Rewrite
from chat.contracts.ports import Ports, Reply
from chat.contracts.tasks import RewriteTask
from chat.contracts.verdicts import Control, Outcome
from chat.guardrails.policy import Guarded, guard, says

TERMS = 24  # words of the documents that a rewrite may draw from
MAX_WORDS = 19  # of a rewritten query
ITEMS = 3  # rewritten in one pass; the others have their turn in the next one

Rewritten = tuple[str, Guarded[Reply[str] | None]]  # an item, and what the model made of it


async def optimize_query(state: TurnState, ports: Ports) -> dict[str, Any]:
    """New words for each missing item, or for the whole question when a draft did not hold.

    At the limit it changes nothing, and the router then finds that every query was tried.
    """
    stopped = checked(state, {}, ports.clock())
    if not rewrites_left(state) or stopped["budget_hit"]:
        why = stopped["budget_hit"] or "the bound is reached"
        return {**stopped, "emit": (_decision(Outcome.ACTED, f"{why}"),)}
    terms = await _terms(state, ports)
    missing = _missing(state)
    done = await asyncio.gather(*(_rewritten(item, terms, state, ports) for item in missing))
    queries = {
        item: _shortened(asked.value.value if asked.value else "") or _before(item, state)
        for item, asked in done
    }
    calls = [call for _, asked in done if (call := _call(asked))]
    told = await asyncio.gather(*(_event(item, queries[item], state, ports) for item in queries))
    broken = ", ".join(sorted({asked.reason for _, asked in done if not asked.ran}))
    reason = broken or f"rewrite {state['rewrites'] + 1} of {state['limits'].max_rewrites}"
    update = {
        "queries": queries,
        "rewrites": state["rewrites"] + 1,
        "terms": terms,
        "correction": "",
        **spend(state, *calls),
        "emit": (*calls, *told, _decision(Outcome.PASSED, reason)),
    }
    return checked(state, update, ports.clock())


def _missing(state: TurnState) -> tuple[str, ...]:
    """What is searched again: items without an answer, or the first one for failed claims.

    Those come first that the last pass left out.
    """
    missing = [item for item in state["items"] if not state["covered"].get(item)]
    missing.sort(key=lambda item: item in state["queries"])
    return tuple((missing or state["items"][:1])[:ITEMS])


def _before(item: str, state: TurnState) -> str:
    """The words that an item was searched with last."""
    return state["queries"].get(item, item)


async def _rewritten(
    item: str, terms: tuple[str, ...], state: TurnState, ports: Ports
) -> Rewritten:
    task = RewriteTask(
        question=item,
        tried=state["tried"],
        hits=tuple(h for h in state["hits"] if item in state["found_for"].get(h.passage.chunk, ())),
        terms=(*_claimed(state), *terms),
        avoid=_stale_words(item, state) if state["seen_before"] else (),
    )
    asked = await guard(
        ports.model.rewrite(task),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=says(str),
    )
    return item, asked


def _claimed(state: TurnState) -> tuple[str, ...]:
    """The words of claims that nothing supported: what is searched for now."""
    if state["correction"] != "search":
        return ()
    wrong = (claim.label for claim in state["claims"] if claim.supported is False)
    return tuple(dict.fromkeys(word for label in wrong for word in label.lower().split()))


def _stale_words(item: str, state: TurnState) -> tuple[str, ...]:
    """Words of the last query that the question does not have: they brought nothing."""
    asked = set(item.lower().split())
    last = _before(item, state)
    return tuple(word for word in last.lower().split() if word not in asked)


async def _event(item: str, after: str, state: TurnState, ports: Ports) -> Rewrite:
    return Rewrite.model_validate(
        {
            "pass": state["passes"],
            "before": _before(item, state),
            "after": after,
            "drift": await _drift(item, after, ports),
            "no_progress": state["seen_before"],
        }
    )


async def _terms(state: TurnState, ports: Ports) -> tuple[str, ...]:
    """The index's words near the question; none if the index does not answer."""
    try:
        return await in_time(ports.search.terms(state["standalone"], state["hits"], TERMS), ports)
    except SearchFailed:
        return ()


async def _drift(before: str, after: str, ports: Ports) -> float | None:
    try:
        return await in_time(ports.search.drift(before, after), ports)
    except SearchFailed:
        return None


def _call(asked: Guarded[Reply[str] | None]) -> ModelCall | None:
    return asked.value.call if asked.value else asked.failed_call


def _decision(outcome: Outcome, reason: str) -> Decision:
    return Decision(control=Control.BOUNDED_RETRY, outcome=outcome, reason=reason)


def _shortened(query: str) -> str:
    return " ".join(query.split()[:MAX_WORDS])
