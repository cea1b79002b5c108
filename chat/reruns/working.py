"""The job that makes what is due, one re-run at a time: begun, watched, kept.

Whatever becomes of this process, the row's lease runs out and another one makes it anew.
"""

from __future__ import annotations

import asyncio
import logging

from chat import wiring
from chat.db import in_db
from chat.leases import RENEW_EVERY
from chat.reruns import leasing, making
from chat.reruns.problems import CannotRerun
from chat.runs import Run
from chat.taping import Reuse

log = logging.getLogger(__name__)

GO_SECONDS = 120.0  # after which a go of the job begins no other re-run
MARGIN = 15.0  # seconds that a turn may take beyond its own limit
LONGEST = 600.0  # seconds of one re-run, whatever its limit
TOO_LONG = "It took longer than {seconds:.0f} seconds and was stopped."
STOP_SECONDS = 20.0  # that a stopped turn may take to end
LIMIT_SECONDS = GO_SECONDS + LONGEST + STOP_SECONDS + 60.0
"""What a go of the job may take in all."""


async def work() -> None:
    """Make what is due, one after the other, for a while."""
    loop = asyncio.get_running_loop()
    until = loop.time() + GO_SECONDS
    while loop.time() < until and (due := await in_db(leasing.take)) is not None:
        await _make(due.pk)


async def _make(rerun: int) -> None:
    try:
        prepared = await in_db(making.prepare, rerun)
    except CannotRerun as problem:
        await in_db(making.fail, rerun, problem)
        return
    except making.NotYet:
        await in_db(leasing.put_back, rerun)
        return
    except making.Lost:
        return
    reuse = Reuse(prepared.calls, searches=prepared.searches)
    run = wiring.runner().begin(prepared.begun, prepared.ports, reuse.wrap)
    limit = min(LONGEST, prepared.ports.settings.wall_clock_ms / 1000 + MARGIN)
    why = await _over(run, rerun, limit)
    try:
        await in_db(making.finish, rerun, prepared.begun.turn.pk, reuse.ledger, why)
    except making.NotYet:
        log.warning("the turn of re-run %s has not ended; it is made anew", rerun)
        await in_db(leasing.put_back, rerun, made=True)


async def _over(run: Run, rerun: int, limit: float) -> str:
    """Wait for the turn, keeping the lease. Gives why it was broken off, or nothing.

    One that takes longer than `limit` seconds, that was stopped or that another process has now is
    ended.
    """
    if run.task is None:
        return ""
    loop = asyncio.get_running_loop()
    until, why = loop.time() + limit, ""
    try:
        while not (await asyncio.wait({run.task}, timeout=min(RENEW_EVERY, limit)))[0]:
            if loop.time() >= until:
                why = TOO_LONG.format(seconds=limit)
                break
            if not await in_db(leasing.renew, rerun):
                break
    finally:
        wiring.runner().stop(run.begun.turn.pk)  # changes nothing for one that has ended
    await asyncio.wait({run.task}, timeout=STOP_SECONDS)
    return why
