"""The figures of labels as sections of the quality page, and their figures on its first screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled import shown, votes
from admin_tracing.labelled.agreement import Agreement, agreement, agreement_of
from admin_tracing.labelled.choosing import COUNTED, WAITING
from admin_tracing.labelled.controls import (
    FALSE_ALARM,
    MISS,
    Row,
    controls,
    parted_of,
    read_labels,
)
from admin_tracing.labelled.figures import Figure, figure
from admin_tracing.labelled.grounded import GRADES, JUDGED, grounded, is_held
from admin_tracing.labelled.rejections import rejections, wrong
from admin_tracing.labelled.routing import is_right, routing
from admin_tracing.labelled.rows import WAYS
from admin_tracing.labelled.shown import Shown, link, narrowed
from admin_tracing.labelled.worklist import MOST, worklist
from admin_tracing.models import Settlement
from admin_tracing.sections import Headline, Section
from admin_tracing.stats import Confusion
from chat.models import VersionSet

ROUTING, GROUNDEDNESS = str(Settlement.Job.ROUTING), str(Settlement.Job.GROUNDEDNESS)
IN_ROUTING, IN_GROUNDEDNESS = f"{ROUTING}:{COUNTED}", f"{GROUNDEDNESS}:{COUNTED}"


def sections(_days: Days) -> list[Section]:
    """In the order of the page."""
    return list(SECTIONS)


def headlines(days: Days) -> list[Headline]:
    """Three of the eight figures of the first screen."""
    ways, answers = read.routing(days), read.groundedness(days)
    way = figure(days, ways, read.drawn(days, ROUTING), is_right)
    answer = figure(days, answers, read.drawn(days, GROUNDEDNESS), is_held)
    return [
        _headline(
            ("routing", "Routing", "Turns that went the way people say they needed."),
            way,
            link(days, labelled=IN_ROUTING),
            "routing",
        ),
        _headline(
            ("groundedness", "Groundedness", "Answers that people call held by their sources."),
            answer,
            link(days, labelled=IN_GROUNDEDNESS),
            "groundedness",
        ),
        _headline(
            (
                "false_rejections",
                "False rejections",
                "Turned away as off topic, and people say they were not.",
            ),
            wrong(days, ways),
            link(days, labelled=IN_ROUTING, termination="off_topic"),
            "rejections",
        ),
    ]


def _headline(said: tuple[str, str, str], figure: Figure, query: str, section: str) -> Headline:
    one = shown.share(figure.whole, query)
    return Headline(
        *said,
        one.text,
        n=one.n,
        few=one.few,
        low=one.low if one.text else None,
        at=one.at if one.text else None,
        high=one.high if one.text else None,
        interval=one.interval,
        trend=shown.trend(figure),
        query=one.query,
        section=section,
    )


def _routing(days: Days, versions: int | None) -> Mapping[str, Any]:
    seen = routing(days, versions)
    return {
        **_told(seen.accuracy, days, ROUTING, versions),
        "ways": WAYS,
        "rows": [_way(name, seen.table, days, versions) for name in WAYS],
        "precisions": [shown.share(seen.table.precision(name)) for name in WAYS],
        "sums": [seen.table.column_sum(name) for name in WAYS],
        "n": seen.table.n,
    }


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table and its turns in the list; `is_right` stands on the diagonal."""

    n: int
    query: str
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A row of the confusion table: what was needed, by what was taken."""

    name: str
    cells: tuple[Cell, ...]
    n: int
    recall: Shown


def _way(needed: str, table: Confusion, days: Days, versions: int | None) -> Way:
    counts = table.counts()
    of = narrowed(versions)
    cells = (
        Cell(counts[needed, went], link(days, needed=needed, went=went, **of), needed == went)
        for went in WAYS
    )
    recall = shown.share(table.recall(needed))
    return Way(needed, tuple(cells), table.row_sum(needed), recall)


def _groundedness(days: Days, versions: int | None) -> Mapping[str, Any]:
    seen = grounded(days, versions)
    counts = seen.table.counts()
    return {
        **_told(seen.held, days, GROUNDEDNESS, versions),
        "more": [
            ("Held at least in part", shown.share(seen.partly.whole)),
            ("Right", shown.share(seen.correct.whole)),
            ("The judge says what people said by themselves", shown.share(seen.judge.whole)),
        ],
        "judged": JUDGED,
        "rows": [
            (
                grade,
                [
                    Cell(
                        counts[grade, said],
                        link(days, grounded=grade, shows=_SHOWS[said], **narrowed(versions)),
                    )
                    for said in JUDGED
                ],
                seen.table.row_sum(grade),
            )
            for grade in GRADES
        ],
    }


_SHOWS = {"supported": "judged_held", "unsupported": "judged_unheld"}


def _rejections(days: Days, versions: int | None) -> Mapping[str, Any]:
    seen = rejections(days, versions)
    of, away = narrowed(versions), {"termination": "off_topic"}
    labelled = away | {"labelled": IN_ROUTING}
    return {
        "rate": shown.share(seen.rate, link(days, **away, **of)),
        "wrong": shown.share(seen.wrong.whole, link(days, disagrees=f"scope:{FALSE_ALARM}", **of)),
        "covered": shown.covered(seen.wrong.coverage),
        "found": shown.share(seen.found),
        "line": shown.line(seen.wrong),
        "by_day": shown.by_day(seen.wrong, **labelled, **of),
        "by_version": shown.by_version(seen.wrong, _names(seen.wrong), days, **labelled),
    }


@dataclass(frozen=True, slots=True)
class Control:
    """A row of the table of controls, with the links to its work list."""

    row: Row
    precision: Shown
    recall: Shown
    kappa: Shown
    false_alarms: str
    misses: str


def _measured(days: Days, versions: int | None) -> Mapping[str, Any]:
    return {"controls": [_control(row, days, versions) for row in controls(days, versions)]}


def _control(row: Row, days: Days, versions: int | None) -> Control:
    name, of = row.control.name, narrowed(versions)
    return Control(
        row,
        shown.share(row.precision),
        shown.share(row.recall),
        shown.kappa(row.kappa),
        link(days, disagrees=f"{name}:{FALSE_ALARM}", **of) if row.false_alarms else "",
        link(days, disagrees=f"{name}:{MISS}", **of) if row.misses else "",
    )


def _agreement(days: Days, versions: int | None) -> Mapping[str, Any]:
    return {
        "jobs": [_job(one, days, versions) for one in agreement(days, versions)],
        "votes": shown.share(
            votes.liked(days, versions), link(days, shows="liked", **narrowed(versions))
        ),
    }


def _job(one: Agreement, days: Days, versions: int | None) -> tuple[Agreement, Shown, str]:
    split = link(days, disagrees=f"people:{one.job}", **narrowed(versions)) if one.split else ""
    return one, shown.kappa(one.kappa), split


def _odds(days: Days, versions: int | None) -> Mapping[str, Any]:
    labels = read_labels(days, versions)
    people = agreement_of(labels.routing, labels.answers, {})
    tasks, n = worklist(parted_of(labels), people)
    return {"tasks": tasks, "n": n, "most": MOST}


def _told(figure: Figure, days: Days, job: str, versions: int | None) -> dict[str, Any]:
    of, counted = narrowed(versions), {"labelled": f"{job}:{COUNTED}"}
    waiting = link(days, labelled=f"{job}:{WAITING}", **of)
    return {
        "whole": shown.share(figure.whole, link(days, **counted, **of)),
        "covered": shown.covered(figure.coverage),
        "waiting": waiting if figure.coverage.is_open else "",
        "split": link(days, disagrees=f"people:{job}", **of) if figure.coverage.split else "",
        "line": shown.line(figure),
        "by_day": shown.by_day(figure, **counted, **of),
        "by_version": shown.by_version(figure, _names(figure), days, **counted),
    }


def _names(figure: Figure) -> dict[int | None, str]:
    """Version sets by the beginning of their digest and the day they were first seen."""
    wanted = [version for version, _ in figure.by_version if version is not None]
    rows = VersionSet.objects.filter(pk__in=wanted).values_list("pk", "digest", "first_seen")
    return {pk: f"{digest[:8]}, from {seen.day} {seen:%b}" for pk, digest, seen in rows}


SECTIONS = (
    Section(
        "routing",
        "Routing",
        "Was the way that a turn took the one that people say it needed?",
        "admin_tracing/quality/routing.html",
        _routing,
        16,
    ),
    Section(
        "groundedness",
        "Groundedness",
        "Do the sources hold what was answered, and is it right, as people say?",
        "admin_tracing/quality/groundedness.html",
        _groundedness,
        16,
    ),
    Section(
        "rejections",
        "Off topic",
        "How many are turned away, and how many of those wrongly. Nobody complains of it.",
        "admin_tracing/quality/rejections.html",
        _rejections,
        10,
    ),
    Section(
        "measured",
        "Controls against people",
        "What each control found against what people see on the same turns.",
        "admin_tracing/quality/measured.html",
        _measured,
        24,
    ),
    Section(
        "agreement",
        "Agreement between people",
        "How far two people say the same, beyond chance: no control can be measured closer.",
        "admin_tracing/quality/agreement.html",
        _agreement,
        8,
    ),
    Section(
        "odds",
        "At odds",
        "Turns to look at: a control and people, or people and people, say different things.",
        "admin_tracing/quality/odds.html",
        _odds,
        24,
    ),
)
