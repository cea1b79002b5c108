"""Tables as they stand in a passage: rows with a label, cells under headers, and their units.

Markdown tables, rows that tabs or bars part, and rows under a `Headers:` line. A bare cell gets
its unit from itself, its column's header, its row's label or the caption, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chat.guardrails.claims import quantities
from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.units import ColumnUnit, unit_of_caption, unit_of_header

_TABBED = re.compile(r"\S\t+\S")
_HEADERS = re.compile(
    r"[ \t]*(?:\*\*)?(?:table )?(?:column )?headers?(?:\*\*)?[ \t]*:[ \t]*(?:\*\*)?",
    re.IGNORECASE,
)
_BAR = re.compile(r"(?<!\\)\|")
_BRACKETS = re.compile(r"\s*\(\s*([^\s()]{0,4}\s?\d[\d.,'\u2019 ]*\s?%?)\s*\)\s*\Z")
# What a caption's currency does not reach: a ratio, and things that are counted.
_OF_ITS_OWN = re.compile(
    r"\b(?:ratio|rate|yield|per share|number|count|employees|headcount|staff|users|customers|days"
    r"|months|years)\b|%|\(x\)|\bmargin\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*_`]+")
_COUNTED = (Kind.NUMBER, Kind.YEAR)
_WIDEST = 40  # columns


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with its column's header and its figures, each in the unit of its column."""

    text: str
    header: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `label` is its first cell; `cells` are the others. `table` numbers the tables."""

    text: str
    label: str
    cells: tuple[Cell, ...]
    table: int
    caption: str
    corner: str = ""  # the header over the labels

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figure for cell in self.cells for figure in cell.figures)


@dataclass(frozen=True, slots=True)
class Parted:
    """A text without its tables (their lines are blank), their rows, and their header rows."""

    prose: str
    rows: tuple[Row, ...]
    headers: tuple[str, ...] = ()


def part(text: str, around: str = "", header: str = "") -> Parted:
    """Tables and prose of a text. `around` is what stands over it: its title and heading.

    `header` is the header row of a table that the passage before this one began: a long table is
    cut between two passages, and its rows go on under no header.
    """
    if "|" not in text and "\t" not in text:
        return Parted(text, ())
    lines = text.split("\n")
    rows: list[Row] = []
    headers: list[str] = []
    kept = list(lines)
    for number, (start, end) in enumerate(_blocks(lines)):
        goes_on = header if not any(map(str.strip, lines[:start])) else ""
        own, block = _headed(lines[start:end], goes_on)
        headers.append(own)
        above = next(filter(str.strip, reversed(lines[max(0, start - 3) : start])), "")
        rows += _rows(block, own, number, (above, around))
        kept[start:end] = [""] * (end - start)
    return Parted("\n".join(kept), tuple(rows), tuple(filter(None, headers)))


def _headed(lines: Sequence[str], goes_on: str) -> tuple[str, list[str]]:
    """The header row of a table, its own or the one under which it goes on, and its other rows."""
    block = [line for line in lines if not _is_rule(line)]
    if block and (_HEADERS.match(lines[0]) or (len(lines) > 1 and _is_rule(lines[1]))):
        return block[0], block[1:]
    if goes_on and block and len(_split(goes_on)) == len(_split(block[0])):
        return goes_on, block
    if block and _has_header(block):
        return block[0], block[1:]
    return "", block


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Runs of at least two lines that look like rows."""
    start = None
    for place, line in enumerate((*lines, "")):
        if _is_row(line):
            start = place if start is None else start
        elif start is not None:
            if place - start > 1:
                yield start, place
            start = None


def _is_row(line: str) -> bool:
    if _is_rule(line):
        return "|" in line
    bare = line.strip()
    return (
        bare.startswith("|")
        or " | " in bare
        or _TABBED.search(bare) is not None
        or bool(_HEADERS.match(line) and "|" in line)
    )


def _is_rule(line: str) -> bool:
    """The line of dashes under a header row."""
    return "--" in line and not line.strip("|:- \t")


def _split(line: str) -> list[str]:
    named = _HEADERS.match(line)
    bare = (line[named.end() :] if named else line).strip(" ")
    pieces = bare.split("\t") if "\t" in bare and "|" not in bare else _BAR.split(bare.strip("|"))
    return [_MARKUP.sub("", piece).strip() for piece in pieces[:_WIDEST]]


def _rows(lines: Sequence[str], header: str, table: int, around: tuple[str, str]) -> Iterator[Row]:
    headers = _split(header) if header else []
    caption = _caption_unit(around)
    if headers:  # the corner of a table may say what all its cells count
        caption = unit_of_header(headers[0]).over(caption)
    for line in lines:
        label, *others = _split(line)
        named = unit_of_header(label)
        named = named if _OF_ITS_OWN.search(label) else named.over(caption)
        cells = tuple(
            _cell(text, headers[place] if place < len(headers) else "", named)
            for place, text in enumerate(others, start=1)
        )
        text = line.strip().strip("|").strip()
        yield Row(text, label, cells, table, around[0], headers[0] if headers else "")


def _has_header(block: Sequence[str]) -> bool:
    """Is the first row the only one whose cells count nothing?"""
    first, *others = [any(map(_counts, _split(line)[1:])) for line in block]
    return not first and any(others)


def _counts(cell: str) -> bool:
    return any(
        figure.kind not in (Kind.YEAR, Kind.FISCAL, Kind.DATE) for figure in quantities.find(cell)
    )


def _caption_unit(around: tuple[str, str]) -> ColumnUnit:
    """From the line above the table, else from the title and heading over it."""
    for line in around:
        said = unit_of_caption(line)
        if said != ColumnUnit():
            return said
    return ColumnUnit()


def _cell(text: str, header: str, row: ColumnUnit) -> Cell:
    unit = unit_of_header(header)
    unit = unit if _OF_ITS_OWN.search(header) else unit.over(row)
    loss = _BRACKETS.match(text)
    figures = quantities.find(loss[1] if loss else text)
    return Cell(text, header, tuple(_counted(figure, unit, bool(loss)) for figure in figures))


def _counted(figure: Figure, unit: ColumnUnit, is_loss: bool) -> Figure:
    """A figure of a cell in its column's unit; in brackets it is below zero."""
    sign = -1.0 if is_loss else 1.0
    scale, kind, currency = 1.0, figure.kind, figure.unit
    if figure.kind in _COUNTED and not figure.unit:
        scale, currency = unit.scale, unit.currency
        if unit.percent:
            kind = Kind.PERCENT
        elif currency:
            kind = Kind.MONEY
        elif scale != 1.0:
            kind = Kind.NUMBER
    elif figure.kind is Kind.MONEY and not figure.scaled:
        scale = unit.scale
    return replace(
        figure,
        kind=kind,
        unit=currency,
        values=tuple(sign * value * scale for value in figure.values),
        upto=None if figure.upto is None else sign * figure.upto * scale,
        step=figure.step * scale,
        scaled=figure.scaled or scale != 1.0 or kind is Kind.PERCENT,
    )
