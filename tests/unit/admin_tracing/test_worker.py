"""Jobs of the background: each in its own loop, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from prometheus_client import REGISTRY

from admin_tracing.jobs import JOBS
from admin_tracing.worker import Job, Worker, done_once

NEVER = 3600.0


def counted(job: str, outcome: str) -> float:
    labels = {"job": job, "outcome": outcome}
    return REGISTRY.get_sample_value("plumbline_jobs_total", labels) or 0.0


def job(work: Callable[[], Awaitable[object]], limit: float = 5.0, name: str = "test") -> Job:
    return Job(name, work, every=NEVER, limit=limit)


async def nothing() -> None:
    """A job without work."""


async def breaks() -> None:
    raise RuntimeError("it broke")


async def hangs() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("work", "outcome"), [(nothing, "done"), (breaks, "failed"), (hangs, "timeout")]
)
async def test_every_go_is_counted_by_what_became_of_it(
    work: Callable[[], Awaitable[object]], outcome: str
) -> None:
    before = counted("test", outcome)
    await done_once(job(work, limit=0.01 if work is hangs else 5.0))
    assert counted("test", outcome) == before + 1


async def test_a_job_that_breaks_keeps_no_other_from_its_work() -> None:
    done = asyncio.Event()

    async def works() -> None:
        done.set()

    worker = Worker((job(breaks, name="breaks"), job(works, name="works")))
    worker.begin()
    async with asyncio.timeout(5):
        await done.wait()
    await worker.end()


async def test_a_job_that_is_woken_does_not_wait() -> None:
    went: asyncio.Queue[int] = asyncio.Queue()

    async def works() -> None:
        await went.put(1)

    worker = Worker((job(works),))
    worker.begin()
    async with asyncio.timeout(5):
        await went.get()
        threading.Thread(target=worker.wake, args=("test",)).start()
        await went.get()
    await worker.end()


async def test_a_job_that_broke_goes_again_when_it_is_woken() -> None:
    went: asyncio.Queue[int] = asyncio.Queue()

    async def works() -> None:
        await went.put(1)
        raise RuntimeError("it broke")

    worker = Worker((job(works),))
    worker.begin()
    async with asyncio.timeout(5):
        await went.get()
        worker.wake("test")
        await went.get()
    await worker.end()


async def test_the_end_breaks_off_what_runs() -> None:
    begun, broken_off = asyncio.Event(), asyncio.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            broken_off.set()

    worker = Worker((job(long, limit=NEVER),))
    worker.begin()
    async with asyncio.timeout(5):
        await begun.wait()
        await worker.end()
    assert broken_off.is_set()


async def test_waking_nobody_is_harmless() -> None:
    worker = Worker((job(nothing),))
    worker.wake("test")
    worker.begin()
    worker.wake("no such job")
    await worker.end()
    await Worker(()).end()


def test_every_job_has_a_name_of_its_own_and_a_limit() -> None:
    names = [each.name for each in JOBS]
    assert len(set(names)) == len(names)
    assert all(0 < each.every <= 24 * 3600 and 0 < each.limit <= 3600 for each in JOBS)


async def test_an_end_is_not_lost_that_comes_as_a_job_is_done() -> None:
    done = asyncio.Event()

    async def works() -> None:
        done.set()

    worker = Worker((job(works),))
    worker.begin()
    await done.wait()
    async with asyncio.timeout(1):
        await worker.end()
    assert all(task.cancelled() for task in worker._tasks)
