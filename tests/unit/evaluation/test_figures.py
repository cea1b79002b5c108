"""Intervals and agreement, against values worked out by hand or known from textbooks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.evaluation.figures import Figure, Places, macro_f1, mcc, resampled, share

LABELS = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)


def test_a_share_has_its_wilson_interval() -> None:
    found = share([True] * 81 + [False] * 182)  # the worked example of Newcombe (1998)
    assert found.value == pytest.approx(0.3080, abs=1e-4)
    assert [found.low, found.high] == pytest.approx([0.2553, 0.3662], abs=1e-4)
    assert found.n == 263


def test_none_of_many_is_not_surely_none() -> None:
    found = share([False] * 15)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(0.2039, abs=1e-4)


def test_a_share_of_nothing_can_be_anything() -> None:
    assert share([]) == Figure(0.0, 0.0, 1.0, 0)


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_the_value_lies_in_its_interval(hits: list[bool]) -> None:
    found = share(hits)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


def test_an_interval_reads_as_its_two_ends() -> None:
    assert Figure(0.5, 0.25, 0.75, 8).interval == "0.250-0.750"


def test_resampling_gives_the_same_interval_twice_and_near_the_exact_one() -> None:
    hits = np.array([1.0] * 60 + [0.0] * 40)
    found = resampled(lambda drawn: float(hits[drawn].mean()), 100)
    assert found == resampled(lambda drawn: float(hits[drawn].mean()), 100)
    assert found.value == pytest.approx(0.6)
    assert found.low == pytest.approx(0.5, abs=0.03)
    assert found.high == pytest.approx(0.7, abs=0.03)


def test_a_draw_without_a_figure_is_left_out() -> None:
    def picky(drawn: Places) -> float:
        if len(set(drawn.tolist())) == 1:
            raise ValueError("one row alone")
        return 1.0

    assert resampled(picky, 2).value == 1


def test_macro_f1_counts_a_small_class_like_a_large_one() -> None:
    true = ["a"] * 8 + ["b"] * 2
    assert macro_f1(["a"] * 10, true) == pytest.approx((2 * 8 / 18 + 0) / 2)
    assert macro_f1(true, true) == 1


def test_mcc_of_two_classes_is_the_known_formula() -> None:
    said = ["y"] * 6 + ["n"] * 4 + ["y"] * 2 + ["n"] * 8
    true = ["y"] * 10 + ["n"] * 10
    tp, fn, fp, tn = 6, 4, 2, 8
    known = (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    assert mcc(said, true) == pytest.approx(known)


def test_saying_the_largest_class_alone_gains_nothing() -> None:
    assert mcc(["a"] * 10, ["a"] * 9 + ["b"]) == 0


@given(LABELS)
def test_full_agreement_is_one_where_there_is_a_choice(true: list[str]) -> None:
    assert mcc(true, true) == pytest.approx(1.0 if len(set(true)) > 1 else 0.0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_mcc_is_between_minus_one_and_one(pairs: list[tuple[str, str]]) -> None:
    said, true = map(list, zip(*pairs, strict=True))
    assert -1 - 1e-9 <= mcc(said, true) <= 1 + 1e-9
