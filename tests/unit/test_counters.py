"""What is counted has a bounded number of names, and stands there with 0 before it happens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import REGISTRY, generate_latest

from chat import counters
from chat.contracts.events import Decision, ModelCall, Tokens
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.guardrails.policy import failed, guard_now


def value(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(f"plumbline_{name}", labels)


def decision(outcome: Outcome, reason: str = "", control: Control = Control.SCOPE) -> Decision:
    return Decision(control=control, outcome=outcome, reason=reason)


@pytest.mark.parametrize(
    ("outcome", "reason", "word"),
    [
        (Outcome.PASSED, "3 of 6 answer", ""),
        (Outcome.ACTED, "a rule of advice", ""),
        (Outcome.FAILED_OPEN, "timeout", "timeout"),
        (Outcome.FAILED_OPEN, "invalid, timeout", "timeout"),
        (Outcome.FAILED_CLOSED, "raised ZeroDivisionError", "raised"),
        (Outcome.FAILED_CLOSED, "nonsense", "nonsense"),
        (Outcome.FAILED_CLOSED, "cut_stream", "cut_stream"),
        (Outcome.FAILED_CLOSED, "what a model wrote", "other"),
        (Outcome.FAILED_CLOSED, "", "other"),
        (Outcome.SKIPPED, "the plain path", "plain_path"),
        (Outcome.SKIPPED, "the mode supportive", "mode"),
        (Outcome.SKIPPED, "switched off", "switched_off"),
        (Outcome.SKIPPED, "some other day", "other"),
    ],
)
def test_a_reason_becomes_a_stable_word(outcome: Outcome, reason: str, word: str) -> None:
    assert counters.reason_word(decision(outcome, reason)) == word


@given(st.sampled_from(Outcome), st.text(max_size=400), st.sampled_from(Control))
def test_no_text_makes_a_label_that_is_not_listed(
    outcome: Outcome, reason: str, control: Control
) -> None:
    word = counters.reason_word(decision(outcome, reason, control))
    assert word in counters.REASONS
    assert (word == "") == (outcome in (Outcome.PASSED, Outcome.ACTED))


def test_what_the_policy_catches_is_counted_by_its_word() -> None:
    labels = {"control": "redaction", "outcome": "failed_closed", "reason": "raised"}
    before = value("decisions_total", **labels)
    done = guard_now(lambda: 1 // 0, fallback=0)
    counters.decision(done.decision(Control.REDACTION, acted=False))
    assert before is not None
    assert value("decisions_total", **labels) == before + 1


@pytest.mark.parametrize("control", Control)
def test_silence_is_visible_from_the_start(control: Control) -> None:
    assert value("controls_due_total", control=control) is not None
    assert value("controls_missing_total", control=control) is not None
    ran = {"control": control.value, "reason": ""}
    assert value("decisions_total", outcome="passed", **ran) is not None
    fault = {"control": control.value, "outcome": failed(control).value}
    assert value("decisions_total", reason="timeout", **fault) is not None


def test_every_end_and_every_limit_is_there_before_it_happens() -> None:
    assert all(value("turns_total", termination=each) is not None for each in Termination)
    assert value("refused_frames_total", code="redaction_failed") is not None
    for limit in counters.LIMIT_NAMES:
        assert value("limits_total", limit=limit, outcome="failed_open") is not None


def test_a_controls_silence_is_counted() -> None:
    due, missing = (value(f"controls_{n}_total", control="scope") for n in ("due", "missing"))
    seen = Decision(control=Control.POLICY, outcome=Outcome.ACTED)
    counters.watched([Control.SCOPE], [Control.SCOPE], seen)
    assert value("controls_due_total", control="scope") == (due or 0) + 1
    assert value("controls_missing_total", control="scope") == (missing or 0) + 1


def test_a_call_of_a_model_counts_its_time_its_tokens_and_its_cost() -> None:
    before = {
        name: value(name, **labels) or 0.0
        for name, labels in (
            ("cost_usd_total", {"role": "judge"}),
            ("model_seconds_sum", {"role": "judge"}),
        )
    }
    tokens = value("tokens_total", **{"role": "judge", "class": "cached_input"}) or 0.0
    counters.model_call(
        ModelCall(
            role="judge", purpose="check", model="m", cost=0.25, ms=1500, outcome="repaired",
            tokens=Tokens(input=10, cached_input=7, output=3),
        )
    )  # fmt: skip
    assert value("cost_usd_total", role="judge") == before["cost_usd_total"] + 0.25
    assert value("model_seconds_sum", role="judge") == before["model_seconds_sum"] + 1.5
    assert value("tokens_total", **{"role": "judge", "class": "cached_input"}) == tokens + 7
    assert value("model_calls_total", role="judge", outcome="repaired") is not None


def test_what_an_endpoint_reports_below_zero_breaks_nothing() -> None:
    counters.model_call(
        ModelCall(role="main", purpose="answer", model="m", cost=-1.0, tokens=Tokens(input=-5))
    )


def test_a_scrape_stays_small() -> None:
    """A label that a person's words could reach would grow it without an end."""
    text = generate_latest().decode()
    assert len(re.findall(r"^plumbline_", text, re.MULTILINE)) < 1_500
