"""When a rule speaks, at its bound and one below, and that code and Prometheus read one bound."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.alerts import RULES, Alert, Counts, evaluate
from chat.contracts.verdicts import Control, Outcome, Termination
from tests.factories import START

SINCE = START - timedelta(minutes=15)
RULE = {rule.name: rule for rule in RULES}


def counts(**fields: Any) -> Counts:
    return Counts(since=SINCE, until=START, **fields)


def runs(control: str = "relevance", /, **outcomes: int) -> dict[tuple[str, str], int]:
    return {(control, outcome): n for outcome, n in outcomes.items()}


def spoken(name: str, **fields: Any) -> list[tuple[str, float, int]]:
    return [(a.control, a.figure, a.n) for a in evaluate([RULE[name]], counts(**fields))]


def test_an_alert_says_what_was_seen_and_when() -> None:
    told = evaluate(RULES, counts(decisions=runs("groundedness", passed=18, failed_closed=2)))
    assert told == (
        Alert(
            rule="control_fails_closed",
            control="groundedness",
            severity="critical",
            summary="The control groundedness could not run in more than 5 % of its runs. It fails "
            "closed: people are told less than there is.",
            since=SINCE,
            until=START,
            figure=0.1,
            n=20,
        ),
    )


@pytest.mark.parametrize(
    ("outcomes", "speaks"),
    [
        ({"passed": 38, "failed_open": 2}, False),  # exactly 5 %
        ({"passed": 37, "failed_open": 3}, True),
        ({"passed": 10, "acted": 27, "failed_open": 3}, True),
        ({"passed": 17, "failed_open": 2}, False),  # 19 runs are too few
        ({"passed": 18, "failed_open": 2}, True),
        ({"skipped": 500, "passed": 17, "failed_open": 2}, False),  # what was off did not run
        ({"passed": 37, "failed_closed": 3}, False),
    ],
)
def test_failures_are_a_share_of_the_runs(outcomes: dict[str, int], speaks: bool) -> None:
    assert bool(spoken("control_fails_open", decisions=runs(**outcomes))) is speaks


def test_a_quiet_site_hears_of_a_control_that_is_down() -> None:
    assert spoken("control_down", decisions=runs(failed_open=3)) == [("relevance", 1.0, 3)]
    assert spoken("control_down", decisions=runs(failed_open=2)) == []
    assert spoken("control_down", decisions=runs(failed_open=3, passed=1)) == []


def test_one_turn_without_a_decision_that_was_due_is_told() -> None:
    told = spoken("control_missing", missing={"scope": 1}, terminations={"answered": 9})
    assert told == [("scope", 1.0, 9)]
    assert spoken("control_missing", missing={}) == []


def test_a_control_that_says_nothing_at_all_is_silent() -> None:
    assert spoken("control_silent", missing={"scope": 5}) == [("scope", 5.0, 5)]
    assert spoken("control_silent", missing={"scope": 4}) == []
    alive = runs("scope", passed=1)
    assert spoken("control_silent", missing={"scope": 5}, decisions=alive) == []


def test_turns_that_nobody_looked_at_are_told() -> None:
    ended = {"answered": 5}
    assert spoken("nobody_watches", terminations=ended) == [("policy", 0.0, 5)]
    looked = runs("policy", passed=1)
    assert spoken("nobody_watches", terminations=ended, decisions=looked) == []
    assert spoken("nobody_watches", terminations={"answered": 4}) == []


@pytest.mark.parametrize(
    ("now", "before", "speaks"),
    [
        ({"off_topic": 5, "answered": 15}, {"off_topic": 10, "answered": 90}, True),
        (
            {"off_topic": 3, "restricted": 2, "answered": 15},
            {"restricted": 1, "answered": 99},
            True,
        ),
        ({"off_topic": 4, "answered": 16}, {"off_topic": 10, "answered": 90}, False),  # twice
        ({"off_topic": 2, "answered": 18}, {"answered": 100}, False),  # a tenth is no wave
        ({"off_topic": 4, "answered": 15}, {"answered": 100}, False),  # too few
        ({"off_topic": 20}, {}, False),  # nothing to hold it against
    ],
)
def test_refusals_are_held_against_the_day_before(
    now: dict[str, int], before: dict[str, int], speaks: bool
) -> None:
    assert bool(spoken("refusals_doubled", terminations=now, before=before)) is speaks


@pytest.mark.parametrize(
    ("name", "termination", "ended", "speaks"),
    [
        ("no_evidence", "no_evidence", 7, True),
        ("no_evidence", "no_evidence", 6, False),
        ("budget_ends_turns", "token_cap", 3, True),
        ("budget_ends_turns", "cost_cap", 2, False),
        ("step_limit", "step_limit", 1, True),
        ("step_limit", "answered", 1, False),
    ],
)
def test_ends_are_a_share_of_the_turns(
    name: str, termination: str, ended: int, speaks: bool
) -> None:
    terminations = {"greeted": 20 - ended, termination: ended}
    assert bool(spoken(name, terminations=terminations)) is speaks


def test_faults_of_models_are_a_share_of_their_calls() -> None:
    assert spoken("model_faults", model_calls={"ok": 18, "timeout": 2}) == [("", 0.1, 20)]
    assert spoken("model_faults", model_calls={"ok": 19, "timeout": 1}) == []
    assert spoken("model_faults", model_calls={"ok": 10, "cancelled": 10}) == []
    assert spoken("model_faults", model_calls={"failed": 19}) == []


def test_slow_turns_are_told_from_twenty_on() -> None:
    assert spoken("slow_turns", p95=31.5, terminations={"answered": 20}) == [("", 31.5, 20)]
    assert spoken("slow_turns", p95=31.5, terminations={"answered": 19}) == []
    assert spoken("slow_turns", p95=30.0, terminations={"answered": 20}) == []
    assert spoken("slow_turns", p95=None) == []


def test_nothing_that_happened_wakes_nobody() -> None:
    assert evaluate(RULES, counts()) == ()


many = st.integers(0, 60)


@given(
    decisions=st.dictionaries(st.tuples(st.sampled_from(Control), st.sampled_from(Outcome)), many),
    missing=st.dictionaries(st.sampled_from(Control), many),
    terminations=st.dictionaries(st.sampled_from(Termination), many),
    before=st.dictionaries(st.sampled_from(Termination), many),
    calls=st.dictionaries(st.sampled_from(["ok", "timeout", "failed"]), many),
    p95=st.none() | st.floats(0, 1000),
)
def test_no_counts_break_a_rule_and_every_alert_can_be_read(
    decisions: Any, missing: Any, terminations: Any, before: Any, calls: Any, p95: Any
) -> None:
    told = evaluate(
        RULES,
        counts(
            decisions=decisions, missing=missing, terminations=terminations, before=before,
            model_calls=calls, p95=p95,
        ),
    )  # fmt: skip
    for alert in told:
        assert "{" not in alert.summary
        assert bool(alert.control) == RULE[alert.rule].by_control or alert.control == "policy"
        assert alert.n >= 0


@given(st.integers(0, 60), st.integers(0, 60))
def test_more_failures_never_silence_a_rule(failures: int, passed: int) -> None:
    def speaks(n: int) -> bool:
        return bool(spoken("control_fails_open", decisions=runs(passed=passed, failed_open=n)))

    assert not speaks(failures) or speaks(failures + 1)
