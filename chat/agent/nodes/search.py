"""The evidence boundary: search what is missing, and grade each chunk.

Verdicts are fresh in every pass, accepted evidence accumulates, and coverage follows from
it. Only what was accepted ever reaches the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from chat.agent.budget import checked, rewrites_left, spend
from chat.agent.nodes import untrusted
from chat.agent.saying import in_time
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
    Verdicts,
)
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.ports import Ports, Reply
from chat.contracts.verdicts import Control, Grade, GradeLabel, Outcome
from chat.guardrails.evidence import accepts, better, keeps
from chat.guardrails.policy import Guarded, guard, says, skipped

SERVED = 2  # items that a search of the model's own is graded for; each grade is a call
LEAST = 3  # hits of one search, however many there are in a pass

Graded = Guarded[Reply[Grade] | None]
Pair = tuple[str, Passage]  # an item, and a passage that was found for it


def retrieve_label(state: TurnState) -> str:
    again = state.get("rewrites", 0) > 0
    return "Nothing there, trying other words" if again else "Looking in the handbook"


def assess_label(state: TurnState) -> str:
    count = len(state.get("hits", ()))
    return "Reading 1 passage" if count == 1 else f"Reading {count} passages"


async def retrieve(state: TurnState, ports: Ports) -> dict[str, Any]:
    """One pass: every missing item at once. A search that fails is told and finds nothing."""
    queries, number = state["queries"], state["passes"] + 1
    limit = _share(ports.settings.top_k, len(queries))
    found = await asyncio.gather(*(_search(query, limit, ports) for query in queries.values()))
    pairs = zip(queries, found, strict=True)
    worked = {item: result for item, result in pairs if isinstance(result, SearchResult)}
    told = [_retrieval(number, f) if isinstance(f, SearchResult) else f for f in found]
    if not worked:
        return {
            "passes": number,
            "hits": (),
            "found_for": {},
            "search_failed": True,
            "emit": tuple(told),
        }
    screened = untrusted.hits(_interleaved([result.hits for result in worked.values()]))
    hits = screened.hits
    seen = number > 1 and _same_hits(hits, state["hits"])
    return {
        "passes": number,
        "tried": (*state["tried"], *(result.query for result in worked.values())),
        "hits": hits,
        "unread": state["unread"] or screened.lost,
        "found_for": _found_for(state, worked),
        "seen_before": seen,
        "no_progress": state["no_progress"] + 1 if seen else 0,
        "emit": (*told, *([screened.decision] if screened.decision else ())),
    }


def _share(top_k: int, searches: int) -> int:
    return top_k if searches <= 1 else max(LEAST, top_k // searches)


async def _search(query: str, limit: int, ports: Ports) -> SearchResult | Failure:
    try:
        found = await in_time(ports.search.search(query, limit), ports)
    except SearchFailed as error:
        return Failure(code=error.code, message=error.public, retryable=error.retryable)
    return found.model_copy(update={"query": query})


def _interleaved(lists: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """The best of each list first; a chunk that several found stands once."""
    first: dict[str, Hit] = {}
    for hit in chain.from_iterable(zip_longest(*lists)):
        if hit is not None:
            first.setdefault(hit.passage.chunk, hit)
    return tuple(first.values())


def _found_for(state: TurnState, found: Mapping[str, SearchResult]) -> dict[str, tuple[str, ...]]:
    """Chunk to items. A search that belongs to no item was made for all that are missing."""
    items: dict[str, tuple[str, ...]] = {}
    for key, result in found.items():
        served = (key,) if key in state["items"] else _wanting(state)[:SERVED]
        for hit in result.hits:
            known = items.get(hit.passage.chunk, ())
            items[hit.passage.chunk] = tuple(dict.fromkeys((*known, *served)))
    return items


def _wanting(state: TurnState) -> tuple[str, ...]:
    missing = tuple(item for item in state["items"] if not state["covered"].get(item))
    return missing or state["items"]


async def assess_relevance(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Does each chunk answer? Fails open: what could not be graded is kept, and marked."""
    pairs = [(item, hit.passage) for hit in state["hits"] for item in _items_of(state, hit)]
    graded = await _grade_all(pairs, ports)
    labels = [_grade(each) for each in graded]
    verdicts = _best(pairs, labels)
    kept = keeps(state["hits"], verdicts, ports.settings.final_floor)
    accepted = _merge(state["accepted"], kept)
    covered = _covered(state, zip(pairs, labels, strict=True), accepted, ports.settings.min_docs)
    calls = [call for each in graded if (call := _call(each))]
    update = {
        "verdicts": verdicts,
        "accepted": accepted,
        "accepted_as": {**state["accepted_as"], **{p.chunk: verdicts[p.chunk].label for p in kept}},
        "covered": covered,
        **spend(state, *calls),
        "emit": (*calls, *_grading_events(state, ports, verdicts, covered, graded)),
    }
    return checked(state, update, ports.clock())


def _items_of(state: TurnState, hit: Hit) -> tuple[str, ...]:
    return state["found_for"].get(hit.passage.chunk, state["items"][:1])


async def _grade_all(pairs: Sequence[Pair], ports: Ports) -> list[Graded]:
    if not ports.settings.agentic:
        return [Guarded(None, ran=False, reason="the plain path")] * len(pairs)
    timeout = ports.settings.control_timeout_ms
    work = [
        guard(
            ports.model.grade(item, passage),
            fallback=None,
            timeout_ms=timeout,
            sane=says(Grade),
        )
        for item, passage in pairs
    ]
    return list(await asyncio.gather(*work))


def _grade(graded: Graded) -> Grade:
    if graded.value:
        return graded.value.value
    return Grade(label=GradeLabel.UNGRADED, reason=graded.reason)


def _call(graded: Graded) -> ModelCall | None:
    return graded.value.call if graded.value else graded.failed_call


def _best(pairs: Sequence[Pair], labels: Sequence[Grade]) -> dict[str, Grade]:
    """One verdict a chunk: the best of those for the items it was found for."""
    best: dict[str, Grade] = {}
    for (_, passage), grade in zip(pairs, labels, strict=True):
        known = best.get(passage.chunk)
        best[passage.chunk] = grade if known is None else better(known, grade)
    return best


def _covered(
    state: TurnState,
    graded: Iterable[tuple[Pair, Grade]],
    accepted: Sequence[Passage],
    min_docs: int,
) -> dict[str, bool]:
    """An item is found once a passage that answers it was accepted, and there are enough."""
    let_in = {passage.chunk for passage in accepted}
    answered = {item for (item, p), grade in graded if accepts(grade) and p.chunk in let_in}
    enough = len(accepted) >= max(1, min_docs)
    return {
        item: enough and (found or item in answered) for item, found in state["covered"].items()
    }


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
    if not ports.settings.agentic:
        return (*told, skipped(Control.BOUNDED_RETRY, "the plain path"))
    if all(covered.values()) or rewrites_left(state):
        return told
    reason = "the bound is reached"
    return (*told, Decision(control=Control.BOUNDED_RETRY, outcome=Outcome.ACTED, reason=reason))


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
