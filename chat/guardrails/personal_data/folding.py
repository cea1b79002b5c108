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

_ODD = re.compile(r"[^\t\n\r\x20-\x7e]")
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
    if not _ODD.search(text):
        return View(text, range(len(text)))
    pieces: list[str] = []
    origin: list[int] = []
    place = 0
    for odd in _ODD.finditer(text):
        start = odd.start()
        plain = _fold(odd.group())
        pieces += (text[place:start], plain)
        origin.extend(range(place, start))
        origin.extend((start,) * len(plain))
        place = start + 1
    origin.extend(range(place, len(text)))
    return View("".join((*pieces, text[place:])), origin)


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    known = _DASHES.get(char) or _OTHER.get(char)
    if known:
        return known
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
