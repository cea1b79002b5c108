"""Token classes are disjoint, and the price follows from them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.openai_usage import Meter, cost, tokens_of
from chat.contracts.events import Tokens
from tests.doubles.wire import USAGE

PRICES = {"m": {"input": 1.0, "cached_input": 0.1, "output": 4.0}}
counts = st.one_of(st.none(), st.integers(-5, 10_000), st.text(max_size=3))


def test_cached_and_reasoning_tokens_are_taken_out_of_their_totals() -> None:
    assert tokens_of(USAGE) == Tokens(input=20, cached_input=100, output=20, reasoning=10)


def test_a_reply_costs_what_its_classes_cost() -> None:
    dollars = cost(tokens_of(USAGE), "m", PRICES)
    assert dollars == pytest.approx((20 * 1.0 + 100 * 0.1 + 30 * 4.0) / 1_000_000)


def test_cached_input_without_a_price_of_its_own_costs_as_input() -> None:
    assert cost(Tokens(cached_input=1_000_000), "m", {"m": {"input": 2.0}}) == 2.0


def test_a_model_without_a_price_costs_nothing() -> None:
    assert cost(tokens_of(USAGE), "other", PRICES) == 0.0


def test_the_requests_of_one_question_add_up() -> None:
    meter = Meter()
    for usage in (USAGE, None, USAGE):
        meter.add(usage)
    assert meter.tokens == Tokens(input=40, cached_input=200, output=40, reasoning=20)


@given(counts, counts, counts, counts)
def test_no_report_gives_a_negative_count_or_more_than_it_says(
    prompt: Any, completion: Any, cached: Any, thought: Any
) -> None:
    tokens = tokens_of(
        {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": thought},
        }
    )
    said = sum(max(0, n) for n in (prompt, completion) if isinstance(n, int))
    assert tokens.total == said
    assert min(tokens.model_dump().values()) >= 0
