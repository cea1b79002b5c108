"""One canary a kind of personal data, and where it may have got to."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from config.redacting import RedactingHandler

# The value and, in `WRITTEN`, the words that a person would put beside it.
CANARIES = {
    "email": "canary.bird@cage-example.org",
    "phone": "+44 20 7946 0958",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "account": "12-3456-7890123-00",
    "national_id": "078-05-1120",
    "ip": "203.0.113.77",
    "name": "Robin Canary",
}
WRITTEN = {kind: canary for kind, canary in CANARIES.items()} | {
    "name": f"my name is {CANARIES['name']}"
}
ALL = "; ".join(WRITTEN.values()) + "."


def spellings(kind: str) -> set[str]:
    """A canary as it was typed and without its blanks."""
    return {CANARIES[kind].lower(), CANARIES[kind].replace(" ", "").lower()}


def assert_gone(where: str, text: str, *kinds: str) -> None:
    """None of these kinds (of all, without any) stands in a text: neither as it was written nor
    as bytes, which tables show in hex."""
    text = text.lower()
    for kind in kinds or CANARIES:
        for spelling in spellings(kind):
            assert spelling not in text, f"{kind} in {where}"
            assert spelling.encode().hex() not in text, f"{kind} in the bytes in {where}"


def every_cell() -> str:
    """All rows of all tables of the database, as one text."""
    with connection.cursor() as cursor:
        cells = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" AS t')
            cells += [row[0] for row in cursor.fetchall()]
    return "\n".join(cells)


@contextmanager
def lines_written() -> Iterator[io.StringIO]:
    """What the site's own handler writes, down to debugging lines, instead of to stderr."""
    root = logging.getLogger()
    made = next(each for each in root.handlers if isinstance(each, RedactingHandler))
    stream, before, level = io.StringIO(), made.stream, root.level
    made.setStream(stream)
    root.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        root.setLevel(level)
        made.setStream(before)
