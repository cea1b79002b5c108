"""Rows that all tests of a module only begin with, written once for it.

Each test's own transaction is inside the one that holds them, so what a test writes is undone down
to them. For modules whose tests all roll back, none of them with `transaction=True`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

from django.db import transaction

Made = TypeVar("Made")


def rows(blocker: Any, make: Callable[[], Made]) -> Iterator[Made]:
    """What `make` gives, in a transaction that ends with the generator. `blocker` is the fixture
    `django_db_blocker`; `django_db_setup` has to be there before."""
    with ExitStack() as held:
        with blocker.unblock():
            held.enter_context(transaction.atomic())
            made = make()
        yield made
        with blocker.unblock():
            transaction.set_rollback(True)
            held.close()
