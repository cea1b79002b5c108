"""The right figure in the wrong place: of another row or column, or a loss told as a gain."""

from __future__ import annotations

from collections.abc import Sequence

from chat.guardrails.claims.columns import WHEN, named_columns
from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.signs import GAIN, LOSS
from chat.guardrails.claims.sources import Sources, Statement
from chat.guardrails.claims.support import Claim
from chat.guardrails.claims.tables import Row
from chat.guardrails.claims.tolerance import near
from chat.guardrails.claims.words import read

OTHER_ROW = "the figure stands in another row of the table"
OTHER_COLUMN = "the figure stands in another column of the table"
A_LOSS = "the sources give it as a loss"


def misplaced(claim: Claim, sources: Sources) -> str:
    """Why a figure of the claim does not belong to what the claim names, or nothing.

    Speaks only where every place that holds the figure is a row, and the claim names another
    row or column of the same table.
    """
    for figure in claim.figures:
        if figure.kind in WHEN or figure.kind is Kind.CODE:
            continue
        held = [(one, there) for one, there in sources.figures_for(figure) if near(figure, there)]
        if not held or any(statement.row is None for statement, _ in held):
            continue
        if reason := _reason(claim, figure, held, sources):
            return reason
    return ""


def _reason(
    claim: Claim, figure: Figure, held: Sequence[tuple[Statement, Figure]], sources: Sources
) -> str:
    reasons = [_of_place(claim, figure, statement, sources) for statement, _ in held]
    if all(reasons):
        return reasons[0]
    words = frozenset(claim.said.content)
    if all(there.value < 0 for _, there in held) and figure.value > 0:
        return A_LOSS if words & GAIN and not words & LOSS else ""
    return ""


def _of_place(claim: Claim, figure: Figure, statement: Statement, sources: Sources) -> str:
    row = statement.row
    assert row is not None
    words = frozenset(claim.said.content)
    if not words.issuperset(_label(row, sources)) and _names_another(row, words, sources):
        return OTHER_ROW
    cells = [cell for cell in row.cells if any(near(figure, one) for one in cell.figures)]
    named = named_columns(claim.figures, claim.said.content, row)
    if named and not any(cell in named for cell in cells):
        return OTHER_COLUMN
    return ""


def _names_another(row: Row, words: frozenset[str], sources: Sources) -> bool:
    """Does the claim name the label of another row of this table in full?"""
    return any(
        other.row.table == row.table
        and other.row.label != row.label
        and bool(label := _label(other.row, sources))
        and words.issuperset(label)
        for other in sources.statements
        if other.row is not None and other.row.caption == row.caption
    )


def _label(row: Row, sources: Sources) -> frozenset[str]:
    return frozenset(read(row.label, sources.groups).content)
