"""A stream may be as fast as it can or as slow as it was; it is never faster than life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from admin_tracing.pacing import LONGEST_WAIT, BadPace, factor_of, paced
from chat.contracts.events import Event, Token
from tests.traces import START, Trace


class Sleeper:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(round(seconds, 6))

    def clock(self) -> float:
        return self.now


def three_events(*gaps: float) -> list[Event]:
    trace = Trace(start=START)
    for offset, gap in enumerate((0.0, *gaps)):
        trace.now += timedelta(seconds=gap)
        trace.tell(Token(offset=offset, text="x"), ms=0)
    return trace.events


async def batches(*groups: list[Event]) -> AsyncIterator[list[Event]]:
    for group in groups:
        yield group


async def waits(events: list[Event], pace: str) -> list[float]:
    sleeper = Sleeper()
    stream = paced(batches(events), factor_of(pace), sleeper.sleep, sleeper.clock)
    assert [event async for event in stream] == events
    return sleeper.slept


async def test_fast_does_not_wait():
    assert await waits(three_events(1, 2), "fast") == []
    assert await waits(three_events(1, 2), "") == []


async def test_as_recorded_waits_as_long_as_it_took():
    assert await waits(three_events(1, 2), "recorded") == [1, 2]


async def test_a_factor_divides_the_waits():
    assert await waits(three_events(1, 2), "4") == [0.25, 0.5]


async def test_a_long_pause_is_cut_short():
    assert await waits(three_events(3_600, 1), "recorded") == [LONGEST_WAIT, 1]


async def test_time_that_the_reader_takes_is_not_waited_for_again():
    sleeper = Sleeper()
    async for _ in paced(batches(three_events(1, 1)), 1.0, sleeper.sleep, sleeper.clock):
        sleeper.now += 0.4
    assert sleeper.slept == [0.6, 0.6]


@pytest.mark.parametrize("pace", ["slow", "0", "-1", "nan", "inf", "1e9"])
async def test_another_pace_is_refused(pace: str):
    with pytest.raises(BadPace):
        factor_of(pace)
