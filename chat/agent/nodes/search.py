"""The evidence boundary: search, grade each chunk, and look again with other words.

Verdicts are fresh in every pass, accepted evidence accumulates, and coverage follows from
it. Only what was accepted ever reaches the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from chat.agent.budget import rewrites_left, spend, used_up
from chat.agent.state import TurnState
from chat.contracts.errors import SearchFailed
from chat.contracts.events import (
    Body,
    ChunkVerdict,
    Decision,
    Failure,
    HitLine,
    ModelCall,
    Retrieval,
    Rewrite,
    RouteTaken,
    Verdicts,
)
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.ports import Ports, Reply
from chat.contracts.tasks import RewriteTask
from chat.contracts.verdicts import Control, Grade, GradeLabel, Outcome, Route
from chat.guardrails.evidence import accepts
from chat.guardrails.policy import Guarded, guard, skipped

TERMS = 24  # words of the documents that a rewrite may draw from
MAX_WORDS = 19  # of a rewritten query

Graded = Guarded[Reply[Grade] | None]


def retrieve_label(state: TurnState) -> str:
    again = state.get("rewrites", 0) > 0
    return "Nothing there, trying other words" if again else "Looking in the handbook"


def assess_label(state: TurnState) -> str:
    count = len(state.get("hits", ()))
    return "Reading 1 passage" if count == 1 else f"Reading {count} passages"


async def plan_search(state: TurnState, ports: Ports) -> dict[str, Any]:
    """What was asked for, item by item: for now the question is one item."""
    route = Route.SINGLE_SHOT if ports.settings.agentic else Route.BASIC
    why = "one question, one item" if ports.settings.agentic else "the plain path is switched on"
    item = state["standalone"]
    return {
        "items": (item,),
        "query": item,
        "route": route,
        "emit": (RouteTaken(decided=route, taken=route, why=why),),
    }


async def retrieve(state: TurnState, ports: Ports) -> dict[str, Any]:
    """One search. Counts itself as a pass; a failed search is told and finds nothing."""
    query, number = state["query"], state["passes"] + 1
    try:
        found = await ports.search.search(query, ports.settings.top_k)
    except SearchFailed as error:
        told = Failure(code=error.code, message=error.public, retryable=error.retryable)
        return {"passes": number, "hits": (), "search_failed": True, "emit": (told,)}
    seen = number > 1 and _same_hits(found.hits, state["hits"])
    return {
        "passes": number,
        "tried": (*state["tried"], query),
        "hits": found.hits,
        "seen_before": seen,
        "no_progress": state["no_progress"] + 1 if seen else 0,
        "emit": (_retrieval(number, found),),
    }


async def assess_relevance(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Does each chunk answer the question? Fails open: what could not be graded is kept."""
    passages = [hit.passage for hit in state["hits"]]
    if ports.settings.agentic:
        graded = await _grade_all(state["items"][0], passages, ports)
    else:
        graded = [_ungraded("the plain path")] * len(passages)
    verdicts = {p.chunk: _grade(g) for p, g in zip(passages, graded, strict=True)}
    kept = [p for p in passages if accepts(verdicts[p.chunk])]
    accepted = _merge(state["accepted"], kept)
    enough = len(accepted) >= max(1, ports.settings.min_docs)
    covered = {item: enough for item in state["items"]}
    calls = [call for g in graded if (call := _call(g))]
    counted = {**state, **spend(state, *calls)}
    return {
        "verdicts": verdicts,
        "accepted": accepted,
        "accepted_as": {**state["accepted_as"], **{p.chunk: verdicts[p.chunk].label for p in kept}},
        "covered": covered,
        "budget_hit": used_up(counted, ports.clock()),  # type: ignore[arg-type]
        **spend(state, *calls),
        "emit": (*calls, *_grading_events(state, ports, verdicts, covered, graded)),
    }


async def optimize_query(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Other words for the same question, towards the documents' own vocabulary.

    Counts itself and repeats the limit check: at the limit it changes nothing, and the
    router then finds that the query was tried.
    """
    if not rewrites_left(state):
        return {"emit": (_retry_decision(state, "the bound is reached"),)}
    terms = await _terms(state, ports)
    task = RewriteTask(
        question=state["standalone"],
        tried=state["tried"],
        hits=state["hits"],
        terms=terms,
        avoid=_stale_words(state) if state["seen_before"] else (),
    )
    asked = await guard(
        ports.model.rewrite(task), fallback=None, timeout_ms=ports.settings.control_timeout_ms
    )
    call = asked.value.call if asked.value else asked.failed_call
    after = _shortened(asked.value.value if asked.value else "") or state["query"]
    calls = (call,) if call else ()
    event = Rewrite.model_validate(
        {
            "pass": state["passes"],
            "before": state["query"],
            "after": after,
            "drift": await _drift(state["standalone"], after, ports),
            "no_progress": state["seen_before"],
        }
    )
    reason = asked.reason or f"rewrite {state['rewrites'] + 1} of {state['limits'].max_rewrites}"
    return {
        "query": after,
        "rewrites": state["rewrites"] + 1,
        "terms": terms,
        **spend(state, *calls),
        "emit": (*calls, event, _retry_decision(state, reason)),
    }


async def _terms(state: TurnState, ports: Ports) -> tuple[str, ...]:
    """The index's words near the question; none if the index does not answer."""
    try:
        return await ports.search.terms(state["standalone"], state["hits"], TERMS)
    except SearchFailed:
        return ()


async def _drift(before: str, after: str, ports: Ports) -> float | None:
    try:
        return await ports.search.drift(before, after)
    except SearchFailed:
        return None


async def _grade_all(question: str, passages: Sequence[Passage], ports: Ports) -> list[Graded]:
    timeout = ports.settings.control_timeout_ms
    work = [
        guard(ports.model.grade(question, passage), fallback=None, timeout_ms=timeout)
        for passage in passages
    ]
    return list(await asyncio.gather(*work))


def _ungraded(reason: str) -> Graded:
    return Guarded(None, ran=False, reason=reason)


def _grade(graded: Graded) -> Grade:
    if graded.value:
        return graded.value.value
    return Grade(label=GradeLabel.UNGRADED, reason=graded.reason)


def _call(graded: Graded) -> ModelCall | None:
    return graded.value.call if graded.value else graded.failed_call


def _grading_events(
    state: TurnState,
    ports: Ports,
    verdicts: dict[str, Grade],
    covered: dict[str, bool],
    graded: Sequence[Graded],
) -> tuple[Body, ...]:
    lines = tuple(
        ChunkVerdict(chunk=chunk, label=grade.label, reason=grade.reason)
        for chunk, grade in verdicts.items()
    )
    event = Verdicts.model_validate({"pass": state["passes"], "chunks": lines, "covered": covered})
    told = (event, _relevance_decision(ports, verdicts, graded))
    ended = ports.settings.agentic and not all(covered.values()) and not rewrites_left(state)
    return (*told, _retry_decision(state, "the bound is reached")) if ended else told


def _relevance_decision(
    ports: Ports, verdicts: dict[str, Grade], graded: Sequence[Graded]
) -> Decision:
    if not ports.settings.agentic:
        return skipped(Control.RELEVANCE, "the plain path")
    broken = sorted({g.reason for g in graded if not g.ran})
    if broken:
        return Decision(
            control=Control.RELEVANCE, outcome=Outcome.FAILED_OPEN, reason=", ".join(broken)
        )
    kept = sum(accepts(grade) for grade in verdicts.values())
    return Decision(
        control=Control.RELEVANCE,
        outcome=Outcome.PASSED if kept == len(verdicts) else Outcome.ACTED,
        reason=f"{kept} of {len(verdicts)} answer",
    )


def _retry_decision(state: TurnState, reason: str) -> Decision:
    acted = not rewrites_left(state)
    outcome = Outcome.ACTED if acted else Outcome.PASSED
    return Decision(control=Control.BOUNDED_RETRY, outcome=outcome, reason=reason)


def _retrieval(number: int, found: SearchResult) -> Retrieval:
    lines = tuple(
        HitLine(
            chunk=hit.passage.chunk,
            document=hit.passage.document,
            score=hit.score,
            cosine=hit.cosine,
            vector_rank=hit.vector_rank,
            text_rank=hit.text_rank,
        )
        for hit in found.hits
    )
    return Retrieval.model_validate(
        {"pass": number, "query": found.query, "asked": found.asked, "hits": lines, "ms": found.ms}
    )


def _same_hits(now: Sequence[Hit], before: Sequence[Hit]) -> bool:
    """The same chunks at the same scores: the new words reached nothing new."""
    return [(h.passage.chunk, round(h.score, 6)) for h in now] == [
        (h.passage.chunk, round(h.score, 6)) for h in before
    ]


def _merge(old: Sequence[Passage], new: Sequence[Passage]) -> tuple[Passage, ...]:
    known = {passage.chunk for passage in old}
    return (*old, *(passage for passage in new if passage.chunk not in known))


def _stale_words(state: TurnState) -> tuple[str, ...]:
    """Words of the last query that the question does not have: they brought nothing."""
    asked = set(state["standalone"].lower().split())
    return tuple(word for word in state["query"].lower().split() if word not in asked)


def _shortened(query: str) -> str:
    return " ".join(query.split()[:MAX_WORDS])
