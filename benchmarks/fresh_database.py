"""A database of a benchmark's own: started, migrated, and removed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fresh_database() -> Iterator[None]:
    """Django over an empty, migrated database, which is gone afterwards."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from tests import database

    with database.running():
        call_command("migrate", verbosity=0)
        try:
            yield
        finally:
            _disconnect()


def _disconnect() -> None:
    from django.db import connections

    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.close_pool()
