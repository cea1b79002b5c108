"""A share from cases that were drawn with unlike chances."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from admin_tracing.stats import NOTHING, hajek, kish, share
from admin_tracing.stats.weighted import effective_n, hajek_grouped, variance

weights = st.floats(0.01, 1_000)
cases = st.lists(st.tuples(st.booleans(), weights), min_size=1, max_size=60)


def test_a_share_by_hand() -> None:
    """Weights 4, 4, 1, 1 with hits on the first and the third: (4 + 1) / 10.

    Kish: 10 ** 2 / (16 + 16 + 1 + 1) = 2.94. Variance: each weight / 10 times 0.5, squared:
    (0.04 + 0.04 + 0.0025 + 0.0025) = 0.085; 0.25 / 0.085 = 2.94 as well.
    """
    found = hajek([(True, 4.0), (False, 4.0), (True, 1.0), (False, 1.0)])
    assert found.value == 0.5
    assert found.n == 4
    assert found.n_effective == pytest.approx(100 / 34)
    four = [(True, 4.0), (False, 4.0), (True, 1.0), (False, 1.0)]
    assert variance(four, 0.5) == pytest.approx(0.085)


def test_light_cases_do_not_make_the_heavy_ones_sure() -> None:
    """Nine heavy misses and one light hit: the heavy ones say no more than nine cases can."""
    found = hajek([(True, 1.0), *[(False, 10.0)] * 9])
    assert found.value == pytest.approx(1 / 91)
    assert found.n_effective == pytest.approx(91**2 / 901)
    assert found.high > 0.3


@given(st.integers(0, 200), st.integers(0, 200), weights)
def test_all_weights_alike_give_the_plain_share_exactly(
    hits: int, misses: int, weight: float
) -> None:
    found = hajek([(True, weight)] * hits + [(False, weight)] * misses)
    plain = share(hits, hits + misses)
    assert found.value == plain.value
    assert found.n == plain.n
    assert found.n_effective == pytest.approx(plain.n_effective)
    assert [found.low, found.high] == pytest.approx([plain.low, plain.high])


@given(cases)
def test_an_estimate_lies_within_its_interval_and_that_within_0_and_1(
    given: list[tuple[bool, float]],
) -> None:
    found = hajek(given)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert 0 < found.n_effective <= found.n == len(given)


@given(cases)
def test_hits_and_misses_are_symmetric(given: list[tuple[bool, float]]) -> None:
    one, other = hajek(given), hajek([(not hit, weight) for hit, weight in given])
    assert one.value == pytest.approx(1 - other.value, abs=1e-9)
    assert one.low == pytest.approx(1 - other.high, abs=1e-6)


@given(cases, st.floats(0.01, 100))
def test_the_scale_of_the_weights_is_nothing(given: list[tuple[bool, float]], scale: float) -> None:
    one, other = hajek(given), hajek([(hit, weight * scale) for hit, weight in given])
    assert one.value == pytest.approx(other.value)
    assert one.n_effective == pytest.approx(other.n_effective, rel=1e-6)


@given(cases)
def test_the_same_cases_twice_are_narrower(given: list[tuple[bool, float]]) -> None:
    one, two = hajek(given), hajek(given * 2)
    assert two.value == pytest.approx(one.value)
    assert two.high - two.low < one.high - one.low


@given(cases)
def test_cases_of_one_group_say_no_more_than_cases_of_their_own(
    given: list[tuple[bool, float]],
) -> None:
    alone = hajek(given)
    together = hajek_grouped((hit, weight, "one turn") for hit, weight in given)
    assert together.value == pytest.approx(alone.value)
    assert together.n_effective <= alone.n_effective + 1e-9


def test_ten_claims_of_one_turn_that_are_all_held_are_one_case() -> None:
    found = hajek_grouped([(True, 1.0, "turn")] * 10)
    assert found.n == 10
    assert found.n_effective == pytest.approx(1.0)


@given(st.lists(weights, min_size=1, max_size=50))
def test_no_more_cases_are_worth_than_there_are(given: list[float]) -> None:
    assert 0 < kish(given) <= len(given)


def test_of_no_case_nothing_is_said() -> None:
    assert hajek([]) == NOTHING
    assert kish([]) == 0.0


@pytest.mark.parametrize("weight", [0.0, -1.0, float("inf"), float("nan")])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        hajek([(True, weight)])


def test_the_estimate_is_unbiased_where_bad_turns_are_drawn_more_often() -> None:
    """Of 2,000 turns a tenth is judged bad and right half the time, the others nine of ten: 0.86.

    The bad ones are all drawn, the others one of ten. Over 400 draws the mean is the truth, and the
    interval holds it about 95 times of 100; the plain share would say 0.71.
    """
    chance = random.Random(5)
    turns = [(n % 2 == 0, 1.0) for n in range(200)] + [(n % 10 != 0, 0.1) for n in range(1_800)]
    truth = sum(hit for hit, _ in turns) / len(turns)
    estimates = [
        hajek((hit, 1 / rate) for hit, rate in turns if chance.random() < rate) for _ in range(400)
    ]
    assert truth == pytest.approx(0.86)
    assert sum(one.value for one in estimates) / 400 == pytest.approx(truth, abs=0.005)
    held = sum(one.low <= truth <= one.high for one in estimates)
    assert held >= 370


@given(cases)
def test_the_effective_number_is_never_above_kish(given: list[tuple[bool, float]]) -> None:
    grouped = [(hit, weight, place) for place, (hit, weight) in enumerate(given)]
    value = hajek(given).value
    assume(0 < value < 1)
    assert effective_n(grouped, value) <= kish([weight for _, weight in given]) + 1e-9
