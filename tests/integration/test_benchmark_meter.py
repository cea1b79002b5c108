"""The meter of the benchmarks counts statements, and sees what the database did for them."""

from __future__ import annotations

import pytest
from django.db import connection

from benchmarks.spent import Meter
from tests import factories

pytestmark = pytest.mark.django_db

A_FEW_MS = "SELECT count(*) FROM generate_series(1, 200000) AS n WHERE md5(n::text) = ''"


def test_it_counts_the_statements_of_a_call_alone():
    with Meter() as meter:
        factories.user("ann")
        value, spent = meter.of(lambda: factories.user("ben").username)
        assert (value, spent.statements) == ("ben", 1)
        assert meter.of(lambda: None)[1].statements == 0
    factories.user("cec")
    assert meter.of(lambda: factories.user("dan"))[1].statements == 0


def test_what_the_database_does_is_its_own_work():
    def ask() -> None:
        with connection.cursor() as cursor:
            cursor.execute(A_FEW_MS)

    with Meter() as meter:
        _, spent = meter.of(ask)
    if spent.database is None:
        pytest.skip("the database runs elsewhere")
    assert spent.cpu < spent.database
    assert spent.work == spent.cpu + spent.database
