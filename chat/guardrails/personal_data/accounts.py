"""Is what begins here an IBAN? The country gives its length, the check digits prove it.

When the check fails, the writer's own word "IBAN" just before it decides: one mistyped
character leaves all the others true.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

from stdnum import iban, numdb

IBAN_BEGINS = r"[A-Z]{2}[\s.-]{0,3}\d[\s.-]{0,3}\d"
IBAN_START = rf"(?:(?<![A-Za-z0-9\0])|(?<=iban)){IBAN_BEGINS}"

_SEPARATORS = frozenset(" \t\r\n.-/")
_WIDEST_GAP = 6  # separators in a row: a line break and its indent
_NAMED = re.compile(r"(?<!\[)iban(?!\])\W{0,4}(?:(?:is|no|number|nr)\W{1,3}){0,2}\Z", re.IGNORECASE)
_PARTS = re.compile(r"([1-9][0-9]*)!")


def _lengths() -> dict[str, int]:
    """Characters of an IBAN by country, as far as the library knows countries."""
    countries = numdb.get("iban")
    found: dict[str, int] = {}
    for code in (first + second for first in ascii_uppercase for second in ascii_uppercase):
        known = countries.info(code)[0][1]
        if known:
            found[code] = 4 + sum(int(size) for size in _PARTS.findall(known["bban"]))
    return found


_LENGTHS = _lengths()


def iban_end(text: str, start: int, before: str) -> int | None:
    """Where the IBAN that begins at `start` ends, or None. `before` is the text up to it."""
    length = _LENGTHS.get(text[start : start + 2].upper())
    taken = _taken(text, start, length) if length else None
    if taken is None:
        return None
    number, end = taken
    if iban.is_valid(number, check_country=False):
        return end
    return end if _NAMED.search(before) and _has_shape(number) else None


def _taken(text: str, start: int, length: int) -> tuple[str, int] | None:
    """The next `length` letters and digits over separators, and where they end."""
    signs: list[str] = []
    gap = 0
    for place in range(start, len(text)):
        char = text[place]
        if char.isascii() and char.isalnum():
            signs.append(char)
            gap = 0
            if len(signs) == length:
                return "".join(signs).upper(), place + 1
        else:
            gap += 1
            if char not in _SEPARATORS or gap > _WIDEST_GAP:
                return None
    return None


def _has_shape(number: str) -> bool:
    """Would it be an IBAN with other check digits?"""
    return iban.is_valid(f"{number[:2]}{iban.calc_check_digits(number)}{number[4:]}", False)
