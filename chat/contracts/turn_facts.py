"""The second pure reducer: a turn's events in, the facts of its decision record out.

Facts hold no text of a person or a document; those go into the content, which stands apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from chat.contracts.events import (
    Answer,
    Claim,
    Claims,
    Clarification,
    Decision,
    Event,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    StateDiff,
    Tokens,
    Tool,
    TurnFinished,
    TurnStarted,
    Verdicts,
)
from chat.contracts.verdicts import Control, GradeLabel, Outcome, Termination

B = TypeVar("B")

RAN = (Outcome.PASSED, Outcome.ACTED)
ACCEPTED = (GradeLabel.ANSWERS, GradeLabel.UNGRADED)


def spent(events: Iterable[Event]) -> tuple[int, int, Tokens, float]:
    """Passes, model calls, tokens by class, and cost in US dollars, of the events so far."""
    passes, calls, tools = 0, [], 0.0
    for event in events:
        if isinstance(event.body, Retrieval):
            passes = max(passes, event.body.pass_)
        elif isinstance(event.body, ModelCall):
            calls.append(event.body)
        elif isinstance(event.body, StateDiff):
            tools = _paid(event.body, tools)
    cost = sum(call.cost for call in calls) + tools
    return passes, len(calls), _sum([call.tokens for call in calls]), cost


def _paid(diff: StateDiff, before: float) -> float:
    """What tools have cost after this diff, whose list of results holds all of the turn's."""
    results = diff.changed.get("tool_results")
    if not isinstance(results, list):
        return before
    return sum(float(result.get("cost", 0.0)) for result in results)


def finished(events: Sequence[Event], termination: Termination, ms: float) -> TurnFinished:
    """The turn's last event, with the totals of the events before it."""
    passes, calls, tokens, cost = spent(events)
    return TurnFinished(
        termination=termination,
        ms=round(ms, 1),
        passes=passes,
        model_calls=calls,
        tokens=tokens,
        cost=round(cost, 6),
    )


def facts_of(events: Sequence[Event], versions: dict[str, str]) -> dict[str, Any]:
    """The record's facts, as plain JSON values."""
    routes = [e.body for e in events if isinstance(e.body, RouteTaken)]
    end = next((e.body for e in events if isinstance(e.body, TurnFinished)), None)
    answer = _last(events, Answer)
    return {
        "route": _route(routes),
        "passes": _passes(events),
        "items": _items(events),
        "rewrites": [
            {"pass": b.pass_, "drift": b.drift, "no_progress": b.no_progress}
            for b in _all(events, Rewrite)
        ],
        "controls": [_control(b) for b in _all(events, Decision)],
        "missing": _silent(events),
        "claims": [c.model_dump(mode="json", exclude={"label"}) for c in _claims(events)],
        "drafts_checked": len(_all(events, Claims)),
        "tools": [{"tool": b.tool, "phase": b.phase} for b in _all(events, Tool)],
        "asked_back": len(_all(events, Clarification)),
        "confidence": answer.confidence if answer else "none",
        "citations": [
            {
                "marker": c.marker,
                "chunk": c.chunk,
                "document": c.document,
                "version": c.version,
                "resolves": True,
                "supports": c.supports,
            }
            for c in (answer.citations if answer else ())
        ],
        "unresolved": len(_changed(events, "unresolved", [])),
        "unheld": _changed(events, "unheld", {}),
        "hedged": _changed(events, "hedged", 0),
        "model_calls": _calls_by_role(events),
        "finished": end.model_dump(mode="json") if end else None,
        "versions": versions,
    }


def content_of(events: Sequence[Event]) -> dict[str, Any]:
    """What people and documents said in this turn, as plain JSON values."""
    started, read = _last(events, TurnStarted), _last(events, QuestionRead)
    answer = _last(events, Answer)
    return {
        "question": started.question if started else "",
        "standalone": read.standalone if read else "",
        "queries": [b.query for b in _all(events, Retrieval)],
        "covered": [b.covered for b in _all(events, Verdicts)][-1:],
        "reasons": [
            {"control": b.control, "reason": b.reason}
            for b in _all(events, Decision)
            if b.outcome in RAN and b.reason
        ],
        "claims": {claim.id: claim.label for claim in _claims(events)},
        "asked_back": [b.question for b in _all(events, Clarification)],
        "answer": answer.text if answer else "",
        "gaps": list(answer.gaps) if answer else [],
        "caveats": list(answer.caveats) if answer else [],
        "passages": {c.chunk: c.passage for c in (answer.citations if answer else ())},
    }


def _changed(events: Sequence[Event], name: str, otherwise: Any) -> Any:
    """The last value that a node gave to a field of the state."""
    diffs = (body.changed for body in reversed(_all(events, StateDiff)))
    return next((changed[name] for changed in diffs if name in changed), otherwise)


def _claims(events: Sequence[Event]) -> Sequence[Claim]:
    """The claims of the draft that went out. Those of one that was written anew are gone."""
    claims: Sequence[Claim] = ()
    for event in events:
        if isinstance(event.body, Claims):
            claims = event.body.claims
        elif isinstance(event.body, StateDiff) and event.body.changed.get("claims") == []:
            claims = ()
    return claims


def _items(events: Sequence[Event]) -> dict[str, int]:
    """How many things were asked for, and how many of them were found; their words are content."""
    covered = _last(events, Verdicts)
    found = covered.covered if covered else {}
    return {"asked": len(found), "found": sum(found.values())}


def _route(routes: Sequence[RouteTaken]) -> dict[str, Any]:
    if not routes:
        return {}
    return {
        "decided": routes[0].decided,
        "confidence": routes[0].confidence,
        "taken": routes[-1].taken,
    }


def _control(decision: Decision) -> dict[str, Any]:
    """A control that ran may quote a model, so only why it did not run is a fact."""
    said = decision.model_dump(mode="json")
    return {**said, "reason": ""} if decision.outcome in RAN else said


MISSING = "missing: "  # how the policy's own decision begins where a control was silent


def silent_in(reason: str) -> tuple[str, ...]:
    """The controls that the policy's decision names as silent. Unknown names are left out."""
    if not reason.startswith(MISSING):
        return ()
    named = (name.strip() for name in reason.removeprefix(MISSING).split(","))
    return tuple(name for name in named if name in set(Control))


def _silent(events: Sequence[Event]) -> list[str]:
    """What the turn owed and left no decision of, so that it can be found without its events."""
    looked = [b.reason for b in _all(events, Decision) if b.control is Control.POLICY]
    return list(silent_in(looked[-1])) if looked else []


def _passes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """A pass is all searches with the same number; a question with parts makes several."""
    verdicts = {b.pass_: b for b in _all(events, Verdicts)}
    accepted = _accepted(events)
    by_pass: dict[int, list[Retrieval]] = defaultdict(list)
    for search in _all(events, Retrieval):
        by_pass[search.pass_].append(search)
    return [
        {**_pass(n, searches, verdicts.get(n)), "accepted": accepted.get(n, [])}
        for n, searches in by_pass.items()
    ]


def _accepted(events: Sequence[Event]) -> dict[int, list[str]]:
    """The chunks that each pass let in: of those with a passing label, all that were kept.

    A floor may drop what could not be graded; the diff just before the verdicts has what is left.
    """
    accepted: dict[int, list[str]] = {}
    kept: Any = None
    for event in events:
        if isinstance(event.body, StateDiff):
            kept = event.body.changed.get("accepted_as", kept)
        elif isinstance(event.body, Verdicts):
            passing = [v.chunk for v in event.body.chunks if v.label in ACCEPTED]
            accepted[event.body.pass_] = [c for c in passing if kept is None or c in kept]
    return accepted


def _pass(number: int, searches: Sequence[Retrieval], verdicts: Verdicts | None) -> dict[str, Any]:
    graded = verdicts.chunks if verdicts else ()
    hits = [hit for search in searches for hit in search.hits]
    return {
        "pass": number,
        "searches": len(searches),
        "asked": sum(search.asked for search in searches),
        "chunks": [{"chunk": h.chunk, "score": h.score} for h in hits],
        "verdicts": {v.chunk: v.label for v in graded},
    }


def _calls_by_role(events: Sequence[Event]) -> dict[str, Any]:
    by_role: dict[str, list[ModelCall]] = defaultdict(list)
    for call in _all(events, ModelCall):
        by_role[call.role].append(call)
    return {
        role: {
            "calls": len(calls),
            "tokens": _sum([c.tokens for c in calls]).model_dump(),
            "cost": round(sum(c.cost for c in calls), 6),
            "models": sorted({c.model for c in calls}),
            "prompts": sorted({f"{c.purpose} {c.prompt_version}".strip() for c in calls}),
        }
        for role, calls in sorted(by_role.items())
    }


def _sum(tokens: Sequence[Tokens]) -> Tokens:
    fields = Tokens.model_fields
    return Tokens(**{name: sum(getattr(t, name) for t in tokens) for name in fields})


def _all(events: Sequence[Event], kind: type[B]) -> list[B]:
    return [event.body for event in events if isinstance(event.body, kind)]


def _last(events: Sequence[Event], kind: type[B]) -> B | None:
    found = _all(events, kind)
    return found[-1] if found else None
