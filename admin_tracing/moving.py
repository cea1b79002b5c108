"""How behaviour moves, as sections of the quality page: drift, changes of versions, bursts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from admin_tracing.bursts import bursts
from admin_tracing.days import Days
from admin_tracing.drift import drift
from admin_tracing.panels import burst_query, panels
from admin_tracing.sections import Section


def sections(_days: Days) -> list[Section]:
    """In the order of the page. They are of all versions."""
    return [
        Section(
            "drift",
            "Drift",
            "How behaviour moves from day to day. A mark on a line is a change of versions.",
            "admin_tracing/quality/drift.html",
            _drift,
            40,
        ),
        Section(
            "versions",
            "Changes of versions",
            "When turns went on with other code, prompts, models, settings or documents.",
            "admin_tracing/quality/versions.html",
            _versions,
            6,
        ),
        Section(
            "bursts",
            "Bursts",
            "One person, or one shape of question, at least ten times within an hour and five "
            "times as often as in the other hours of that day.",
            "admin_tracing/quality/bursts.html",
            _bursts,
            6,
        ),
    ]


def _drift(days: Days, _versions: int | None) -> Mapping[str, Any]:
    return {"panels": panels(drift(days))}


def _versions(days: Days, _versions: int | None) -> Mapping[str, Any]:
    return {"changes": drift(days).changes[::-1]}


def _bursts(days: Days, _versions: int | None) -> Mapping[str, Any]:
    found = bursts(days.since, days.until)
    return {"bursts": [(burst, burst_query(burst)) for burst in found]}
