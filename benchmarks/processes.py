"""The processes of a benchmark: each in a group of its own, measured from outside, and ended.

CPU time is what the kernel counted for a process and all its threads, without its children.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 90  # a first start makes a database; another machine may be slow at that
STOP_SECONDS = 20
TICK = 1_000_000 / os.sysconf("SC_CLK_TCK")  # microseconds
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Process:
    """A process that listens on `port` of this machine."""

    pid: int
    port: int

    def cpu(self) -> float:
        """Microseconds of CPU that it has used, in steps of the kernel's tick (10 ms)."""
        return cpu_of(self.pid)


def cpu_of(pid: int) -> float:
    """Microseconds of CPU of a process with its threads; 0 once it has gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * TICK


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(
    *arguments: str, port: int, log: Path, env: Mapping[str, str]
) -> AsyncIterator[Process]:
    """A Python process with these arguments, once it listens on its port.

    Raises `RuntimeError` with the end of its output if it does not come to that.
    """
    with log.open("wb") as output:
        started = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, cwd=ROOT, env={"PATH": os.defpath, **env},
            stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        await _until_up(started, port, log)
        yield Process(started.pid, port)
    finally:
        await _end(started)


async def _until_up(started: asyncio.subprocess.Process, port: int, log: Path) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(START_SECONDS):
            while started.returncode is None:
                if await _answers(port):
                    return
                await asyncio.sleep(0.1)
    raise RuntimeError(
        f"nothing listens on port {port}, exit {started.returncode}:\n{_end_of(log)}"
    )


def _end_of(log: Path) -> str:
    return log.read_text(errors="replace")[-2_000:]


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def _end(started: asyncio.subprocess.Process) -> None:
    """Asks it to end, then ends whatever is left of its group."""
    with suppress(ProcessLookupError, TimeoutError):
        started.terminate()
        async with asyncio.timeout(STOP_SECONDS):
            await started.wait()
    with suppress(ProcessLookupError):
        os.killpg(started.pid, signal.SIGKILL)
    await started.wait()
