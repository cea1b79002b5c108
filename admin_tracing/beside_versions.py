"""How two turns were run, in words: versions and each setting, what differs first. Pure.

The settings of a turn are sealed as one line of Python; a line that cannot be read is told whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from admin_tracing.beside_facts import Row
from admin_tracing.summaries import duration, words

NONE = "–"

NAMES = {
    "code": "Version of the code",
    "corpus": "Documents",
    "embedder": "Meaning measured by",
    "labels": "Label schema",
    "rules": "Site's rules",
    "stream_policy": "Draft while it is written",
    "settings": "Settings",
    "agentic": "Agentic loop",
    "max_rewrites": "Rewrites",
    "top_k": "Passages graded a search",
    "relevance_threshold": "Relevance threshold",
    "min_docs": "Passages needed",
    "check_order": "Looked at first",
    "no_progress_stop": "Stop without progress",
    "neighbours": "Neighbours of passages",
    "max_passes": "Limit on passes",
    "token_budget": "Limit on tokens",
    "cost_budget": "Limit on cost",
    "wall_clock_ms": "Limit on time",
    "control_timeout_ms": "Time limit of a control",
    "router_timeout_ms": "Time limit of the router",
    "max_corrections": "Corrections",
    "max_clarifications": "Questions back",
    "pinned_route": "Path fixed beforehand",
    "route_threshold": "Router margin",
    "direct_threshold": "Margin of the direct path",
    "final_floor": "Floor of the final gate",
    "examples": "Example questions",
    "covers": "The handbook covers",
}
"""Where the words of a name are not enough."""

VALUES = {
    ("check_order", "evidence"): "the evidence",
    ("check_order", "budget"): "the budget",
    ("retrieval", "hybrid"): "by meaning and words",
    ("retrieval", "vector"): "by meaning",
    ("retrieval", "lexical"): "by words, stemmed",
    ("retrieval", "exact"): "by exact words",
    ("stream_policy", "draft"): "shown, marked as unchecked",
    ("stream_policy", "verified"): "held back until it is checked",
}

MEASURES: Mapping[str, Callable[[Any], str]] = {
    "cost_budget": lambda dollars: f"{dollars * 100:g} ¢",
    "wall_clock_ms": duration,
    "control_timeout_ms": duration,
    "router_timeout_ms": duration,
}

_MEMBER = re.compile(r"<[\w.]{1,80}: ('[^'<>]{0,80}')>")  # a member of an enum, as it is sealed
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)")

OWN = {"site"}
"""Settings that are left out of the line: the version of the rules stands for them."""


def versions(left: Mapping[str, str], right: Mapping[str, str]) -> list[Row]:
    """A row for each version and each setting, those that differ first."""
    ours, theirs = _told(left), _told(right)
    rows = [
        Row(_name(key), ours.get(key, NONE), theirs.get(key, NONE))
        for key in dict.fromkeys([*ours, *theirs])
    ]
    return sorted(rows, key=lambda row: not row.differs)


def _told(versions: Mapping[str, str]) -> dict[str, str]:
    """Texts by name: the versions in the order of their names, then the settings in theirs."""
    found = {
        name: _text(name, str(value))
        for name, value in sorted(versions.items())
        if name != "settings"
    }
    return found | _settings(str(versions["settings"])) if "settings" in versions else found


def _settings(line: str) -> dict[str, str]:
    try:
        call = ast.parse(_MEMBER.sub(r"\1", line), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {"settings": line}
    if not isinstance(call, ast.Call):
        return {"settings": line}
    return {
        given.arg: _text(given.arg, _value(given.value))
        for given in call.keywords
        if given.arg and given.arg not in OWN
    }


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


def _name(key: str) -> str:
    return NAMES.get(key) or words(key).capitalize()


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in (None, "", ()):
        return "none"
    if isinstance(value, int | float):
        return MEASURES[name](value) if name in MEASURES else _number(value)
    if isinstance(value, tuple | list):
        return " · ".join(str(each) for each in value)
    if name == "corpus" and (at := _TIME.match(value)):
        return f"{at[1]} {at[2]} UTC"
    said = VALUES.get((name, str(value)), str(value))
    return words(said) if name == "pinned_route" else said


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
