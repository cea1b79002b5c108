"""The file that Prometheus reads: current, well formed, and about counters that there are."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY

from chat import counters
from chat.alerts import RULES, AlertRule, as_yaml
from chat.contracts.verdicts import Control, Outcome, Termination
from config.variables import BASE_DIR

FILE = BASE_DIR / "docs" / "prometheus" / "plumbline.rules.yml"
KEYS = {"alert", "expr", "for", "labels", "annotations"}
VALUES = {
    "control": set(Control),
    "outcome": {*Outcome, *counters.LIMIT_OUTCOMES, "timeout", "failed", "invalid"},
    "termination": set(Termination),
}
CALLS = {"sum", "increase", "absent", "histogram_quantile"}
WORDS = CALLS | {"by", "and", "unless", "offset", "le", "control"}


def read() -> list[dict[str, Any]]:
    document = yaml.safe_load(as_yaml())
    assert document.keys() == {"groups"}
    (group,) = document["groups"]
    assert group.keys() == {"name", "rules"}
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def names_in(expr: str) -> set[str]:
    return set(re.findall(r"plumbline_\w+", expr))


@pytest.fixture(scope="module")
def series() -> set[str]:
    """Every name that a scrape can hold."""
    return {sample.name for family in REGISTRY.collect() for sample in family.samples}


def test_the_file_is_current() -> None:
    assert FILE.read_text() == as_yaml(), "run `make docs`"


def test_every_rule_stands_in_the_file_in_the_form_that_prometheus_reads() -> None:
    for rule, told in zip(RULES, read(), strict=True):
        assert told.keys() <= KEYS
        assert told["alert"] == rule.name
        assert told["expr"] == rule.expr
        assert told["labels"] == {"severity": rule.severity}
        assert re.fullmatch(r"\d+[mh]", told.get("for", "1m"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_reads_counters_that_there_are(rule: AlertRule, series: set[str]) -> None:
    assert names_in(rule.expr)
    assert names_in(rule.expr) <= series


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_asks_for_values_that_there_are(rule: AlertRule) -> None:
    for label, given in re.findall(r'(\w+)(?:=~|=|!=)"([^"]*)"', rule.expr):
        if label in VALUES:
            assert set(given.split("|")) <= VALUES[label]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_an_expression_is_whole(rule: AlertRule) -> None:
    bare = re.sub(r'"[^"]*"', '""', rule.expr)
    for left, right in ("()", "[]", "{}"):
        assert bare.count(left) == bare.count(right)
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|plumbline_\w+|\d+(\.\d+)?[mhd]?", "", bare)
    assert set(re.findall(r"[a-z_]+", bare)) <= WORDS
    assert re.fullmatch(r"[a-z_\s()<>=/*,.]*", bare)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_summary_names_its_control_where_the_expression_has_one(rule: AlertRule) -> None:
    (told,) = (each for each in read() if each["alert"] == rule.name)
    summary = told["annotations"]["summary"]
    assert ("{{ $labels.control }}" in summary) == ("by (control)" in rule.expr)
    assert summary.endswith((".", "?"))


def test_names_are_told_apart_and_every_window_is_whole_minutes() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.window.total_seconds() % 60 == 0
        assert rule.window.total_seconds() > 0


def test_silence_and_rate_are_both_watched() -> None:
    names = {rule.name for rule in RULES}
    assert {"control_fails_closed", "control_fails_open", "control_silent"} <= names
    assert {"control_missing", "nobody_watches", "nothing_scraped"} <= names
