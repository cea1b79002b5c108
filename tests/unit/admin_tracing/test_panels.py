"""The figures as the page writes them: values, notes and links, from counts by day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qs
from uuid import uuid4

import pytest

from admin_tracing.bursts import Burst
from admin_tracing.days import Days
from admin_tracing.drift import Drift, VersionChange
from admin_tracing.measures import MEASURES, NOTHING
from admin_tracing.panels import Panel, burst_query, panels

FIRST = date(2026, 11, 1)
CHANGED = (("model", "a", "b"),)


def counts(**given: float) -> dict[str, float]:
    return {**NOTHING, **given}


def change(day: int, before: Mapping[str, float], after: Mapping[str, float]) -> VersionChange:
    at = datetime(2026, 11, day, 12, tzinfo=UTC)
    return VersionChange(at, CHANGED, counts(**before), counts(**after))


def shown(*days: Mapping[str, float], changes: tuple[Any, ...] = ()) -> dict[str, Panel]:
    by_day = {FIRST.replace(day=n): counts(**day) for n, day in enumerate(days, 1) if day}
    seen = Drift(Days(FIRST, len(days)), by_day, changes)
    return {panel.name: panel for panel in panels(seen)}


def test_there_is_a_panel_for_turns_and_one_for_every_measure() -> None:
    assert list(shown({})) == ["turns", *(measure.name for measure in MEASURES)]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_measure_reads_counts_that_there_are(measure: Any) -> None:
    measure.of(NOTHING)
    assert all(name in NOTHING for name, _ in measure.columns)


def test_a_day_without_turns_has_a_row_and_a_gap_in_the_line() -> None:
    day = {"turns": 10, "refused": 5, "off_topic": 5}
    panel = shown(day, day, {}, day)["refusals"]
    assert [row.day.day for row in panel.rows] == [4, 3, 2, 1]
    assert [cell.text for cell in panel.rows[1].cells] == ["0", "0", "0", "–"]
    assert len(panel.line.dots) == 1


def test_a_day_of_few_turns_does_not_swing_the_line() -> None:
    panel = shown({"turns": 4, "refused": 4}, {"turns": 40, "refused": 4})["refusals"]
    assert panel.top == "most on one day: 10.0 %"


def test_links_choose_the_days_and_the_kind_of_turns() -> None:
    panel = shown({"turns": 40, "refused": 4}, {"turns": 40})["refusals"]
    assert parse_qs(panel.value.query) == {
        "shows": ["refused"],
        "since": ["2026-11-01"],
        "until": ["2026-11-02"],
    }
    newest, oldest = panel.rows
    assert newest.cells[-1].query == ""
    assert parse_qs(oldest.cells[-1].query)["until"] == ["2026-11-01"]


def test_means_have_two_figures_and_sums_their_thousands() -> None:
    day = {"turns": 1_500, "answers": 1_500, "citations": 3_100, "citations_squares": 7_000}
    by_name = shown(day)
    assert by_name["citations"].value.text == "2.07"
    assert by_name["citations"].n == "n = 1,500"
    assert by_name["turns"].value.text == "1,500"


def test_what_is_sure_stands_before_what_is_not() -> None:
    day = {"turns": 100, "refused": 10}
    told = (
        change(2, {"turns": 100, "refused": 2}, {"turns": 100, "refused": 40}),
        change(3, {"turns": 100, "refused": 40}, {"turns": 100, "refused": 42}),
        change(4, {"turns": 100, "refused": 42}, {"turns": 3}),
    )
    notes = shown(*[day] * 5, changes=told)["refusals"].notes
    texts = [(note.signal, note.text) for note in notes]
    assert texts[0] == (
        "partly",
        "2 Nov, model changed: rose from 2.0 % to 40.0 % (n = 100 and 100).",
    )
    rest = [text for signal, text in texts if not signal]
    assert "No clear change at the versions of 3 Nov (n = 100 and 100)." in rest
    assert "Too few to say of the versions of 4 Nov (n = 100 and 3)." in rest


def test_of_many_changes_without_an_effect_a_few_are_named() -> None:
    same = {"turns": 100, "refused": 10}
    told = tuple(change(day, same, same) for day in range(2, 8))
    notes = shown(*[same] * 8, changes=told)["refusals"].notes
    (line,) = [note.text for note in notes if note.text.startswith("No clear change")]
    assert line.count("Nov") == 3 and line.endswith("and 3 more.")


def test_questions_back_are_not_held_against_versions_they_do_not_have() -> None:
    same = {"turns": 100, "asked": 50, "abandoned": 10}
    notes = shown(same, same, changes=(change(2, same, same),))["abandoned"].notes
    assert [note.text for note in notes if "versions" in note.text] == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("code",), "code"),
        (("code", "model"), "code and model"),
        (("code", "model", "stream_policy"), "code, model and stream policy"),
    ],
)
def test_what_changed_is_told_in_words(changed: tuple[str, ...], words: str) -> None:
    at = datetime(2026, 11, 2, tzinfo=UTC)
    rows = tuple((name, "a", "b") for name in changed)
    assert VersionChange(at, rows, NOTHING, NOTHING).names == words


def test_a_burst_leads_to_its_hour_and_its_person_or_words() -> None:
    hour = datetime(2026, 11, 2, 9, tzinfo=UTC)
    person = Burst("person", "user 7", hour, 12, 0.5)
    assert burst_query(person) == "hour=2026-11-02T09%3A00&person=user+7&shows=ended"
    shape = Burst("shape", "where is #", hour, 12, 0.5, "Where is")
    assert parse_qs(burst_query(shape)) == {
        "hour": ["2026-11-02T09:00"],
        "q": ["Where is"],
        "shows": ["ended"],
    }
    turns = tuple(uuid4() for _ in range(12))
    named = Burst("shape", "where is #", hour, 12, 0.5, "Where is", turns)
    assert parse_qs(burst_query(named)) == {"turns": [",".join(map(str, turns))]}
