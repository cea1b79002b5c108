"""Does a comparison go the way the claim says? `Rose` needs the later figure to be the greater one.

By the times of both figures, or by which of the two things the claim names first before `than`.
"""

from __future__ import annotations

import re

from chat.guardrails.claims.columns import WHEN
from chat.guardrails.claims.figures import Figure
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.sources import Statement
from chat.guardrails.claims.support import Claim

_UP = re.compile(
    r"\b(?:grew|grow|rose|ris(?:e|ing)|increas|higher|more|dearer|longer|larger|greater|gain|extra"
    r"|up\b|jump|climb)"
)
_DOWN = re.compile(
    r"\b(?:fell|fall|declin|decreas|lower|less|fewer|cheaper|shorter|smaller|drop|down\b|reduc|sav"
    r"|discount|shrank|shrink)"
)


_Held = tuple[Figure, Statement]


def agrees(claim: Claim, said: str, one: _Held, other: _Held) -> bool:
    """Is the direction of a claim that of its two figures? False where nobody can tell.

    A claim that names none ("the difference is") has nothing to agree.
    """
    up, down = _UP.search(said) is not None, _DOWN.search(said) is not None
    if not (up or down):
        return True
    if up and down:
        return False
    subject_is_greater = _first_is_greater(claim, said, one, other)
    return subject_is_greater is not None and subject_is_greater == up


def _first_is_greater(claim: Claim, said: str, one: _Held, other: _Held) -> bool | None:
    """Is the later figure, or that of the thing named before `than`, the greater one?"""
    if " than " not in said:
        mine, theirs = _time(*other), _time(*one)  # the later figure is the subject
    else:
        mine, theirs = _place(claim, one[1], other[1]), _place(claim, other[1], one[1])
    if mine is None or theirs is None or mine == theirs:
        return None
    subject, rest = (one, other) if mine < theirs else (other, one)
    return subject[0].value > rest[0].value


def _time(figure: Figure, statement: Statement) -> float | None:
    """The year of a figure: in its column's header, or the only one in its sentence."""
    if statement.row is not None:
        headers = [cell.header for cell in statement.row.cells if figure in cell.figures]
        when = [one for header in headers for one in find(header) if one.kind in WHEN]
    else:
        when = [one for one in statement.figures if one.kind in WHEN]
    if len(when) != 1:
        return None
    if when[0].values:
        return when[0].value
    year, month, day = when[0].days[0]
    return year + month / 13 + day / 500


def _place(claim: Claim, statement: Statement, other: Statement) -> int | None:
    """Where the claim first names what tells this statement from the other one."""
    own = statement.stems - other.stems
    return next((place for place, word in enumerate(claim.said.content) if word in own), None)
