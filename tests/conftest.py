"""What every test shares: a database of the run's own, and no way off this machine."""

import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from django.db import connections

from tests import database, network

# How long an example takes says more about a busy machine than about the code.
# In CI the examples are the same each time, so that a change is judged by itself; everywhere else
# new ones are tried, and what they find is mended.
IN_CI = os.environ.get("CI") == "true"
hypothesis.settings.register_profile("plumbline", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("plumbline")

network.forbid_outside_connections()
database.let_flush_pass_triggers()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> Iterator[None]:
    """Starts the database server before the test database is made on it."""
    with database.running():
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Gives back every connection before the test database is removed."""
    yield
    with django_db_blocker.unblock():
        for connection in connections.all(initialized_only=True):
            connection.close()
            connection.close_pool()
