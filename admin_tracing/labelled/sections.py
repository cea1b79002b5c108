"""The figures of labels as sections of the quality page, and their figures on its first screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled import shown, votes
from admin_tracing.labelled.agreement import CORRECT, agreement, agreement_of
from admin_tracing.labelled.choosing import BLIND, COUNTED, DECIDED, WAITING
from admin_tracing.labelled.controls import FALSE_ALARM, controls, parted_of, read_labels
from admin_tracing.labelled.figures import Figure, figure
from admin_tracing.labelled.grounded import GRADES, JUDGED, grounded, is_held
from admin_tracing.labelled.named import names
from admin_tracing.labelled.rejections import rejections, wrong
from admin_tracing.labelled.routing import is_right, routing
from admin_tracing.labelled.rows import WAYS
from admin_tracing.labelled.shown import link, narrowed
from admin_tracing.labelled.tables import (
    GROUNDEDNESS,
    IN_GROUNDEDNESS,
    IN_ROUTING,
    ROUTING,
    Cell,
    control,
    grade,
    job,
    way,
)
from admin_tracing.labelled.worklist import MOST, worklist
from admin_tracing.sections import Headline, Section


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
    seen, of = routing(days, versions), narrowed(versions)
    decided = {"labelled": f"{ROUTING}:{DECIDED}"} | of
    return {
        **_told(seen.accuracy, days, ROUTING, versions),
        "ways": WAYS,
        "rows": [way(name, seen.table, days, versions) for name in WAYS],
        "precisions": [
            shown.share(
                seen.table.precision(name), link(days, went=name, labelled=IN_ROUTING, **of)
            )
            for name in WAYS
        ],
        "sums": [
            Cell(seen.table.column_sum(name), link(days, went=name, **decided)) for name in WAYS
        ],
        "all": Cell(seen.table.n, link(days, **decided)),
    }


def _groundedness(days: Days, versions: int | None) -> Mapping[str, Any]:
    seen, of = grounded(days, versions), narrowed(versions)
    more = (
        ("Held at least in part", seen.partly, IN_GROUNDEDNESS),
        ("Right", seen.correct, f"{CORRECT}:{COUNTED}"),
        ("The judge says what people said by themselves", seen.judge, f"{GROUNDEDNESS}:{BLIND}"),
    )
    return {
        **_told(seen.held, days, GROUNDEDNESS, versions),
        "more": [
            (title, shown.share(one.whole, link(days, labelled=which, **of)))
            for title, one, which in more
        ],
        "judged": JUDGED,
        "rows": [grade(said, seen.table, days, of) for said in GRADES],
    }


def _rejections(days: Days, versions: int | None) -> Mapping[str, Any]:
    seen = rejections(days, versions)
    of, away = narrowed(versions), {"termination": "off_topic"}
    labelled = away | {"labelled": IN_ROUTING}
    return {
        "rate": shown.share_of_all(seen.rate, link(days, **away, **of)),
        "wrong": shown.share(seen.wrong.whole, link(days, **labelled, **of)),
        "wrongly": link(days, disagrees=f"scope:{FALSE_ALARM}", **of) if seen.wrong.whole.n else "",
        "covered": shown.covered(seen.wrong.coverage),
        "found": shown.share(seen.found, link(days, shows="searched_afterwards", **of)),
        "found_in": link(days, shows="found_afterwards", **of) if seen.found.value else "",
        "line": shown.line(seen.wrong),
        "by_day": shown.by_day(seen.wrong, **labelled, **of),
        "by_version": shown.by_version(seen.wrong, _names(seen.wrong), days, **labelled),
    }


def _measured(days: Days, versions: int | None) -> Mapping[str, Any]:
    return {"controls": [control(row, days, versions) for row in controls(days, versions)]}


def _agreement(days: Days, versions: int | None) -> Mapping[str, Any]:
    return {
        "jobs": [job(one, days, versions) for one in agreement(days, versions)],
        "votes": shown.share_of_all(
            votes.liked(days, versions), link(days, shows="liked", **narrowed(versions))
        ),
    }


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
    found = names(version for version, _ in figure.by_version if version is not None)
    return dict(found.items())


SECTIONS = (
    Section(
        "routing",
        "Routing",
        "Was the way that a turn took the one that people say it needed?",
        "admin_tracing/quality/routing.html",
        _routing,
        16,
        knows_versions=True,
    ),
    Section(
        "groundedness",
        "Groundedness",
        "Do the sources hold what was answered, and is it right, as people say?",
        "admin_tracing/quality/groundedness.html",
        _groundedness,
        16,
        knows_versions=True,
    ),
    Section(
        "rejections",
        "Off topic",
        "How many are turned away, and how many of those wrongly. Nobody complains of it.",
        "admin_tracing/quality/rejections.html",
        _rejections,
        10,
        knows_versions=True,
    ),
    Section(
        "measured",
        "Controls against people",
        "What each control found against what people see on the same turns.",
        "admin_tracing/quality/measured.html",
        _measured,
        24,
        knows_versions=True,
    ),
    Section(
        "agreement",
        "Agreement between people",
        "How far two people say the same, beyond chance: no control can be measured closer.",
        "admin_tracing/quality/agreement.html",
        _agreement,
        8,
        knows_versions=True,
    ),
    Section(
        "odds",
        "At odds",
        "Turns to look at: a control and people, or people and people, say different things.",
        "admin_tracing/quality/odds.html",
        _odds,
        24,
        knows_versions=True,
    ),
)
