"""What a killed run may leave behind: server processes without a keeper, and a pid file."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from config.errors import StartError

SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)  # fast stop, immediate stop, the end
SECONDS_EACH = 10


def clear_leftovers(data: Path) -> None:
    """Ends servers whose keeper was killed, and removes a pid file that nobody stands behind.

    PostgreSQL ignores a stale pid file itself, unless the number has gone to another process of
    the same account. The file may go only when no server process uses the data any more.
    Raises StartError when a process does not end.
    """
    for number in SIGNALS:
        if strays := servers_in(data):
            _signal(strays, number)
            _wait_for_end(strays)
    if strays := servers_in(data):
        raise StartError(f"The processes {strays} still use {data} and do not end.")
    (data / "postmaster.pid").unlink(missing_ok=True)


def servers_in(data: Path) -> list[int]:
    """The server processes that work in `data`: each of them has it as its current folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or belongs to somebody else
            program = (process / "exe").readlink().name.removesuffix(" (deleted)")
            if program == "postgres" and (process / "cwd").readlink() == data:
                found.append(int(process.name))
    return found


def _signal(processes: list[int], number: int) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _wait_for_end(processes: list[int]) -> None:
    deadline = time.monotonic() + SECONDS_EACH
    while time.monotonic() < deadline and any(_is_alive(process) for process in processes):
        time.sleep(0.01)


def _is_alive(process: int) -> bool:
    """False also for one that has ended and only waits for its parent to notice."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
