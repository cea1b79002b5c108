"""What a serving process does beside its turns: draws samples, works on batches, counts days.

Each job has its own loop, a time limit and a counter. A job takes its work from the database under
a lease, or writes what is the same when it is written twice, so that any number of processes may do
it and any of them may be killed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from chat import counters

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """`work` is called again `every` seconds after it came back, and has `limit` seconds."""

    name: str
    work: Callable[[], Awaitable[object]]
    every: float
    limit: float


@dataclass(slots=True)
class Worker:
    """The jobs of this process."""

    jobs: tuple[Job, ...]
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _wakes: dict[str, asyncio.Event] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None

    def begin(self) -> None:
        """Start every job's loop on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._wakes = {job.name: asyncio.Event() for job in self.jobs}
        self._tasks = [asyncio.create_task(self._keep_at(job)) for job in self.jobs]

    def wake(self, name: str) -> None:
        """There is work for a job: it need not wait. From any thread; harmless without a loop."""
        if self._loop is not None and name in self._wakes:
            self._loop.call_soon_threadsafe(self._wakes[name].set)

    async def end(self) -> None:
        """Break off what runs; its leases run out."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)

    async def _keep_at(self, job: Job) -> None:
        while True:
            await done_once(job)
            wake = self._wakes[job.name]
            with suppress(TimeoutError):
                async with asyncio.timeout(job.every):
                    await wake.wait()
            wake.clear()


async def done_once(job: Job) -> None:
    """One go of a job. What goes wrong is counted and logged, and the next go comes.

    `asyncio.wait_for` of Python 3.11 loses an end that comes just as the work is done.
    """
    try:
        async with asyncio.timeout(job.limit):
            await job.work()
    except TimeoutError:
        counters.job(job.name, "timeout")
        log.error("the job %s took longer than %g seconds", job.name, job.limit)
    except Exception as error:  # noqa: BLE001 - one job that breaks must not end its loop
        counters.job(job.name, "failed")
        log.warning("the job %s failed: %s", job.name, type(error).__name__)
    else:
        counters.job(job.name, "done")
