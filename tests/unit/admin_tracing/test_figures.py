"""How the pages write a cost, a time and the end of a turn."""

from __future__ import annotations

from decimal import Decimal

import pytest

from admin_tracing.templatetags.workflow import cents, count, duration, ended, signal
from chat.contracts.verdicts import Termination
from chat.models import Turn

SIGNALS = {
    "supported": {"answered"},
    "partly": {
        *("answered_with_caveat", "no_evidence", "no_progress", "pass_cap"),
        *("token_cap", "cost_cap", "time_cap", "tool_cap"),
    },
    "failed": {"gate_blocked", "control_failed", "model_failed", "step_limit", "interrupted"},
    "unchecked": {
        *("greeted", "crisis", "off_topic", "restricted", "clarification_expired"),
        *("user_stop", "action_declined", "handed_off", "superseded"),
    },
}


@pytest.mark.parametrize(
    ("dollars", "expected"),
    [
        (0, "0 ¢"),
        (Decimal("0.00003"), "< 0.01 ¢"),
        (Decimal("0.0034"), "0.34 ¢"),
        (0.25, "25 ¢"),
        (20, "2,000 ¢"),
    ],
)
def test_a_cost_is_told_in_cents(dollars: Decimal | float, expected: str):
    assert cents(dollars) == expected


def test_no_time_yet_is_a_dash():
    assert (duration(None), duration(2_400.0)) == ("–", "2.4 s")


def test_a_count_agrees_with_its_noun():
    assert (count(1, "pass,passes"), count(3, "pass,passes")) == ("1 pass", "3 passes")


def test_every_way_to_end_has_its_signal():
    assert {name for names in SIGNALS.values() for name in names} == set(Termination)
    for expected, names in SIGNALS.items():
        for name in names:
            assert signal(Turn(status="finished", termination=name)) == expected, name


def test_a_turn_that_is_not_over_says_what_it_does():
    assert (signal(Turn(status="running")), ended(Turn(status="running"))) == ("running",) * 2
    assert ended(Turn(status="waiting")) == "waits for a reply"
    assert ended(Turn(status="finished", termination="no_evidence")) == "no evidence"
