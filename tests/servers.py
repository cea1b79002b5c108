"""What tests of embedded servers share: folders, a query, a look at their processes."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from config.embedded.leftovers import servers_in
from config.embedded.place import Place

GONE_SECONDS = 5.0  # takes less than 0.2 s; a busy machine may be slow to look


@contextmanager
def short_folder() -> Iterator[Path]:
    """A short path that every account may pass, unlike pytest's own; nothing runs in it after."""
    parent = Path(tempfile.mkdtemp(prefix="pl-", dir="/tmp"))
    parent.chmod(0o711)
    try:
        yield parent / "postgres"
    finally:
        for process in servers_in(parent / "postgres" / "data"):
            with suppress(ProcessLookupError):  # it may end by itself just now
                os.kill(process, signal.SIGKILL)
        shutil.rmtree(parent)


def query(place: Place, statement: str, user: str = "plumbline") -> list[tuple[object, ...]]:
    with psycopg.connect(place.url(user=user), autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def is_gone_soon(place: Place) -> bool:
    """Whether no server process of `place` is left soon."""
    deadline = time.monotonic() + GONE_SECONDS
    while time.monotonic() < deadline:
        if not servers_in(place.data):
            return True
        time.sleep(0.02)
    return False


def postmaster_of(place: Place) -> int:
    """The number of the server's first process."""
    return int((place.data / "postmaster.pid").read_text().splitlines()[0])


def keeper_of(place: Place) -> int:
    """The number of the server's parent process."""
    status = Path(f"/proc/{postmaster_of(place)}/stat").read_text()
    return int(status.rpartition(")")[2].split()[1])
