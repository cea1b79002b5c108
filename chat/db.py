"""The one bridge from the event loop to the database.

Work runs in a small pool of threads and gives its connection back at the end, so that no
connection is held across a model call or a stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8  # under the connection pool's maximum, so that a thread never waits for one

_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="db")


async def in_db(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ORM work off the loop. Exceptions of `fn` come through as they are."""
    call = partial(with_connection, partial(fn, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_pool, call)


def with_connection(call: Callable[[], T]) -> T:
    """Run ORM work in this thread, which is off the loop already, and give the connection back."""
    try:
        return call()
    finally:
        connections.close_all()
