"""How two turns were run, in words: what differs stands first, and nobody reads Python."""

from __future__ import annotations

from dataclasses import fields, replace

from admin_tracing.beside_facts import Row
from admin_tracing.beside_versions import NAMES, versions
from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Route
from chat.wiring import settings_line


def line(**changed: object) -> dict[str, str]:
    return {"settings": settings_line(replace(AgentSettings(), **changed))}  # type: ignore[arg-type]


def differing(left: dict[str, str], right: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(row.name, row.left, row.right) for row in versions(left, right) if row.differs]


def test_what_differs_stands_first_and_the_rest_after_it():
    rows = versions({"code": "1", "model": "a"}, {"code": "1", "model": "b"})
    assert rows == [Row("Model", "a", "b"), Row("Version of the code", "1", "1")]


def test_a_version_that_one_turn_has_not_is_a_dash():
    assert differing({"model": "a"}, {}) == [("Model", "a", "–")]


def test_settings_are_told_one_by_one_in_words_and_with_units():
    changed = line(
        check_order="budget",
        topic_check=False,
        relevance_threshold=0.3,
        wall_clock_ms=90_000,
        cost_budget=0.5,
        token_budget=1_000,
        examples=("How much?", "How long?"),
        pinned_route=Route.SINGLE_SHOT,
    )
    assert differing(line(), changed) == [
        ("Relevance threshold", "0.15", "0.3"),
        ("Looked at first", "the evidence", "the budget"),
        ("Topic check", "on", "off"),
        ("Limit on tokens", "60,000", "1,000"),
        ("Limit on cost", "25 ¢", "50 ¢"),
        ("Limit on time", "1 min 00 s", "1 min 30 s"),
        ("Path fixed beforehand", "none", "single shot"),
        ("Example questions", "none", "How much? · How long?"),
    ]


def test_every_setting_has_a_row_of_its_own_but_the_rules_which_have_a_version():
    rows = versions(line(), line())
    assert len(rows) == len(fields(AgentSettings)) - 1
    assert not any("_" in row.name or "=" in row.left for row in rows)


def test_a_name_in_words_belongs_to_a_setting_or_a_version():
    known = {field.name for field in fields(AgentSettings)}
    known |= {"code", "corpus", "embedder", "labels", "rules", "stream_policy", "settings"}
    assert set(NAMES) <= known


def test_the_time_of_the_documents_is_read_to_the_second():
    old = {"corpus": "2026-11-30T13:07:12.279550+00:00"}
    assert differing(old, {"corpus": ""}) == [("Documents", "2026-11-30 13:07:12 UTC", "none")]


def test_a_line_that_cannot_be_read_is_told_whole():
    for text in ("Settings(a=", "plain words", "(" * 500):
        assert differing({"settings": text}, {}) == [("Settings", text, "–")]


def test_a_setting_of_any_kind_is_told_as_it_stands():
    assert differing({"settings": "Settings(more={'a': 1})"}, {}) == [("More", "{'a': 1}", "–")]
