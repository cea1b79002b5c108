"""What a page cost: time, the processor's own time on both sides, and the number of statements.

Time of the processor tells the work even while the machine does other things. The database's is
read from Linux's account of its processes, so it is there for a server on this machine alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

T = TypeVar("T")

PROC = Path("/proc")
OF_CLIENTS = b"[local]"  # in the name of a process that serves somebody through the socket
TICK = 10.0  # ms; what ended processes used is told in these


@dataclass(frozen=True, slots=True)
class Spent:
    """Of one request, in ms; `database` is None where nobody can say."""

    took: float
    cpu: float
    database: float | None
    statements: int

    @property
    def work(self) -> float:
        return self.cpu + (self.database or 0.0)


class Meter:
    """Measures calls, one at a time. Statements are counted on every connection of the process."""

    def __init__(self) -> None:
        self._statements = 0
        self._server: int | None = None

    def __enter__(self) -> Self:
        from django.db import connection
        from django.db.backends.signals import connection_created

        connection_created.connect(self._watch)
        self._watch(connection)  # may be open already
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            self._server = _parent(int(cursor.fetchone()[0]))
        return self

    def __exit__(self, *_: object) -> None:
        from django.db import connection
        from django.db.backends.signals import connection_created

        connection_created.disconnect(self._watch)
        connection.execute_wrappers.remove(self._count)

    def of(self, call: Callable[[], T]) -> tuple[T, Spent]:
        """What the call gives, and what it took."""
        self._statements = 0
        before = self._database()
        cpu, started = time.process_time(), time.perf_counter()
        value = call()
        took, spent = time.perf_counter() - started, time.process_time() - cpu
        after = self._database()
        used = None if before is None or after is None else max(0.0, after - before)
        return value, Spent(took * 1000, spent * 1000, used, self._statements)

    def _watch(self, connection: Any, **_: Any) -> None:
        if self._count not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._count)

    def _count(self, execute: Callable[..., T], *call: Any) -> T:
        self._statements += 1
        return execute(*call)

    def _database(self) -> float | None:
        """Of all processes that serve this one and of those that ended, in ms since the start."""
        if self._server is None:
            return None
        children = [each for each in PROC.iterdir() if each.name.isdecimal()]
        own = [_used(each) for each in children if _serves(each, self._server)]
        return sum(own) + _used_by_ended(self._server)


def _parent(process: int) -> int | None:
    """None for a process of another machine."""
    named = _read(PROC / str(process) / "cmdline")
    return int(_fields(process)[1]) if b"postgres" in named else None


def _serves(process: Path, server: int) -> bool:
    return OF_CLIENTS in _read(process / "cmdline") and _fields(int(process.name))[1:2] == [
        str(server)
    ]


def _used(process: Path) -> float:
    nanoseconds = _read(process / "schedstat").split()
    return int(nanoseconds[0]) / 1e6 if nanoseconds else 0.0


def _used_by_ended(server: int) -> float:
    """What helpers of a statement used stands with the server once they are gone."""
    fields = _fields(server)
    return (int(fields[13]) + int(fields[14])) * TICK if fields else 0.0


def _fields(process: int) -> list[str]:
    """The values of `stat` after the name, which may hold spaces itself."""
    return _read(PROC / str(process) / "stat").decode().rpartition(")")[2].split()


def _read(path: Path) -> bytes:
    """Nothing of a process that ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
