"""The embedded PostgreSQL: started when the first process needs it, gone with the last.

It listens on a unix socket in a folder of mode 0700 and nowhere else, and holds one database and
two roles without special rights: `plumbline` owns the database, `plumbline_app` serves. `place`
decides where it lives, `folders` makes that ready, `cluster` is the server itself, `keeper` its
parent process. This module owns the locks by which processes share one server.
"""

import fcntl
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from config.embedded import cluster, folders
from config.embedded.leftovers import clear_leftovers
from config.embedded.place import ROLE, SITE_ROLE, Place, locate
from config.errors import StartError

__all__ = ["ROLE", "SITE_ROLE", "Embedded", "Place", "close_all", "is_open", "locate", "start"]

START_SECONDS = 60  # recovery after a crash replays the log first
STOP_SECONDS = 30
POLL_SECONDS = 0.01

_open: "list[Embedded]" = []  # of this process, for those who end it


@dataclass(slots=True, eq=False)
class Embedded:
    """One process's use of a running server. `started` tells whether it was started for it."""

    place: Place
    started: bool
    _users: int | None
    _keeper: "subprocess.Popen[bytes] | None"

    @property
    def url(self) -> str:
        return self.place.url()

    def close(self) -> None:
        """Gives the server up; the last user waits until it has stopped. Harmless when repeated."""
        if self._users is None:
            return
        last = _try_lock(self._users, fcntl.LOCK_EX)
        os.close(self._users)
        self._users = None
        _open.remove(self)
        if last:
            _wait_until_stopped(self.place)
        if self._keeper is not None:
            self._keeper.poll()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def start(place: Place, *, durable: bool = True) -> Embedded:
    """Starts the server of `place`, or attaches to it when it runs already.

    `durable=False` trades safety against a power cut for speed, for data that is thrown away.
    Raises StartError with one plain line when the server cannot run.
    """
    with folders.told_plainly(place):
        folders.prepare(place)
        with _locked(_starting(place), fcntl.LOCK_EX):
            opened = _use(place, durable)
    _open.append(opened)
    return opened


def is_open(place: Place) -> bool:
    """Whether this process uses the server of `place` now."""
    return any(each.place == place for each in _open)


def close_all() -> None:
    """Gives up every server that this process uses, before it ends without ceremony."""
    for each in tuple(_open):
        each.close()


def _use(place: Place, durable: bool) -> Embedded:
    """Counts this process among the users, then sees to a running server."""
    users = os.open(_users(place), os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(users, fcntl.LOCK_SH)  # waits while a keeper stops the server
        folders.check(place)
        keeper = _ensure_running(place, durable)
        cluster.ensure_database(place)
    except BaseException:
        os.close(users)
        raise
    return Embedded(place, keeper is not None, users, keeper)


def _ensure_running(place: Place, durable: bool) -> "subprocess.Popen[bytes] | None":
    """Returns the keeper when it was started here. The caller holds the starting lock."""
    if not _is_kept(place):
        clear_leftovers(place.data)
    keeper = None
    deadline = time.monotonic() + START_SECONDS
    while not cluster.answers(place):
        if keeper is None and not _is_kept(place):
            keeper = _launch(place, durable)
        elif keeper is not None and keeper.poll() is not None:
            raise StartError(f"PostgreSQL did not start: {cluster.last_words(place)}")
        if time.monotonic() > deadline:
            raise StartError(f"PostgreSQL did not answer in time: {cluster.last_words(place)}")
        time.sleep(POLL_SECONDS)
    return keeper


def _launch(place: Place, durable: bool) -> "subprocess.Popen[bytes]":
    """Starts the keeper, which inherits a lock that shows for how long it lives."""
    with _locked(_kept(place), fcntl.LOCK_EX) as lock:
        return cluster.launch(place, users_lock=_users(place), durable=durable, keep_open=lock)


def _is_kept(place: Place) -> bool:
    """Whether a keeper lives, and with it a server that somebody will stop."""
    descriptor = os.open(_kept(place), os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _wait_until_stopped(place: Place) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while _is_kept(place) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


@contextmanager
def _locked(path: Path, kind: int) -> Iterator[int]:
    """Holds a lock on a file; a child that inherits the descriptor holds it on."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, kind)
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _starting(place: Place) -> Path:
    return place.folder / "starting.lock"


def _users(place: Place) -> Path:
    return place.folder / "users.lock"


def _kept(place: Place) -> Path:
    return place.folder / "keeper.lock"
