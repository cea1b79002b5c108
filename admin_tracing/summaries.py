"""One short line for every type of event: what stands under the timeline at a step.

Pure. The table has a row for each type of the union, which a test holds it to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from chat.contracts.events import (
    Action,
    Answer,
    Body,
    Claims,
    Clarification,
    Decision,
    DraftWithdrawn,
    Failure,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    Tool,
    TurnFinished,
    TurnStarted,
    Verdicts,
)

GRADES = {
    "ANSWERS": ("answers", "answer"),
    "SUPPORTS": ("supports", "support"),
    "IRRELEVANT": ("irrelevant", "irrelevant"),
    "UNGRADED": ("not graded", "not graded"),
}


def summary(body: Body) -> str:
    """The line for an event. Raises `KeyError` for a type without a row."""
    return _LINES[type(body)](body)


def duration(ms: float) -> str:
    """A time in the unit that reads best: `0.4 ms`, `312 ms`, `2.4 s`, `3 min 05 s`."""
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 1_000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} min {seconds:02d} s"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 field`, `2 fields`; `many` for words that do not just take an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def words(name: str) -> str:
    """A stored name as words: `no_evidence` becomes `no evidence`."""
    return name.replace("_", " ")


def _stage(body: Stage) -> str:
    if body.phase == "enter":
        return f"enters {body.node}: {body.label}"
    if body.phase == "paused":
        return f"waits in {body.node}: {body.label}"
    after = "" if body.ms is None else f" after {duration(body.ms)}"
    return f"leaves {body.node}{after}"


def _route(body: RouteTaken) -> str:
    sure = "" if body.confidence is None else f" {body.confidence:.2f}"
    why = f": {body.why}" if body.why else ""
    return f"decided {words(body.decided)}{sure}, taken {words(body.taken)}{why}"


def _retrieval(body: Retrieval) -> str:
    took = duration(body.ms)
    return f"{len(body.hits)} of {body.asked} asked for “{body.query}” in {took}"


def _verdicts(body: Verdicts) -> str:
    found = Counter(chunk.label.value for chunk in body.chunks)
    parts = [counted(found[label], *GRADES[label]) for label in GRADES if found[label]]
    return ", ".join(parts) or "nothing to grade"


def _rewrite(body: Rewrite) -> str:
    stale = ", the last pass had found nothing new" if body.no_progress else ""
    return f"“{body.before}” became “{body.after}”{stale}"


def _call(body: ModelCall) -> str:
    return f"{words(body.purpose)} by {body.model}: {body.outcome} in {duration(body.ms)}"


def _decision(body: Decision) -> str:
    why = f": {body.reason}" if body.reason else ""
    return f"{words(body.control)} {words(body.outcome)}{why}"


def _claims(body: Claims) -> str:
    supported = sum(claim.supported is True for claim in body.claims)
    return f"{counted(len(body.claims), 'claim')}, {supported} supported"


def _answer(body: Answer) -> str:
    sources = counted(len(body.citations), "citation")
    return f"{counted(len(body.text), 'character')}, {sources}, confidence {body.confidence}"


def _tool(body: Tool) -> str:
    return " · ".join(part for part in (body.tool, body.phase, body.summary) if part)


def _finished(body: TurnFinished) -> str:
    return f"{words(body.termination)} after {duration(body.ms)}"


_LINES: dict[type[Body], Callable[[Any], str]] = {
    TurnStarted: lambda body: f"{body.kind}: {body.question}",
    QuestionRead: lambda body: f"read as “{body.standalone}”",
    Stage: _stage,
    StateDiff: lambda b: f"{counted(len(b.changed), 'field')}: {', '.join(b.changed)}",
    RouteTaken: _route,
    Retrieval: _retrieval,
    Verdicts: _verdicts,
    Rewrite: _rewrite,
    ModelCall: _call,
    Decision: _decision,
    Claims: _claims,
    Token: lambda body: f"{counted(len(body.text), 'character')} of the draft",
    DraftWithdrawn: lambda body: body.why,
    Clarification: lambda body: body.question,
    Action: lambda body: body.summary,
    Tool: _tool,
    Answer: _answer,
    Failure: lambda body: f"{body.code}: {body.message}",
    TurnFinished: _finished,
}
