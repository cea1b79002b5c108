"""Which groups of a run of digits are a payment card.

Three kinds of evidence: the check digit, the way cards are grouped together with an issuer's
first digits, and the writer's own word. A number that fails its check is still taken for a
card when it is grouped like one (4-4-4-4, 4-6-5, 4-6-4) and nothing calls it an order or the
like: most such numbers are a card with one digit mistyped, and hold fifteen true ones. An
unbroken row that fails its check stays, unless the writer calls it a card.
"""

from __future__ import annotations

import re

from stdnum import luhn

from chat.guardrails.personal_data.runs import Run, Word

_SHORTEST, _LONGEST = 12, 19
_SHAPES = {(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 4, 2)}
# First digits of an issuer, and how many digits its cards have.
_ISSUERS: tuple[tuple[str, str], ...] = (
    (r"4", r"13|16|19"),
    (r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", r"16"),
    (r"220[0-4]", r"16|17|18|19"),
    (r"3[47]", r"15"),
    (r"2131|1800", r"15|16"),
    (r"3(?:0[0-5]|095|[689])", r"14|16|17|18|19"),
    (r"35", r"16|17|18|19"),
    (r"50|5[6-8]|6", r"12|13|14|15|16|17|18|19"),
    (r"8[12]|9792", r"16"),
)
_ISSUED = re.compile("|".join(rf"(?:{length}):(?:{first})" for first, length in _ISSUERS))
_WEAK = 13  # so short a number is as often an order's, so a label is believed


def card_end(run: Run, first: int) -> int | None:
    """The index after the last group of a card that begins with group `first`, or None."""
    for last, digits in reversed(_windows(run, first)):
        if _ISSUED.match(f"{len(digits)}:{digits}") and _is_card(run, first, last, digits):
            return last
    return None


def _windows(run: Run, first: int) -> list[tuple[int, str]]:
    """Ends and digits of what could be a card: evenly grouped, or the whole run in any way."""
    found: list[tuple[int, str]] = []
    digits, even, whole = "", True, first == run.first
    for index in range(first, run.stop):
        digits += run.groups[index].digits
        if len(digits) > _LONGEST or not (even or whole):
            break
        if len(digits) >= _SHORTEST and (even or index == run.stop - 1):
            found.append((index + 1, digits))
        even = even and len(run.groups[index].digits) >= 3
    return found


def _is_card(run: Run, first: int, last: int, digits: str) -> bool:
    sizes = run.sizes(first, last)
    labelled = run.told.word is Word.LABEL
    apart = len(sizes) == 1 or (first == run.first and last == run.stop)
    if _is_fraction(run, first, last):
        return False
    if luhn.is_valid(digits):
        # A part of a longer row passes by chance one time in ten, so it has to look like a card.
        if not apart and (len(digits) <= _WEAK or labelled):
            return sizes in _SHAPES
        return not labelled or len(digits) > _WEAK
    if run.told.word is Word.CARD:
        return True
    return sizes in _SHAPES and first == run.first and not labelled


def _is_fraction(run: Run, first: int, last: int) -> bool:
    """The digits after a decimal point, as logs are full of: 0.5019607843137255."""
    return first > run.first and last - first == 1 and run.gap(first) == "."
