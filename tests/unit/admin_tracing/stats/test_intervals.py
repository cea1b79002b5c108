"""Wilson's interval against a published table, and what holds of every interval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.stats import NOTHING, share, wilson

# Newcombe, Statistics in Medicine 17 (1998), 857 to 872, Table I, the score method without
# continuity correction.
PUBLISHED = (
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
)

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
shares = st.floats(0, 1)


@pytest.mark.parametrize(("hits", "n", "low", "high"), PUBLISHED)
def test_the_published_intervals_come_out_to_the_last_figure(
    hits: int, n: int, low: float, high: float
) -> None:
    found = share(hits, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@pytest.mark.parametrize(("hits", "n", "low", "high"), PUBLISHED)
def test_the_misses_have_the_mirrored_interval(hits: int, n: int, low: float, high: float) -> None:
    found = share(n - hits, n)
    assert (round(1 - found.high, 4), round(1 - found.low, 4)) == (low, high)


@given(counts)
def test_an_interval_lies_within_0_and_1_and_holds_its_share(given: tuple[int, int]) -> None:
    found = share(*given)
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(counts)
def test_hits_and_misses_are_symmetric(given: tuple[int, int]) -> None:
    hits, n = given
    one, other = share(hits, n), share(n - hits, n)
    assert one.low == pytest.approx(1 - other.high, abs=1e-12)
    assert one.high == pytest.approx(1 - other.low, abs=1e-12)


@given(counts, st.integers(2, 50))
def test_more_cases_of_the_same_share_make_it_narrower(given: tuple[int, int], times: int) -> None:
    hits, n = given
    few, many = share(hits, n), share(hits * times, n * times)
    assert many.high - many.low < few.high - few.low


@given(shares, st.floats(0.001, 1e6))
def test_cases_need_not_be_whole(part: float, n: float) -> None:
    low, high = wilson(part, n)
    assert 0 <= low <= part <= high <= 1


def test_of_no_case_everything_is_possible() -> None:
    assert share(0, 0) == NOTHING
    assert wilson(0.5, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (1, 0)])
def test_hits_that_cannot_be_are_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        share(hits, n)


@pytest.mark.parametrize(("part", "n"), [(-0.1, 3.0), (1.1, 3.0), (0.5, -1.0), (float("nan"), 1.0)])
def test_a_share_that_is_none_is_refused(part: float, n: float) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(part, n)
