"""Time in a re-run: what is reused counts what it took, and a limit on time ends it as it did."""

from __future__ import annotations

import asyncio

from chat.contracts.ports import Ports
from chat.contracts.verdicts import Termination
from chat.taping import Recorder, Reuse, setting_of
from chat.taping.elapsed import Elapsed
from tests.doubles.models import ANSWERS, IRRELEVANT, ON_TOPIC, FixedClock, ScriptedModel, Takes
from tests.factories import QUESTION, ports
from tests.unit.taping.equal import twice


def elapsed() -> tuple[FixedClock, Elapsed]:
    real = FixedClock()
    return real, Elapsed(real)


async def test_calls_one_after_the_other_take_their_times_together() -> None:
    real, clock = elapsed()
    began = clock()
    await clock.passes(2.0)
    await clock.passes(3.0)
    assert clock() - began == 5.0
    real.move(1.0)
    assert clock() - began == 6.0


async def test_calls_that_begin_together_pass_together() -> None:
    _, clock = elapsed()
    began, ends = clock(), []

    async def call(seconds: float) -> None:
        await clock.passes(seconds)
        ends.append(clock() - began)

    await asyncio.gather(call(3.0), call(1.0), call(2.0))
    assert ends == [1.0, 2.0, 3.0]


async def test_beside_a_call_that_is_made_no_time_passes_twice() -> None:
    real, clock = elapsed()
    began = clock()

    async def made(seconds: float) -> None:
        with clock.making():
            for _ in range(4):
                await asyncio.sleep(0)
            real.move(seconds)

    await asyncio.gather(clock.passes(3.0), made(2.0))
    assert clock() - began == 3.0
    await asyncio.gather(clock.passes(1.0), made(2.0))
    assert clock() - began == 5.0


async def test_a_call_that_is_broken_off_holds_up_no_other() -> None:
    _, clock = elapsed()
    left = asyncio.ensure_future(clock.passes(1.0))
    other = asyncio.ensure_future(clock.passes(2.0))
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.wait_for(other, 5)


def slow(wall_clock_ms: int = 60_000) -> Ports:
    """A turn whose topic check alone takes 61 of its 60 seconds."""
    model = ScriptedModel(
        grades={"refunds#timing": [IRRELEVANT, ANSWERS]}, topics=(Takes(61.0, ON_TOPIC),)
    )
    return ports(model, clock=model.clock, wall_clock_ms=wall_clock_ms)


async def test_a_turn_that_ran_out_of_time_does_so_again() -> None:
    ran = await twice(slow())
    assert ran.asked == []
    assert (ran.first.termination, ran.second.termination) == (Termination.TIME_CAP,) * 2


async def test_with_more_time_the_same_turn_goes_on() -> None:
    ran = await twice(slow(wall_clock_ms=90_000))
    assert ran.second.termination == ran.first.termination != Termination.TIME_CAP


async def test_a_re_run_of_a_re_run_knows_the_times_of_the_first_turn() -> None:
    given = slow()
    first = Recorder(setting_of(given))
    await first.wrap(given).model.classify_topic(QUESTION)
    again = Recorder(setting_of(given))
    await again.wrap(Reuse(first.calls).wrap(given)).model.classify_topic(QUESTION)
    assert [call["ms"] for call in again.calls] == [call["ms"] for call in first.calls] == [61_000]


async def test_a_call_that_was_kept_without_its_time_takes_none() -> None:
    given = slow()
    heard = Recorder(setting_of(given))
    await heard.wrap(given).model.classify_topic(QUESTION)
    calls = [{**call, "ms": None} for call in heard.calls]
    again = Reuse(calls).wrap(given)
    began = again.clock()
    await again.model.classify_topic(QUESTION)
    assert again.clock() == began
