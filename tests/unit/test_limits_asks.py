"""Questions are counted in moving windows: nobody gets more, and all learn when to return."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import parse_many
from limits.aio.storage import memory
from prometheus_client import REGISTRY

from chat import limits, stores
from chat.contracts.errors import ChatError, OverBudget, TooFast
from chat.limits import Asks, Limit
from tests.doubles.models import FixedClock

DAY = 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FixedClock:
    """The time of the counts, the library's own included; it moves when it is told to."""
    clock = FixedClock()
    monkeypatch.setattr(memory, "time", SimpleNamespace(time=clock))
    return clock


def person(rates: str = "2/minute;5/day", key: str = "user:5") -> Limit:
    return Limit("asks_person", key, tuple(parse_many(rates)))


def address(rates: str = "3/minute", key: str = "address:a") -> Limit:
    return Limit("asks_address", key, tuple(parse_many(rates)))


async def refused(asks: Asks, *wanted: Limit) -> ChatError:
    with pytest.raises(ChatError) as told:
        await asks.take(wanted)
    return told.value


def counted(limit: str, outcome: str) -> float:
    labels = {"limit": limit, "outcome": outcome}
    return REGISTRY.get_sample_value("plumbline_limits_total", labels) or 0.0


async def test_one_question_too_many_in_a_minute_is_refused(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    await asks.take([person()])
    clock.move(20)
    await asks.take([person()])
    error = await refused(asks, person())
    assert isinstance(error, TooFast)
    assert error.public == "One person can ask 2 questions a minute. Ask again in 41 seconds."
    assert error.retry_after == 41


async def test_the_window_moves_and_has_no_edge_to_wait_for(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for _ in range(2):
        await asks.take([person()])
        clock.move(30)
    clock.move(1)
    await asks.take([person()])
    assert (await refused(asks, person())).retry_after == 30


async def test_whoever_comes_back_when_told_is_let_through(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for _ in range(2):
        await asks.take([person()])
    clock.move((await refused(asks, person())).retry_after or 0)
    await asks.take([person()])


async def test_a_days_questions_are_a_budget_and_say_when_to_return(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for _ in range(5):
        await asks.take([person()])
        clock.move(60 * 60)
    error = await refused(asks, person())
    assert isinstance(error, OverBudget)
    assert error.public == "One person can ask 5 questions a day. Ask again in 19 hours."
    assert error.retry_after == DAY - 5 * 3600 + 1


async def test_a_refused_question_counts_under_no_limit(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    both = (person("1/minute"), address("2/minute"))
    await asks.take(both)
    for _ in range(5):
        await refused(asks, *both)
    await asks.take([address("2/minute")])


async def test_people_do_not_count_for_each_other(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for key in ("user:1", "user:2", "visitor:a"):
        await asks.take([person("1/minute", key)])


async def test_a_visitor_who_drops_the_cookie_is_held_by_the_address(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for number in range(3):
        await asks.take([person("1/minute", f"visitor:{number}"), address()])
    error = await refused(asks, person("1/minute", "visitor:new"), address())
    assert error.public.startswith("Too many questions come from your network. Ask again in ")


async def test_the_longest_wait_is_told(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    wanted = person("1/minute;1/hour")
    await asks.take([wanted])
    assert (await refused(asks, wanted)).retry_after == 3601


async def test_without_a_limit_nothing_is_counted(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    for _ in range(100):
        await asks.take([])


async def test_what_became_of_a_look_is_counted(clock: FixedClock) -> None:
    asks = Asks(clock=clock)
    passed, held = counted("asks_person", "passed"), counted("asks_person", "refused")
    for _ in range(2):
        await asks.take([person()])
    await refused(asks, person())
    assert counted("asks_person", "passed") == passed + 2
    assert counted("asks_person", "refused") == held + 1


@given(st.lists(st.integers(0, 90), max_size=40))
def test_in_no_minute_are_there_more_questions_than_allowed(pauses: list[int]) -> None:
    clock, times = FixedClock(), []

    async def ask() -> None:
        asks = Asks(clock=clock)
        for pause in pauses:
            clock.move(pause)
            try:
                await asks.take([person("3/minute")])
            except TooFast:
                continue
            times.append(clock.now)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "time", SimpleNamespace(time=clock))
        asyncio.run(ask())
    for at in times:
        assert len([other for other in times if at <= other < at + 60]) <= 3


class Away:
    """A shared store that never answers, or breaks at once; it counts who asked it."""

    def __init__(self, error: Exception | None) -> None:
        self.error, self.asked = error, 0

    async def get_window_stats(self, *_: Any) -> None:
        self.asked += 1
        if self.error is not None:
            raise self.error
        await asyncio.Event().wait()


@pytest.mark.parametrize("error", [None, ConnectionError(), OSError()])
async def test_a_store_that_is_away_lets_pass_and_this_process_counts(
    error: Exception | None, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WAIT", 0.01)
    away: Any = Away(error)
    asks, before = Asks(away, clock=clock), counted("asks_person", "failed_open")
    await asks.take([person()])
    await asks.take([person()])
    assert isinstance(await refused(asks, person()), TooFast)
    assert counted("asks_person", "failed_open") == before + 3
    assert away.asked == 1, "it is left alone for a while"
    clock.move(stores.AWAY + 60)
    await asks.take([person()])
    assert away.asked == 2


async def test_old_counts_of_this_process_are_swept_at_most_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = FixedClock()
    monkeypatch.setattr(stores, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(memory, "time", SimpleNamespace(time=clock))
    store: Any = stores.Memory()
    await store.acquire_entry("old", 1, 10)
    clock.move(stores.SWEEP_EVERY - 1)
    await store.acquire_entry("new", 1, 10)
    early = store.timer
    clock.move(1)
    await store.acquire_entry("new", 1, 10)
    assert early is None
    await store.timer
    assert list(store.events) == ["new"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "in 1 second"),
        (0.2, "in 1 second"),
        (41, "in 41 seconds"),
        (89, "in 89 seconds"),
        (90, "in 2 minutes"),
        (3_000, "in 50 minutes"),
        (5_400, "in 2 hours"),
        (4 * 3_600 + 1, "in 4 hours"),
        (4 * 3_600 + 600, "in 5 hours"),
        (DAY, "in 24 hours"),
    ],
)
def test_when_to_come_back_is_told_in_words(seconds: float, words: str) -> None:
    assert limits.soon(seconds) == words
