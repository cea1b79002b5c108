"""One PostgreSQL for the test run, and what tests may do with it that the site may not."""

import os
import shutil
from collections.abc import Iterator
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
    _remove_leftovers()
    try:
        with embedded.start(settings.EMBEDDED, durable=False):
            _grant_rights_of_tests(settings.EMBEDDED)
            yield
    finally:
        shutil.rmtree(settings.PLUMBLINE.var, ignore_errors=True)
        shutil.rmtree(settings.EMBEDDED.folder, ignore_errors=True)


def let_flush_pass_triggers() -> None:
    """Patches Django's flush, which empties the tables between tests."""
    original = DatabaseOperations.sql_flush

    def sql_flush(self: Any, *args: Any, **kwargs: Any) -> list[str]:
        statements = original(self, *args, **kwargs)
        return [PAST_TRIGGERS, *statements] if statements else []

    DatabaseOperations.sql_flush = sql_flush


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
