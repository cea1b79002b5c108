"""What a fresh database needs before a command can work on it: tables, and the sample to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.db import ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor

from chat.models import DirectoryEntry, Document
from chat.roles import as_owner
from chat.sample.loader import DIRECTORY, HANDBOOK

Say = Callable[[str], None]


def set_up(say: Say, stdout: Any) -> None:
    """Migrate what is not migrated, and read the sample where there is no document at all."""
    _migrate(say)
    _load_sample_directory(stdout)
    _ingest_sample(say, stdout)


def _migrate(say: Say) -> None:
    """Under the role that owns the tables; afterwards the one that serves may use them."""
    if _is_behind():
        say("Preparing the database …")
        with as_owner():
            call_command("migrate", interactive=False, verbosity=0)


def _is_behind() -> bool:
    """Whether something is to be migrated. Who may not even look has not been let in yet."""
    try:
        executor = MigrationExecutor(connection)
    except ProgrammingError:
        connection.close()
        return True
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _ingest_sample(say: Say, stdout: Any) -> None:
    if not Document.objects.exists():
        say("Reading the Larkspur handbook …")
        call_command("ingest", str(HANDBOOK), stdout=stdout)


def _load_sample_directory(stdout: Any) -> None:
    """Only beside the sample's handbook: a site with its own documents has its own partners."""
    slugs = set(Document.objects.values_list("slug", flat=True))
    own = slugs - {path.stem for path in HANDBOOK.glob("*.md")}
    if not own and not DirectoryEntry.objects.exists():
        call_command("load_directory", str(DIRECTORY), stdout=stdout)
