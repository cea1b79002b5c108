"""An unsure guess goes up and never down, and what must be looked up never goes direct."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Route, RouteGuess
from chat.guardrails.routes import LEVELS, decide, never_direct

DECIDED = st.sampled_from(LEVELS)
SHARES = st.floats(min_value=0, max_value=1)


def decided(route: Route, confidence: float, least: float = 0.62, direct: float = 0.85) -> Route:
    guess = RouteGuess(route=route, confidence=confidence)
    return decide(guess, threshold=least, direct_threshold=direct)


@pytest.mark.parametrize(
    ("route", "confidence", "path"),
    [
        (Route.DIRECT, 1.0, Route.DIRECT),
        (Route.DIRECT, 0.85, Route.DIRECT),
        (Route.DIRECT, 0.849, Route.SINGLE_SHOT),
        (Route.DIRECT, 0.62, Route.SINGLE_SHOT),
        (Route.DIRECT, 0.3, Route.SINGLE_SHOT),
        (Route.SINGLE_SHOT, 1.0, Route.SINGLE_SHOT),
        (Route.SINGLE_SHOT, 0.62, Route.SINGLE_SHOT),
        (Route.SINGLE_SHOT, 0.619, Route.ITERATIVE),
        (Route.SINGLE_SHOT, 0.0, Route.ITERATIVE),
        (Route.ITERATIVE, 0.62, Route.ITERATIVE),
        (Route.ITERATIVE, 0.1, Route.ITERATIVE),
    ],
)
def test_every_branch_of_the_rule(route: Route, confidence: float, path: Route) -> None:
    assert decided(route, confidence) is path


@given(DECIDED, SHARES, SHARES, SHARES)
def test_no_guess_ever_goes_down(route: Route, sure: float, least: float, direct: float) -> None:
    path = decided(route, sure, least, direct)
    assert LEVELS.index(path) - LEVELS.index(route) in (0, 1)


@given(SHARES, SHARES)
def test_direct_needs_both_thresholds(sure: float, least: float) -> None:
    path = decided(Route.DIRECT, sure, least=least, direct=0.85)
    assert (path is Route.DIRECT) == (sure >= max(least, 0.85))


@given(DECIDED, SHARES, SHARES)
def test_more_confidence_never_costs_more(route: Route, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert LEVELS.index(decided(route, high)) <= LEVELS.index(decided(route, low))


def test_a_confidence_that_is_no_number_counts_as_none() -> None:
    assert decided(Route.DIRECT, math.nan) is Route.SINGLE_SHOT
    assert decided(Route.SINGLE_SHOT, math.nan) is Route.ITERATIVE


@pytest.mark.parametrize("route", [route for route in Route if route not in LEVELS])
def test_a_route_that_no_router_decides_raises(route: Route) -> None:
    with pytest.raises(ValueError, match=route.value):
        decided(route, 1.0)


@pytest.mark.parametrize(
    "query",
    [
        # bare ids, codes, numbers
        "E310",
        "auth.E007",
        "billing.errors",
        "4471",
        "order 88213",
        "0x80070057",
        "PX-400-12",
        "3f2b8c1e-5d6a-4c0f-9c4e-1a2b3c4d5e6f",
        "is 42 the answer",
        "what is ENOSPC_LIMIT",
        "std::bad_alloc",
        "/etc/hosts",
        "run with --force",
        "NullPointerException",
        "٤٤٧١",
        # pasted errors
        "connection refused",
        "Error: something you did",
        "Traceback (most recent call last)",
        "it timed out for you",
        "one line\nanother line\na third line",
        # fragments
        "invoice",
        "my invoice",
        "refund??",
        "your prices",
        "status page",
        "small woven basket",
        "ceramic wall lamp white",
        "Jane Doe",
        "",
        "   ",
        "???",
    ],
)
def test_what_has_to_be_looked_up_never_goes_direct(query: str) -> None:
    assert never_direct(query)


@pytest.mark.parametrize(
    "query",
    [
        "thanks",
        "Thank you!",
        "hello",
        "yes",
        "no",
        "OK",
        "got it",
        "i see",
        "never mind",
        "who are you?",
        "what can you do",
        "tell me a joke",
        "that was very kind of you",
        "how are you today",
        "can you say that in simpler words please",
        "what should I call you",
        "is there any meaning in all of this?",
    ],
)
def test_small_talk_may_go_direct(query: str) -> None:
    assert not never_direct(query)


def test_a_question_is_left_to_the_classifier() -> None:
    """The shape of a whole sentence says nothing about whether a document is needed."""
    assert not never_direct("How long does a refund take?")


@given(st.text(), st.sampled_from("0123456789"), st.text())
def test_no_text_with_a_digit_goes_direct(before: str, digit: str, after: str) -> None:
    assert never_direct(before + digit + after)


@given(st.text(max_size=400))
def test_any_text_has_an_answer(query: str) -> None:
    assert never_direct(query) in (True, False)


def test_a_long_paste_is_told_at_once() -> None:
    assert never_direct("word_" * 40_000 + "\n" + "A" * 100_000)
