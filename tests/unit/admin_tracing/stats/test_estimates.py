"""What a figure says, and that too few say so instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.stats import FEWEST, Estimate, share, too_few


def test_a_share_is_said_with_its_interval() -> None:
    found = share(7, 8 * FEWEST)
    assert found.said() == "8.8 %"
    assert found.interval() == "4.3 % to 17.0 %"


@given(st.integers(0, FEWEST - 1))
def test_below_the_fewest_no_number_is_said(n: int) -> None:
    assert share(n, n).said() == f"n = {n}, too few to say"
    assert share(n, n).interval() == ""


def test_from_the_fewest_on_a_number_is_said() -> None:
    assert share(5, FEWEST).said() == "50.0 %"


def test_cases_that_weigh_as_few_are_too_few_as_well() -> None:
    found = Estimate(0.5, 0.1, 0.9, 40, 9.96)
    assert found.said() == "n = 40 with the weight of 9.9, too few to say"


def test_rounding_of_the_weight_makes_nothing_too_few() -> None:
    assert too_few(10, 10 - 1e-12) == ""


def test_large_numbers_are_written_in_groups() -> None:
    assert too_few(1_234, 3.21) == "n = 1,234 with the weight of 3.2, too few to say"


def test_another_form_may_be_given() -> None:
    assert share(1, 10).said(lambda value: f"{value:.2f}") == "0.10"


@pytest.mark.parametrize("n", [0, 9])
def test_too_few_has_its_words_as_a_property(n: int) -> None:
    assert share(0, n).too_few
