"""How the workflow pages write times, costs, names and the end of a turn."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from admin_tracing import summaries
from admin_tracing.stats import estimate
from admin_tracing.taxonomy import Severity
from chat.contracts.verdicts import Termination
from chat.models import Turn
from chat.models.lab import Work

register = template.Library()

cents = register.filter("cents", summaries.cents)

SUPPORTED = {Termination.ANSWERED}
PARTLY = {
    Termination.ANSWERED_WITH_CAVEAT,
    Termination.NO_EVIDENCE,
    Termination.NO_PROGRESS,
    Termination.PASS_CAP,
    Termination.TOKEN_CAP,
    Termination.COST_CAP,
    Termination.TIME_CAP,
    Termination.TOOL_CAP,
}
FAILED = {
    Termination.GATE_BLOCKED,
    Termination.CONTROL_FAILED,
    Termination.MODEL_FAILED,
    Termination.STEP_LIMIT,
    Termination.INTERRUPTED,
}


@register.filter
def duration(ms: float | None) -> str:
    """Milliseconds as `312 ms` or `2.4 s`; a dash while there is no time yet."""
    return "–" if ms is None else summaries.duration(ms)


@register.filter
def percent(part: float) -> str:
    """A share as `12.5 %`."""
    return estimate.percent(part)


@register.filter
def words(name: str) -> str:
    """A stored name as words."""
    return summaries.words(name)


@register.filter
def count(number: int, noun: str) -> str:
    """`1 pass`, `2 passes`. `noun` holds both forms, with a comma between."""
    one, _, many = noun.partition(",")
    return summaries.counted(number, one, many)


@register.filter
def signal(turn: Turn) -> str:
    """The signal of a turn's end; a turn that is not over has one of its own."""
    if turn.status != Turn.Status.FINISHED:
        return "running"
    if turn.termination in SUPPORTED:
        return "supported"
    if turn.termination in PARTLY:
        return "partly"
    return "failed" if turn.termination in FAILED else "unchecked"


WEIGHTS = {
    Severity.LOW: "unchecked",
    Severity.MEDIUM: "partly",
    Severity.HIGH: "failed",
    Severity.CRITICAL: "failed",
}


@register.filter
def weight(severity: str) -> str:
    """The signal of an incident's severity."""
    return WEIGHTS[Severity(severity)]


@register.filter
def ended(turn: Turn) -> str:
    """How a turn ended, in words, or what it is doing."""
    if turn.status == Turn.Status.FINISHED:
        return summaries.words(turn.termination)
    return "waits for a reply" if turn.status == Turn.Status.WAITING else "running"


GRADES = {
    "ANSWERS": ("supported", "answers"),
    "SUPPORTS": ("partly", "supports"),
    "IRRELEVANT": ("unchecked", "irrelevant"),
    "UNGRADED": ("failed", "not graded"),
}


@register.filter
def grade_signal(label: str) -> str:
    """The signal of a chunk's grade."""
    return GRADES.get(label, ("unchecked", ""))[0]


@register.filter
def grade_words(label: str) -> str:
    """A chunk's grade in words."""
    return GRADES.get(label, ("", "not graded yet"))[1]


WORKS = {"done": "supported", "failed": "failed", "stopped": "unchecked"}


@register.filter
def work_signal(work: Work) -> str:
    """The signal of something that runs in the background."""
    return WORKS.get(work.status, "running")


@register.filter
def less(number: int, other: int) -> int:
    return number - other


@register.filter
def at(values: Mapping[str, str], key: object) -> str:
    """What stands under a key, or nothing."""
    return values.get(str(key), "")


@register.filter
def place(part: float) -> str:
    """A part of a whole, 0 to 1, as a place on a bar of 100; a point in every language."""
    return f"{min(1.0, max(0.0, part)) * 100:.2f}"
