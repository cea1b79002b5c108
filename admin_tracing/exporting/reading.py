"""A file that people filled in, as labels: CSV or JSON lines, a problem for each bad line. Pure.

A line without a word from a person is no label and no problem.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from admin_tracing.spreadsheet import plain

MOST_LINES = 20_000
LONGEST_NOTE = 2_000  # characters

NEEDED = (
    *("direct", "single_shot", "iterative", "clarify", "off_topic", "cannot_tell"),
    "needs_expert",
)
GROUNDED = ("yes", "partly", "no", "cannot_tell", "needs_expert")
CORRECT = ("yes", "partly", "no", "cannot_tell")

SAID_AS = {
    **dict.fromkeys(("y", "true", "1"), "yes"),
    **dict.fromkeys(("n", "false", "0"), "no"),
    **dict.fromkeys(("cant_tell", "can_not_tell"), "cannot_tell"),
    "needs_an_expert": "needs_expert",
}
"""What people write for an answer, by hand or as the pages say it."""

DELIMITERS = (",", ";", "\t")


class BadFile(ValueError):
    """A file that cannot be read at all. Its text says what to do."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one line says of one turn; None where it says nothing of that.

    `line` is its number as a spreadsheet shows it: from 1, with the head of a CSV as the first.
    """

    line: int
    turn: UUID
    needed: str | None
    grounded: str | None
    correct: str | None
    note: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line was not taken."""

    line: int
    why: str


def read(data: bytes, *, as_json: bool) -> tuple[list[Said], list[Problem]]:
    """The labels of a file and what could not be read. Raises `BadFile`."""
    said: list[Said] = []
    problems: list[Problem] = []
    seen: dict[UUID, int] = {}
    for count, (number, row) in enumerate(_rows(data, as_json=as_json), start=1):
        if count > MOST_LINES:
            raise BadFile(f"The file has more than {MOST_LINES:,} lines. Split it.")
        told = _told(number, row) if isinstance(row, Mapping) else Problem(number, str(row))
        if isinstance(told, Problem):
            problems.append(told)
        elif told is not None and told.turn in seen:
            problems.append(Problem(number, f"the turn stands in line {seen[told.turn]} already"))
        elif told is not None:
            seen[told.turn] = number
            said.append(told)
    return said, problems


def _rows(data: bytes, *, as_json: bool) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """Numbered rows; a text in place of a row says why it is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile("The file is not UTF-8. Save it as CSV UTF-8.") from None
    return _json_rows(text) if as_json else _csv_rows(text)


def _csv_rows(text: str) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """Commas, semicolons or tabs, as the spreadsheet of a country writes them."""
    head = next(iter(text[:10_000].splitlines()), "")
    delimiter = max(DELIMITERS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if "turn" not in names:
            raise BadFile("The file has no column named turn. Begin with the exported spreadsheet.")
        for number, cells in enumerate(reader, start=2):
            named = zip(names, cells, strict=False)  # a spreadsheet leaves empty ends away
            yield number, {name: plain(cell) for name, cell in named if name}
    except csv.Error as error:
        raise BadFile(f"The file is no CSV: {error}.") from None


def _json_rows(text: str) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    for number, line in enumerate(text.split("\n"), start=1):  # other breaks are part of a text
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            yield number, "the line is no JSON"
            continue
        yield number, row if isinstance(row, dict) else "the line is no JSON object"


def _told(number: int, row: Mapping[str, Any]) -> Said | Problem | None:
    words = {name: _word(row.get(name)) for name in ("right", "correct", "grounded", "needed")}
    note = _storable(str(row.get("note") or ""))
    if not any(words.values()):
        return Problem(number, "a note alone is no label") if note else None
    try:
        turn = UUID(str(row.get("turn") or "").strip())
    except ValueError:
        return Problem(number, "the turn is not named by its id")
    if len(note) > LONGEST_NOTE:
        return Problem(number, f"the note is longer than {LONGEST_NOTE:,} characters")
    given = {
        "needed": (words["needed"], NEEDED),
        "grounded": (words["grounded"], GROUNDED),
        "right": (words["right"] or words["correct"], CORRECT),
    }
    for name, (word, known) in given.items():
        if word and word not in known:
            words_known = ", ".join(known).replace("_", " ")
            return Problem(number, f"{name} is {word[:40]!r} and not one of {words_known}")
    needed, grounded, correct = (word or None for word, _ in given.values())
    return Said(number, turn, needed, grounded, correct, note)


def _storable(text: str) -> str:
    """Without what no database takes: a zero character, half of a pair of surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode().strip()


def _word(value: Any) -> str:
    """A cell as a label's value: `Single shot` and `single_shot` are one."""
    text = "" if value is None else str(value)
    word = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    word = word.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return SAID_AS.get(word, word)
