"""Where a quantile of times lies, and which turns took longer than it."""

from __future__ import annotations

import pytest

from admin_tracing.running import times
from admin_tracing.stats.buckets import bucket_of, counted


@pytest.mark.parametrize(
    ("n", "q", "low", "high"),
    [(20, 0.5, 6, 15), (100, 0.5, 40, 61), (28, 0.95, 24, None), (100, 0.95, 91, 100)],
)
def test_a_quantile_lies_between_published_ranks(n: int, q: float, low: int, high: int | None):
    """Of medians as tables have it: the 6th and 15th of twenty, the 40th and 61st of a hundred."""
    values = [1.2**rank for rank in range(1, n + 1)]
    found = times.reach(counted(values), q)
    assert found[0] == pytest.approx(1.2**low, rel=0.025)
    assert found[1] == (None if high is None else pytest.approx(1.2**high, rel=0.025))


def test_no_turn_of_a_quantiles_own_bucket_took_longer_than_it():
    values = [950.0 + n for n in range(100)]
    buckets = counted(values)
    beyond = times.beyond(times.quantile(buckets, 0.95) or 0.0)
    assert beyond >= max(v for v in values if bucket_of(v) == bucket_of(1_044.0))
