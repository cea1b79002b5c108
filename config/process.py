"""How a serving process begins and ends: turns are kept and handed on, the database is let go."""

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from typing import Any

from django.db import connection
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from config import embedded

PATIENCE = 5.0  # seconds that handing turns on may take; after them their leases run out


def look_after_turns() -> None:
    """Has turns without a process taken over from the start, and handed on at the end."""
    reactor.callWhenRunning(_begin)
    reactor.addSystemEventTrigger("before", "shutdown", _end)


def end_process_after_reactor() -> None:
    """Ends the process as soon as the server has stopped.

    With a websocket open, CPython 3.11 crashes while it takes the interpreter down (seen with
    daphne 4.2: exit by signal 11, no matter how calmly the server stopped). Leaving without that
    last step, after everything has been closed, is the way round it; 3.12 and later need none.
    """
    if sys.version_info < (3, 12):
        reactor.addSystemEventTrigger("after", "shutdown", _leave)


def _begin() -> None:
    _kept.add(asyncio.ensure_future(_begin_work()))


async def _begin_work() -> None:
    """Turns first: what goes on beside them can wait until they are looked after."""
    from admin_tracing.jobs import WORKER
    from chat import wiring

    await wiring.begin()
    WORKER.begin()


def _end() -> Deferred:
    return Deferred.fromFuture(asyncio.ensure_future(_in_time(_end_work())))


async def _end_work() -> None:
    from admin_tracing.jobs import WORKER
    from chat import wiring

    await asyncio.gather(WORKER.end(), wiring.end())


_kept: set[asyncio.Future[None]] = set()


async def _in_time(work: Coroutine[Any, Any, None]) -> None:
    done, _ = await asyncio.wait({asyncio.ensure_future(work)}, timeout=PATIENCE)
    for each in done:
        each.exception()


def _leave() -> None:
    try:
        # Threads that still load something end with the process; that the database goes a moment
        # before them is no news for the log.
        logging.getLogger("psycopg.pool").disabled = True
        connection.close_pool()
        embedded.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)
