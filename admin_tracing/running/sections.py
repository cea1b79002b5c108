"""The sections of the page on quality that tell of running, and the first screen's figures of it.

Days are counted without version sets: but for gaps, these figures are of all of them, which the
page says where a version set is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from admin_tracing.days import Days
from admin_tracing.running import costs, ends, passes, times, topic
from admin_tracing.running.gaps import gaps
from admin_tracing.running.lacking import NEWEST, lacks, titles
from admin_tracing.running.preferred import preferred
from admin_tracing.running.reading import window
from admin_tracing.running.window import Window
from admin_tracing.sections import Section
from admin_tracing.stats.estimate import too_few
from admin_tracing.topic_check import topic_figures

Context = Mapping[str, Any]

SHOWN = 30  # groups of gaps on the page; the file has them all
BY_DAY = 8  # terminations that the table by day has columns for


def sections(_days: Days) -> list[Section]:
    """In their order on the page, below the figures of labels."""
    return list(SECTIONS)


def _passes(days: Days, _versions: int | None) -> Context:
    seen = window(days, "pass")
    rescue = passes.rescue(seen)
    return {
        **_frame(seen),
        "brings": [title for _, title in passes.BRINGS],
        "passes": passes.passes(seen.of("pass")),
        "rescue": rescue,
        "preferred": preferred(days, rescue.rescued),
    }


def _times(days: Days, _versions: int | None) -> Context:
    seen = window(days, "node", "route")
    return {
        **_frame(seen),
        "tables": (
            ("By route", "Turns", times.times(seen.of("route")), True),
            ("By node", "Stays", times.times(seen.of("node")), False),
        ),
    }


def _cost(days: Days, _versions: int | None) -> Context:
    seen = window(days, "cost", "tokens", "turn", "end")
    turn = seen.of("turn").get("", costs.NOTHING)
    return {
        **_frame(seen),
        "turns": seen.turns,
        "turn": turn,
        "few": too_few(turn.n, turn.n),
        "is_unknown": not turn.total and turn.of["unknown"] > 0,
        "purposes": costs.purposes(seen),
        "tokens": costs.tokens(seen.of("tokens")),
    }


def _loops(days: Days, _versions: int | None) -> Context:
    seen = window(days, "loop", "flat", "turn")
    return {**_frame(seen), "loops": costs.loops(seen, titles(seen.of("loop")))}


def _ends(days: Days, _versions: int | None) -> Context:
    seen = window(days, "end")
    found = ends.ends(seen)
    nothing, _ = ends.nothing_found(seen)
    shown = found[:BY_DAY]
    daily = [(day, sum(amount.n for amount in seen.on(day, "end").values())) for day in days]
    rows = [
        (day, [(end.name, end.by_day[place]) for end in shown], n)
        for place, (day, n) in enumerate(daily)
        if n
    ]
    return {**_frame(seen), "ends": found, "nothing": nothing, "shown": shown, "rows": rows[::-1]}


def _controls(days: Days, _versions: int | None) -> Context:
    seen = window(days, "control", "controls")
    every, _ = ends.all_controls(seen)
    missed, due = ends.decisions(seen)
    found = ends.controls(seen)
    return {**_frame(seen), "controls": found, "every": every, "missed": missed, "due": due}


def _topic(days: Days, _versions: int | None) -> Context:
    seen = window(days, "cost")
    filters = {"since": days.first, "until": days.last}
    figures = topic_figures(filters, timezone.now())
    return {**_frame(seen), "topic": topic.break_even(figures, seen.of("cost"))}


def _gaps(days: Days, versions: int | None) -> Context:
    """Once without and once with what tells of health: the template knows who reads."""

    def read(*, sensitive: bool) -> Context:
        found = lacks(days, sensitive=sensitive, versions=versions)
        turns = {lack.turn for lack in found}
        groups = gaps(found)
        names = titles(gap.section for gap in groups[:SHOWN])
        return {
            "groups": [(gap, names.get(gap.section, gap.section)) for gap in groups[:SHOWN]],
            "others": max(0, len(groups) - SHOWN),
            "turns": len(turns),
            "is_cut": len(turns) == NEWEST,
        }

    return {
        "dates": dates(days),
        "days": days,
        "few": SimpleLazyObject(lambda: read(sensitive=False)),
        "all": SimpleLazyObject(lambda: read(sensitive=True)),
    }


def dates(days: Days) -> str:
    """The list's filter for the days."""
    return urlencode({"since": days.first.isoformat(), "until": days.last.isoformat()})


def _frame(seen: Window) -> Context:
    return {"dates": dates(seen.span), "days": seen.span, "uncounted": seen.uncounted}


SECTIONS = (
    Section(
        "passes",
        "Second passes",
        "What a further search with other words brings, and what it takes.",
        "admin_tracing/quality/passes.html",
        _passes,
        14,
    ),
    Section(
        "ends",
        "How turns end",
        "The one reason of every turn, over time.",
        "admin_tracing/quality/ends.html",
        _ends,
        16,
    ),
    Section(
        "controls",
        "Controls that did not run",
        "A control that was due and could not run, or left no decision. Off is not counted.",
        "admin_tracing/quality/controls.html",
        _controls,
        18,
    ),
    Section(
        "times",
        "Time",
        "What 50, 95 and 99 of 100 do not exceed, within 2.5 %.",
        "admin_tracing/quality/times.html",
        _times,
        30,
    ),
    Section(
        "cost",
        "Cost by purpose",
        "What the calls of models and the tools were for.",
        "admin_tracing/quality/cost.html",
        _cost,
        18,
    ),
    Section(
        "loops",
        "Cost of deep loops",
        "Questions that took further passes, by the section that their first pass found first.",
        "admin_tracing/quality/loops.html",
        _loops,
        22,
    ),
    Section(
        "topic",
        "The topic check's break-even",
        "It costs a call a question, and saves a loop for each that is off topic.",
        "admin_tracing/quality/topic.html",
        _topic,
        6,
    ),
    Section(
        "gaps",
        "Gaps",
        "What people asked for and nobody found, in groups that share their words.",
        "admin_tracing/quality/gaps.html",
        _gaps,
        40,
        knows_versions=True,
    ),
)
