"""One PostgreSQL for the test run, and what tests may do with it that the site may not."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.postgresql.operations import DatabaseOperations

from config import embedded

# The records' triggers refuse to have their tables emptied; between tests they must not.
PAST_TRIGGERS = "SET LOCAL session_replication_role = replica"


@contextmanager
def running() -> Iterator[None]:
    """The embedded server of this run, unless `DATABASE_URL` names another; gone at the end."""
    if settings.EMBEDDED is None:
        yield
        return
    if embedded.is_open(settings.EMBEDDED):
        raise RuntimeError(
            "A test's module started the database as it was imported, with the safety and the"
            " slowness of a real site. Import config.asgi where it is used."
        )
    _remove_leftovers()
    try:
        with embedded.start(settings.EMBEDDED, durable=False):
            _grant_rights_of_tests(settings.EMBEDDED)
            yield
    finally:
        shutil.rmtree(settings.PLUMBLINE.var, ignore_errors=True)
        shutil.rmtree(settings.EMBEDDED.folder, ignore_errors=True)


def let_flush_pass_triggers() -> None:
    """Patches Django's flush, which empties the tables between tests: past their triggers, and only
    those that hold something. Cutting all of them off takes fifty times as long as that.
    """

    def sql_flush(self: Any, style: Any, tables: Sequence[str], **_: Any) -> list[str]:
        filled = _filled(self.connection, tables)
        names = (self.quote_name(name) for name in filled)
        return [PAST_TRIGGERS, *(f"DELETE FROM {name}" for name in names)] if filled else []

    DatabaseOperations.sql_flush = sql_flush


def _filled(connection: Any, tables: Sequence[str]) -> list[str]:
    """Those of the tables that hold a row, in one question."""
    if not tables:
        return []
    quoted = connection.ops.quote_name
    asked = (f"EXISTS (SELECT FROM {quoted(name)})" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(asked)}")
        holds = cursor.fetchone()
    return [name for name, is_filled in zip(tables, holds, strict=True) if is_filled]


def _grant_rights_of_tests(place: embedded.Place) -> None:
    with psycopg.connect(place.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute("ALTER ROLE plumbline CREATEDB")
        connection.execute("GRANT SET ON PARAMETER session_replication_role TO plumbline")


def _remove_leftovers() -> None:
    """Folders of runs that were killed; their servers ended with them."""
    own = settings.PLUMBLINE.var
    for folder in own.parent.glob("plumbline-tests-*"):
        process = folder.name.rpartition("-")[2]
        if not Path(f"/proc/{process}").exists() and os.access(folder, os.W_OK):
            shutil.rmtree(folder, ignore_errors=True)
