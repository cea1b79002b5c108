"""A change that is there is found, none is made up, and too little says that it is."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.change_points import SURE, Change, Sample, Shift, between, shift

FIRST = date(2026, 11, 1)


def means(n: int, mean: float, spread: float) -> Sample:
    """`n` values with this mean and this standard deviation."""
    squares = spread**2 * (n - 1) + n * mean**2
    return Sample(n, n * mean, squares)


def days(*hits: tuple[int, int]) -> list[tuple[date, Sample]]:
    """Days in a row, each as hits of turns."""
    return [(FIRST + timedelta(days=n), Sample.share(*day)) for n, day in enumerate(hits)]


@pytest.mark.parametrize(
    ("before", "after", "is_sure"),
    [
        ((40, 1_000), (190, 1_000), True),
        ((190, 1_000), (40, 1_000), True),
        ((40, 1_000), (45, 1_000), False),
        ((40, 1_000), (60, 1_000), False),
        ((0, 500), (0, 500), False),
        ((500, 500), (500, 500), False),
        ((0, 200), (30, 200), True),
        ((10, 30), (12, 30), False),
    ],
)
def test_a_share_that_moved_is_told_from_one_that_did_not(
    before: tuple[int, int], after: tuple[int, int], is_sure: bool
) -> None:
    change = between(Sample.share(*before), Sample.share(*after), is_share=True)
    assert change.is_sure is is_sure
    assert change.z is not None


def test_the_figure_is_that_of_the_books() -> None:
    """Two proportions, pooled: 15 of 100 and 30 of 100."""
    change = between(Sample.share(15, 100), Sample.share(30, 100), is_share=True)
    assert change.z == pytest.approx(2.540, abs=0.001)


def test_two_means_are_held_by_their_own_variances() -> None:
    change = between(means(50, 1.0, 0.5), means(80, 1.5, 1.0), is_share=False)
    assert change.z == pytest.approx(0.5 / (0.25 / 50 + 1 / 80) ** 0.5)
    assert change.is_sure


def test_a_mean_without_any_spread_that_moved_is_sure() -> None:
    moved = between(means(40, 1, 0), means(40, 2, 0), is_share=False)
    assert moved.z == SURE
    stayed = between(means(40, 1, 0), means(40, 1, 0), is_share=False)
    assert stayed.z == 0


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ((1, 29), (200, 400), "n = 29 and 400, too few to say"),
        ((100, 400), (3, 5), "n = 400 and 5, too few to say"),
        ((0, 0), (0, 0), "n = 0 and 0, too few to say"),
        ((1, 400), (3, 400), "4 in n = 800, too few to say"),
        ((399, 400), (398, 400), "3 in n = 800, too few to say"),
    ],
)
def test_too_little_says_so_instead_of_a_number(
    before: tuple[int, int], after: tuple[int, int], why: str
) -> None:
    change = between(Sample.share(*before), Sample.share(*after), is_share=True)
    assert change == Change(Sample.share(*before), Sample.share(*after), None, why)
    assert not change.is_sure


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
def test_before_and_after_only_change_the_sign(a: int, b: int, c: int, d: int) -> None:
    one, other = Sample.share(min(a, b), b), Sample.share(min(c, d), d)
    there, back = (
        between(one, other, is_share=True),
        between(other, one, is_share=True),
    )
    assert (there.z is None) == (back.z is None)
    if there.z is not None and back.z is not None:
        assert there.z == pytest.approx(-back.z)


def test_chance_alone_is_seldom_taken_for_a_change() -> None:
    dice = random.Random(7)
    tries = 1_000
    alarms = 0
    for _ in range(tries):
        one, other = (sum(dice.random() < 0.1 for _ in range(200)) for _ in range(2))
        alarms += between(Sample.share(one, 200), Sample.share(other, 200), is_share=True).is_sure
    assert alarms / tries < 0.01


# ---- a shift that no version explains


def test_a_lasting_shift_is_found_with_its_first_day_and_its_direction() -> None:
    found = shift(days(*[(4, 100)] * 14, *[(19, 100)] * 7), is_share=True)
    assert isinstance(found, Shift)
    assert found.is_up
    assert found.since == FIRST + timedelta(days=14)
    assert found.noticed <= FIRST + timedelta(days=17)


def test_a_fall_is_found_as_well() -> None:
    found = shift(days(*[(40, 100)] * 14, *[(10, 100)] * 7), is_share=True)
    assert isinstance(found, Shift) and not found.is_up


@pytest.mark.parametrize("hits", [(4, 100), (0, 100), (100, 100), (50, 100)])
def test_days_that_are_alike_are_no_shift(hits: tuple[int, int]) -> None:
    assert shift(days(*[hits] * 30), is_share=True) is None


def test_one_odd_day_of_few_turns_is_no_shift() -> None:
    assert shift(days(*[(4, 100)] * 12, (3, 9), *[(4, 100)] * 8), is_share=True) is None


def test_a_share_that_was_never_seen_before_is_found() -> None:
    found = shift(days(*[(0, 100)] * 10, *[(10, 100)] * 6), is_share=True)
    assert isinstance(found, Shift) and found.is_up


@pytest.mark.parametrize(
    ("given_days", "why"),
    [
        ([], "0 days with turns, too few to say"),
        ([(4, 100)], "1 day with turns, too few to say"),
        ([(4, 100)] * 9, "9 days with turns, too few to say"),
        ([(0, 0)] * 30, "0 days with turns, too few to say"),
        ([(1, 4)] * 20, "n = 28 on the first 7 days, too few to say"),
    ],
)
def test_too_few_days_or_turns_say_so(given_days: list[tuple[int, int]], why: str) -> None:
    assert shift(days(*given_days), is_share=True) == why


def test_days_without_turns_are_passed_over() -> None:
    told = days(*[(4, 100)] * 8, (0, 0), (0, 0), *[(19, 100)] * 7)
    found = shift(told, is_share=True)
    assert isinstance(found, Shift)
    assert found.since == FIRST + timedelta(days=10)


def test_a_shift_of_a_mean_is_held_by_the_spread_of_single_values() -> None:
    calm = [means(60, 2.0, 1.0)] * 14
    told = [(FIRST + timedelta(days=n), sample) for n, sample in enumerate(calm)]
    assert shift(told, is_share=False) is None
    moved = [(FIRST + timedelta(days=14 + n), means(60, 2.6, 1.0)) for n in range(6)]
    assert isinstance(shift([*told, *moved], is_share=False), Shift)


def test_chance_alone_seldom_alarms_in_a_month() -> None:
    dice = random.Random(3)
    alarms = 0
    for _ in range(300):
        month = days(*[(sum(dice.random() < 0.1 for _ in range(60)), 60) for _ in range(30)])
        alarms += isinstance(shift(month, is_share=True), Shift)
    assert alarms / 300 < 0.04


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=40))
def test_no_row_of_days_is_too_much_for_it(given_days: list[tuple[int, int]]) -> None:
    shift(days(*[(min(a, b), b) for a, b in given_days]), is_share=True)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60))
def test_sums_give_back_mean_and_variance(values: list[int]) -> None:
    from statistics import mean, variance

    sample = sum((Sample(1, v, v * v) for v in values), Sample())
    assert sample.mean == pytest.approx(mean(values))
    assert sample.variance == pytest.approx(variance(values) if len(values) > 1 else 0, abs=1e-9)
