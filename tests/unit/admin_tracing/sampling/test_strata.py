"""Every ended turn falls into exactly one stratum: the first that fits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.sampling.strata import CAPS, THUMBS_DOWN, Ended, Stratum, stratum_of
from chat.contracts.verdicts import Confidence, Route, Termination
from config.variables import SAMPLE_RATES


@pytest.mark.parametrize(
    ("stratum", "seen"),
    [
        (Stratum.JUDGED_BAD, {"termination": "answered", "unsupported": 1}),
        (Stratum.JUDGED_BAD, {"termination": "answered_with_caveat", "unchecked": True}),
        (Stratum.JUDGED_BAD, {"termination": "gate_blocked"}),
        (Stratum.LOW_CONFIDENCE, {"termination": "answered", "confidence": "low"}),
        *((Stratum.BUDGET_ENDED, {"termination": cap}) for cap in CAPS),
        (Stratum.OFF_TOPIC, {"termination": "off_topic", "route_taken": "off_topic"}),
        (Stratum.RESTRICTED, {"termination": "restricted"}),
        (Stratum.DIRECT, {"termination": "answered", "route_taken": "direct"}),
        (Stratum.CLARIFICATION, {"termination": "clarification_expired"}),
        (Stratum.CLARIFICATION, {"termination": "superseded", "asked_back": 1}),
        (Stratum.NO_RESULTS, {"termination": "no_evidence"}),
        (Stratum.NO_RESULTS, {"termination": "no_progress"}),
        (Stratum.REST, {"termination": "answered", "confidence": "high"}),
        (Stratum.REST, {"termination": "greeted", "confidence": "none"}),
        (Stratum.REST, {"termination": "model_failed", "route_taken": "direct"}),
    ],
)
def test_a_turn_falls_where_its_end_says(stratum: Stratum, seen: dict[str, Any]) -> None:
    assert stratum_of(Ended(**seen)) is stratum


@pytest.mark.parametrize(
    ("first", "seen"),
    [
        (Stratum.JUDGED_BAD, {"unsupported": 2, "confidence": "low", "termination": "pass_cap"}),
        (Stratum.LOW_CONFIDENCE, {"confidence": "low", "termination": "time_cap"}),
        (Stratum.DIRECT, {"termination": "answered", "route_taken": "direct", "asked_back": 1}),
        (Stratum.CLARIFICATION, {"termination": "no_evidence", "asked_back": 1}),
    ],
)
def test_where_two_fit_the_first_one_counts(first: Stratum, seen: dict[str, Any]) -> None:
    assert stratum_of(Ended(**seen)) is first


@given(
    st.builds(
        Ended,
        termination=st.sampled_from(Termination),
        route_taken=st.sampled_from(["", *Route]),
        confidence=st.sampled_from(["", *Confidence]),
        unsupported=st.integers(0, 9),
        asked_back=st.integers(0, 3),
        unchecked=st.booleans(),
    )
)
def test_every_turn_has_one(seen: Ended) -> None:
    assert stratum_of(seen) in Stratum


def test_every_stratum_but_the_rest_has_a_rate_and_nothing_else_has_one() -> None:
    strata = set(Stratum) - {Stratum.REST}
    assert set(SAMPLE_RATES) == {*strata, THUMBS_DOWN}


def test_the_names_fit_their_columns() -> None:
    assert all(len(name) <= 24 for name in (*Stratum, THUMBS_DOWN))
