"""One short line for every type of event: what stands under the timeline at a step.

Pure. The table has a row for each type of the union, which a test holds it to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
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

TOOL_PHASES = {
    "done": "ran",
    "failed": "failed",
    "timeout": "did not answer in time",
    "unknown_tool": "is no tool here",
    "bad_arguments": "was called with arguments that do not fit",
    "tool_cap": "was not run: its limit is used up",
    "declined": "was not run: the person said no",
    "not_confirmed": "was not run: nobody said yes",
}

FINE = 0.01
"""Shares below this are told with two figures more."""

ASKING = ("generate_clarification", "confirm_action")
"""Nodes that a person's reply ends; the label of their `leave` says what they said."""


def summary(body: Body) -> str:
    """The line for an event. Raises `KeyError` for a type without a row."""
    return _LINES[type(body)](body)


def duration(ms: float) -> str:
    """A time in the unit that reads best: `0.4 ms`, `2.4 s`, `3 min 05 s`, `2 h 05 min`."""
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 1_000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    if minutes < 60:
        return f"{minutes} min {seconds:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def cents(cost: Decimal | float) -> str:
    """US dollars as cents with two figures: `0.34 ¢`; what is less than that says so."""
    amount = float(cost) * 100
    if amount == 0:
        return "0 ¢"
    if amount < 0.01:
        return "< 0.01 ¢"
    return f"{amount:.2f} ¢" if amount < 10 else f"{amount:,.0f} ¢"


def fine_percent(share: float) -> str:
    """A share as `12.5 %`; one that is tiny has more figures: `0.004 %`."""
    return f"{share * 100:.3f} %" if 0 < share < FINE else f"{share * 100:.1f} %"


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
        whom = "the person's yes" if body.node == "confirm_action" else "the person's reply"
        return f"waits in {body.node} for {whom}"
    after = "" if body.ms is None else f" after {duration(body.ms)}"
    said = f": {body.label}" if body.node in ASKING else ""
    return f"leaves {body.node}{after}{said}"


def _question(body: QuestionRead) -> str:
    parts = [f"read as “{body.standalone}”"]
    if len(body.items) > 1:
        parts.append(counted(len(body.items), "item"))
    if body.intent:
        parts.append(f"intent {words(body.intent)}")
    if body.mode:
        parts.append(f"mode {words(body.mode)}")
    return ", ".join(parts)


def _route(body: RouteTaken) -> str:
    """A router that could not say has no confidence, and nothing is said of what it decided."""
    why = f": {body.why}" if body.why else ""
    if body.confidence is None:
        return f"taken {words(body.taken)}{why}"
    return f"decided {words(body.decided)} {body.confidence:.2f}, taken {words(body.taken)}{why}"


def _retrieval(body: Retrieval) -> str:
    took = duration(body.ms)
    return f"{len(body.hits)} of {body.asked} asked for “{body.query}” in {took}"


def _verdicts(body: Verdicts) -> str:
    found = Counter(chunk.label.value for chunk in body.chunks)
    parts = [counted(found[label], *GRADES[label]) for label in GRADES if found[label]]
    return ", ".join(parts) or "nothing to grade"


def _rewrite(body: Rewrite) -> str:
    if body.before == body.after:
        return f"“{body.before}” stays as it is: there were no other words"
    stale = ", the last pass had found nothing new" if body.no_progress else ""
    far = "" if body.drift is None else f", {body.drift:.2f} away from the question"
    return f"“{body.before}” became “{body.after}”{far}{stale}"


def _call(body: ModelCall) -> str:
    return f"{words(body.purpose)} by {body.model}: {body.outcome} in {duration(body.ms)}"


def _decision(body: Decision) -> str:
    why = f": {body.reason}" if body.reason else ""
    return f"{words(body.control)} {words(body.outcome)}{why}"


def _claims(body: Claims) -> str:
    found = Counter(claim.supported for claim in body.claims)
    parts = [f"{found[True]} supported"]
    parts += [f"{found[False]} not supported"] if found[False] else []
    parts += [f"{found[None]} unchecked"] if found[None] else []
    return f"{counted(len(body.claims), 'claim')}: {', '.join(parts)}"


def _clarification(body: Clarification) -> str:
    options = ", ".join(f"“{option}”" for option in body.options)
    return f"asks back: “{body.question}”{f', offering {options}' if options else ''}"


def _action(body: Action) -> str:
    final = ", which cannot be undone" if body.irreversible else ""
    return f"asks for a yes to {body.tool}{final}: {body.summary}"


def _answer(body: Answer) -> str:
    sources = counted(len(body.citations), "citation")
    return f"{counted(len(body.text), 'character')}, {sources}, confidence {body.confidence}"


def _tool(body: Tool) -> str:
    took = "" if body.ms is None else f" after {duration(body.ms)}"
    text = f": {body.summary}" if body.summary else ""
    return f"{body.tool} {tool_phase(body.phase)}{took}{text}"


def tool_phase(phase: str) -> str:
    """What came of a tool's call, in words; a phase that has none of its own stays as it is."""
    return TOOL_PHASES.get(phase, words(phase))


def _finished(body: TurnFinished) -> str:
    return f"{words(body.termination)} after {duration(body.ms)}"


_LINES: dict[type[Body], Callable[[Any], str]] = {
    TurnStarted: lambda body: f"{body.kind}: {body.question}",
    QuestionRead: _question,
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
    DraftWithdrawn: lambda body: f"the draft is void: {body.why}",
    Clarification: _clarification,
    Action: _action,
    Tool: _tool,
    Answer: _answer,
    Failure: lambda body: f"{body.code}: {body.message}",
    TurnFinished: _finished,
}
