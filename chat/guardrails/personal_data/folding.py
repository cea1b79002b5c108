"""A plain view of a text for recognisers, with the way back to the text itself.

Digits, dashes, spaces and letters of every width and script become their plain forms, and
what cannot be seen (zero-width, soft hyphens, combining marks, controls) is left out. Spans
found in the view are cut out of the original, so nothing else of it changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_PLAIN = re.compile(r"[\t\n\r\x0b\x0c\x20-\x7e]*")
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d", "-")
_OTHER = {
    "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n",
    "\u00b7": ".", "\u2022": ".", "\u2024": ".", "\u3002": ".", "\uff61": ".", "\u30fb": ".",
    "\u2800": " ", "\u3164": " ", "\u115f": " ", "\u1160": " ", "\u2044": "/", "\u2215": "/",
}  # fmt: skip
_INVISIBLE = {"Cf", "Cc", "Mn", "Me"}
_LONGEST = 4  # a ligature of whole words stays as it is, so that the view cannot grow out of hand


@dataclass(frozen=True, slots=True)
class View:
    """The plain text, and for each of its characters the place in the original."""

    text: str
    origin: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that a non-empty span of the view stands for."""
        return self.origin[start], self.origin[end - 1] + 1


def folded(text: str) -> View:
    """The plain view. Linear in the length of the text; takes any `str`."""
    if _PLAIN.fullmatch(text):
        return View(text, range(len(text)))
    pieces: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        plain = _fold(char)
        pieces.append(plain)
        origin.extend([place] * len(plain))
    return View("".join(pieces), origin)


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    known = _DASHES.get(char) or _OTHER.get(char)
    if known:
        return known
    if char in "\t\n\r" or "\x20" <= char <= "\x7e":
        return char
    if unicodedata.category(char) in _INVISIBLE:
        return ""
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    plain = unicodedata.normalize("NFKC", char)
    if len(plain) > _LONGEST:
        return char
    visible = (c for c in plain if unicodedata.category(c) not in _INVISIBLE)
    return "".join(visible).replace("\u2044", "/") or char
