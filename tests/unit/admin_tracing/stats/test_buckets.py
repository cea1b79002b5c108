"""Counts by size: they add up, and a percentile is within its error of the exact one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.stats import bucket_of, merge, percentile
from admin_tracing.stats.buckets import (
    ERROR,
    NOTHING,
    WIDTH,
    as_json,
    counted,
    from_json,
    value_of,
)

values = st.lists(st.floats(1e-6, 1e9), min_size=1, max_size=80)
several = st.lists(st.dictionaries(st.integers(-50, 500), st.integers(0, 9)), max_size=4)
parts = st.floats(0, 1)


def exact(given: list[float], q: float) -> float:
    """The least value that a part `q` of all does not exceed."""
    return sorted(given)[max(1, math.ceil(q * len(given) - 1e-9)) - 1]


@given(values, parts)
def test_a_percentile_is_within_its_error_of_the_exact_one(given: list[float], q: float) -> None:
    found, true = percentile(counted(given), q), exact(given, q)
    assert abs(found - true) <= ERROR * true * (1 + 1e-9)


def test_the_error_is_half_a_bucket() -> None:
    assert ERROR < WIDTH / 2


@given(st.floats(1e-6, 1e9))
def test_a_value_is_in_a_bucket_that_is_a_twentieth_wide(value: float) -> None:
    middle = value_of(bucket_of(value))
    assert middle / (1 + ERROR) <= value * (1 + 1e-9)
    assert value <= middle * (1 + ERROR) * (1 + 1e-9)


@given(st.floats(1e-6, 1e9), st.floats(1e-6, 1e9))
def test_a_larger_value_is_in_no_lower_bucket(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert bucket_of(low) <= bucket_of(high)


@given(several)
def test_it_is_nothing_in_which_order_days_are_merged(
    given: list[dict[int, int]],
) -> None:
    step = merge([])
    for one in given:
        step = merge([step, one])
    assert merge(given) == merge(reversed(given)) == step


@given(values, values)
def test_merged_days_are_what_counting_both_at_once_gives(
    one: list[float], other: list[float]
) -> None:
    assert merge([counted(one), counted(other)]) == counted([*one, *other])


@given(values)
def test_a_percentile_rises(given: list[float]) -> None:
    buckets = counted(given)
    told = [percentile(buckets, q / 20) for q in range(21)]
    assert told == sorted(told)


@given(values)
def test_buckets_come_back_from_json(given: list[float]) -> None:
    buckets = counted(given)
    assert from_json(as_json(buckets)) == buckets
    assert all(isinstance(key, str) for key in as_json(buckets))


def test_zero_and_less_have_a_bucket_of_their_own_below_all() -> None:
    assert bucket_of(0) == bucket_of(-3.5) == NOTHING
    assert percentile({NOTHING: 9, bucket_of(10): 1}, 0.9) == 0.0


def test_the_ends_of_the_scale_hold_everything() -> None:
    assert bucket_of(1e-300) == bucket_of(1e-9)
    assert bucket_of(float("inf")) == bucket_of(1e15)


def test_a_rank_is_not_rounded_into_the_next_value() -> None:
    """0.07 * 100 is a little above 7 in binary, and still the seventh."""
    buckets = counted([1.0] * 7 + [100.0] * 93)
    assert percentile(buckets, 0.07) == pytest.approx(1.0, rel=ERROR)


def test_without_a_value_there_is_no_percentile() -> None:
    with pytest.raises(ValueError, match="Without a value"):
        percentile({}, 0.5)


@pytest.mark.parametrize("q", [-0.1, 95, float("nan")])
def test_a_percentile_is_asked_for_as_a_part(q: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        percentile({1: 1}, q)


def test_what_is_no_number_has_no_bucket() -> None:
    with pytest.raises(ValueError, match="no number"):
        bucket_of(float("nan"))
