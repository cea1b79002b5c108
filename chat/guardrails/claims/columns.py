"""Which columns of a table a claim speaks of: by the year in a header, or by the header's words."""

from __future__ import annotations

from collections.abc import Sequence

from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.tables import Cell, Row
from chat.guardrails.claims.tolerance import fits, near
from chat.guardrails.claims.words import Stems, stems

WHEN = (Kind.YEAR, Kind.FISCAL, Kind.DATE)


def named_columns(figures: Sequence[Figure], words: Stems, row: Row) -> tuple[Cell, ...]:
    """The cells of a row under the headers that a claim names, by year or by all their words.

    Empty where it names none, or all.
    """
    when = [figure for figure in figures if figure.kind in WHEN]
    known = frozenset(words)
    named = tuple(cell for cell in row.cells if _is_named(cell.header, when, known, row))
    return named if len(named) < len(row.cells) else ()


def _is_named(header: str, when: Sequence[Figure], words: frozenset[str], row: Row) -> bool:
    dated = [figure for figure in find(header) if figure.kind in WHEN]
    if dated:
        return any(fits(one, other) or near(one, other) for one in when for other in dated)
    shared = [stems(cell.header) for cell in row.cells if cell.header != header]
    own = [word for word in stems(header) if not any(word in other for other in shared)]
    return bool(own) and words.issuperset(own)
