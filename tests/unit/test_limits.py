"""A socket may send so much at once and so much a second, and is told when to come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.errors import TooFast
from chat.limits import Bucket
from tests.doubles.models import FixedClock


def test_a_burst_up_to_the_size_is_let_through() -> None:
    bucket = Bucket(FixedClock(), size=3, refill=1)
    for _ in range(3):
        bucket.take()
    with pytest.raises(TooFast) as refused:
        bucket.take()
    assert refused.value.retry_after == 1.0


def test_what_was_used_comes_back_with_time() -> None:
    clock = FixedClock()
    bucket = Bucket(clock, size=1, refill=2)
    bucket.take()
    clock.move(0.5)
    bucket.take()
    clock.move(0.25)
    with pytest.raises(TooFast) as refused:
        bucket.take()
    assert refused.value.retry_after == 0.25


def test_whoever_comes_back_when_told_is_let_through() -> None:
    clock = FixedClock()
    bucket = Bucket(clock, size=1, refill=3)
    bucket.take()
    with pytest.raises(TooFast) as refused:
        bucket.take()
    clock.move((refused.value.retry_after or 0) + 0.01)
    bucket.take()


@given(st.lists(st.floats(0, 5), max_size=60))
def test_nobody_sends_more_than_the_size_and_the_refill(pauses: list[float]) -> None:
    clock, sent = FixedClock(), 0
    bucket = Bucket(clock, size=5, refill=2)
    for pause in pauses:
        clock.move(pause)
        try:
            bucket.take()
        except TooFast:
            continue
        sent += 1
    assert sent <= 5 + 2 * sum(pauses) + 1e-6
