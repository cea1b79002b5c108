"""A text as the phrases see it: lower case, single blanks, nothing hidden; and the way back.

Documents hide an order from a reader of patterns by capitals, odd letters, line breaks and
characters that nobody sees. All of that is folded here; every place in the folded text can be
told in the text itself, so that what is taken out is taken out there.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Characters that leave no mark on a page, as the inside of a character class."""

_NOTHING = re.compile(rf"[{INVISIBLE}\u0300-\u036f]+|(?<= ) +")
_BLANKS = dict.fromkeys(map(ord, "\n\r\t\v\f*`\u00a0\u2028\u2029"), " ")
_ASCII = {code: chr(code).lower() for code in range(65, 91)} | _BLANKS
_LOOK_ALIKES = dict(
    zip(
        "аеорсхуікѕԁһјοανερτιυв¡’‘“”„«»",
        'aeopcxyiksdhjoaveptiubi\'\'"""""',
        strict=True,
    )
)
_MASKED = re.compile(r"(?<=[a-z])[0134578@$]{1,3}(?=[a-z])|\b[01345]{1,2}(?=[a-z]{2})")
_LETTERS = str.maketrans("0134578@$", "oieastbas")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is what patterns read. `place` gives where a character of it stands in the "
    "original."""

    text: str
    starts: list[int] = field(default_factory=list)
    shifts: list[int] = field(default_factory=list)

    def place(self, at: int) -> int:
        """The place in the original of the character at `at`."""
        piece = bisect_right(self.starts, at)
        return at + self.shifts[piece - 1] if piece else at

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The same stretch of the original; `end` is one past the last character."""
        return self.place(start), self.place(end - 1) + 1


def folded(text: str) -> Folded:
    """Fold a text. Linear in its length."""
    flat = text.translate(_ASCII) if text.isascii() else _plain(text)
    if "\\" in flat:  # line breaks as JSON writes them
        flat = flat.replace("\\n", "  ").replace("\\r", "  ").replace("\\t", "  ")
    flat = _MASKED.sub(_unmasked, flat)
    kept, starts, shifts, last, gone = [], [], [], 0, 0
    for match in _NOTHING.finditer(flat):
        kept.append(flat[last : match.start()])
        last = match.end()
        gone += last - match.start()
        starts.append(last - gone)
        shifts.append(gone)
    return Folded("".join((*kept, flat[last:])) if kept else flat, starts, shifts)


def _plain(text: str) -> str:
    """One character for each of the text's own, whatever it is."""
    letters = {ord(c): _letter(c) for c in set(text) if not c.isascii()}
    return text.translate(letters | _ASCII)


def _letter(character: str) -> str:
    """The plain letter that it looks like, or itself where there is none of one character."""
    if ord(character) in _BLANKS:
        return " "
    lower = unicodedata.normalize("NFKD", character).lower()
    base = lower[:1] if len(lower) == 1 or all(map(unicodedata.combining, lower[1:])) else ""
    found = _LOOK_ALIKES.get(base, base) or character
    return " " if found.isspace() else found


def _unmasked(match: re.Match[str]) -> str:
    """Figures inside a word stand for letters: "1gn0re"."""
    return match[0].translate(_LETTERS)


def places(text: str, words: str) -> Iterator[int]:
    """Where `words` stand in `text`."""
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)
