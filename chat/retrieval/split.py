"""Long text into parts that one vector can carry. Pure.

The embedding model sees 256 tokens, about 180 words; what stands behind them would not be
found. Parts end at paragraphs where they can, else at lines, sentences and words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

WHOLE = 180  # words; up to here a section stays one passage
PART = 130  # words; what a longer one is cut into. Smaller parts are found better, and read worse
SHORTEST = 25  # words; a shorter rest stays with the part before it

PARAGRAPH = re.compile(r"\n\s*\n")
LINE = re.compile(r"\n")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
SPACE = re.compile(r"\s+")
BREAKS = (("\n\n", PARAGRAPH), ("\n", LINE), (" ", SENTENCE), (" ", SPACE))


def parts(text: str, *, whole: int = WHOLE, part: int = PART) -> list[str]:
    """The text whole if it has at most `whole` words, else parts of about `part` at most.

    No word is lost, doubled or moved. Empty text has no parts.
    """
    if not text.strip():
        return []
    if _words(text) <= whole:
        return [text]
    return [found for found, _ in _merged(list(_packed(_units(text, part), part)))]


def _units(text: str, longest: int, level: int = 0) -> Iterator[tuple[str, str]]:
    """Pieces of at most `longest` words, each with the gap that stands before it."""
    gap, pattern = BREAKS[level]
    for piece in filter(str.strip, pattern.split(text)):
        if _words(piece) <= longest:
            yield gap, piece
        else:
            first, *rest = _units(piece, longest, level + 1)
            yield gap, first[1]
            yield from rest


def _packed(units: Iterator[tuple[str, str]], longest: int) -> Iterator[tuple[str, int]]:
    """Fills each part up; gives its text and its number of words."""
    part, size = "", 0
    for gap, piece in units:
        words = _words(piece)
        if part and size + words > longest:
            yield part, size
            part, size = "", 0
        part, size = (f"{part}{gap}{piece}" if part else piece), size + words
    yield part, size


def _merged(packed: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """A short last part joins the one before it: a vector of two lines finds nothing well."""
    if len(packed) > 1 and packed[-1][1] < SHORTEST:
        (before, size), (last, more) = packed[-2:]
        return [*packed[:-2], (f"{before}\n{last}", size + more)]
    return packed


def _words(text: str) -> int:
    return len(text.split())
