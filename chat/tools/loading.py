"""The directory from a CSV file: read, checked row by row, and taken into the table.

The first line names the columns: `name`, `kind` and `area` have to be there, `details` and
`url` may be, and every further column is an attribute.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from chat.models import DirectoryEntry
from chat.tools.base import one_line, plain

KEY = ("name", "kind", "area")
LIMITS = {"name": 120, "kind": 60, "area": 120, "details": 4_000, "url": 200}
LONGEST_VALUE = 500  # characters of an attribute
MOST_BYTES = 10_000_000

Key = tuple[str, ...]


class BadDirectory(Exception):
    """The file as a whole cannot be taken in; its text says what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of the file."""

    name: str
    kind: str
    area: str
    details: str = ""
    url: str = ""
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return (self.name, self.kind, self.area)


@dataclass(slots=True)
class Table:
    """The file's rows, and for each refused one its line and what is wrong with it."""

    rows: list[Row] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of the table, in records."""

    new: int
    changed: int
    unchanged: int
    removed: int


def read_file(path: Path) -> Table:
    """Raises BadDirectory."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadDirectory(f"{path.name} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise BadDirectory(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB; divide it.")
    try:
        return parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadDirectory(f"{path.name} is not UTF-8; save it in that encoding.") from error


def parse(text: str) -> Table:
    """The rows of CSV text, divided by commas or semicolons. Raises BadDirectory and no more."""
    first = text.partition("\n")[0]
    mark = ";" if first.count(";") > first.count(",") else ","
    lines = csv.reader(text.replace("\0", "").splitlines(keepends=True), delimiter=mark)
    try:
        return _table(lines)
    except csv.Error as error:
        raise BadDirectory(f"This is no CSV: {error}.") from error


def _table(lines: Iterator[list[str]]) -> Table:
    columns = [one_line(column).lower() for column in next(lines, [])]
    if missing := [name for name in KEY if name not in columns]:
        raise BadDirectory(f"The first line lacks the column {missing[0]}.")
    if len(set(columns)) != len(columns) or "" in columns:
        raise BadDirectory("Each column needs a name of its own in the first line.")
    table, seen = Table(), set[Key]()
    for number, cells in enumerate(lines, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        row = _row(columns, cells)
        if isinstance(row, Row) and row.key in seen:
            row = "it stands in the file before"
        if isinstance(row, Row):
            seen.add(row.key)
            table.rows.append(row)
        else:
            table.refused.append(f"Record {number}: {row}.")
    return table


def _row(columns: list[str], cells: list[str]) -> Row | str:
    """The record, or what is wrong with it."""
    if len(cells) > len(columns):
        return "it has more cells than there are columns"
    given = {column: plain(cell) for column, cell in zip(columns, cells, strict=False)}
    given |= {name: one_line(given.get(name, "")) for name in KEY}
    if lacking := [name for name in KEY if not given[name]]:
        return f"{lacking[0]} is empty"
    for column, value in given.items():
        if len(value) > LIMITS.get(column, LONGEST_VALUE):
            return f"{column} is longer than {LIMITS.get(column, LONGEST_VALUE)} characters"
    if (url := given.get("url", "")) and not url.startswith(("https://", "http://")):
        return "url does not begin with https:// or http://"
    own = {name: given.pop(name) for name in LIMITS if name in given}
    return Row(**own, attributes={name: value for name, value in given.items() if value})


def load(rows: list[Row], *, prune: bool = False) -> Loaded:
    """Take rows in, all or none. With `prune`, records that they do not hold are removed."""
    with transaction.atomic():
        kept = {_key(entry): entry for entry in DirectoryEntry.objects.select_for_update()}
        new = [row for row in rows if row.key not in kept]
        changed = [row for row in rows if row.key in kept and _differs(kept[row.key], row)]
        DirectoryEntry.objects.bulk_create(_filled(DirectoryEntry(), row) for row in new)
        DirectoryEntry.objects.bulk_update(
            [_filled(kept[row.key], row) for row in changed], ["details", "url", "attributes"]
        )
        gone = kept.keys() - {row.key for row in rows} if prune else set()
        DirectoryEntry.objects.filter(pk__in=[kept[key].pk for key in gone]).delete()
    same = len(rows) - len(new) - len(changed)
    return Loaded(len(new), len(changed), same, len(gone))


def _key(entry: DirectoryEntry) -> Key:
    return (entry.name, entry.kind, entry.area)


def _differs(entry: DirectoryEntry, row: Row) -> bool:
    return (entry.details, entry.url, entry.attributes) != (row.details, row.url, row.attributes)


def _filled(entry: DirectoryEntry, row: Row) -> DirectoryEntry:
    entry.name, entry.kind, entry.area = row.key
    entry.details, entry.url, entry.attributes = row.details, row.url, row.attributes
    return entry
