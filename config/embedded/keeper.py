"""The parent process of one embedded PostgreSQL, run as a script with the standard library alone.

Every process that uses the server holds a shared lock on one file. The keeper waits for the
exclusive lock on it, which the kernel grants when the last user has ended in whatever way, stops
the server and ends. When the keeper itself dies, the kernel interrupts the server. So a server
outlives the process that started it while another still uses it, and never outlives them all.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 20
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)


class Ended(Exception):
    """The server has ended, or somebody asked the keeper to end."""


def main(arguments: list[str]) -> int:
    """`USERS_LOCK UID GID PROGRAM ARGUMENT…`; uid and gid are `-` for the keeper's own."""
    users_lock, uid, gid, *command = arguments
    server = launch(command, uid, gid)
    try:
        for number in SIGNALS:
            signal.signal(number, _end)
        if server.poll() is None:  # it may have ended before its signal was listened for
            wait_for_last_user(users_lock)
    except Ended:
        pass
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else signal.SIG_IGN)
    return stop(server)


def launch(command: list[str], uid: str, gid: str) -> "subprocess.Popen[bytes]":
    """Starts the server so that it ends with this process, whatever ends it."""
    bound = _bound_to(os.getpid())
    if uid == "-":
        return subprocess.Popen(command, preexec_fn=bound)
    return subprocess.Popen(
        command, preexec_fn=bound, user=int(uid), group=int(gid), extra_groups=[]
    )


def wait_for_last_user(users_lock: str) -> None:
    """Returns when no process holds the lock any more; raises Ended when the server is gone."""
    descriptor = os.open(users_lock, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def stop(server: "subprocess.Popen[bytes]") -> int:
    """A fast stop: sessions are cut, everything is written; at worst an immediate one."""
    server.send_signal(signal.SIGINT)
    try:
        return server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)
        return server.wait()


def _bound_to(parent: int) -> Callable[[], None]:
    """What the child runs before the server: its end then follows that of its parent."""
    libc = ctypes.CDLL(None)

    def bind() -> None:
        if sys.platform == "linux":
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)
        if os.getppid() != parent:
            os._exit(1)

    return bind


def _end(number: int, frame: FrameType | None) -> None:
    raise Ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
