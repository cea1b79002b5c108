"""Is what a text says with a marker a quotation of the passage? Proof by code, or no proof.

Sentences are compared whole: part of a sentence may say the opposite of it. Space, case,
outer punctuation and Markdown marks do not count; figures, signs and units do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

Words = tuple[str, ...]

FEWEST = 4  # words; a shorter sentence ("Yes.") proves nothing about what it answers

_MARKER = re.compile(r"\[(\d+)\]")
_OPENS_BLOCK = re.compile(r"[ \t]*(?:[-*+][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t]|>|\|)")
_STANDS_ALONE = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\|)")
_LINE_MARKS = re.compile(r"^[ \t]*(?:(?:[-*+]|#{1,6}|>+|\d{1,3}[.)])[ \t]+|>+)*")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_SENTENCE_END = re.compile(
    r"(?=[.!?…])"  # first of all, so that most places are passed at once
    r"(?<![ (]e\.g)(?<![ (]i\.e)(?<![ (]etc)(?<![ (]vs)(?<![ (]no)(?<![ (]approx)"
    r"[.!?…]+[\"'”’)*_`]*(?:[ \t]*\[\d+\])*(?=\s|$)"
)
_WORD = re.compile(r"(?:(?<![^\s(])[-+])?[^\W_]+(?:['_.,:/@-][^\W_]+)*|[£$€¥%°?<>=±~≤≥&@]")
_ALIKE = str.maketrans("‐‑‒–—−’‘“”", "------''\"\"")


def carried_by(text: str) -> Iterator[tuple[Words, frozenset[int]]]:
    """Each sentence that carries markers: its words without them, and the markers.

    A marker that stands alone after a sentence belongs to the sentence before it.
    """
    before: Words = ()
    for sentence in sentences(text):
        markers = frozenset(int(number) for number in _MARKER.findall(sentence))
        words = words_of(_MARKER.sub(" ", sentence)) or before
        if markers:
            yield words, markers
        before = words


def is_quoted(words: Words, passage: str) -> bool:
    """Is this, word by word, a whole sentence, heading, item or row of the passage?"""
    return len(words) >= FEWEST and words in {words_of(part) for part in sentences(passage)}


def sentences(text: str) -> Iterator[str]:
    """Sentences, headings, items and rows in order, with their markers, without block marks."""
    for block in _blocks(text):
        place = 0
        for end in _SENTENCE_END.finditer(block):
            yield block[place : end.end()]
            place = end.end()
        if block[place:].strip():
            yield block[place:]


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items, headings and table rows, without the marks before them."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and (_begins_block(line) or _STANDS_ALONE.match(lines[-1])):
            yield _joined(lines)
            lines = []
        if line.strip():
            lines.append(line)
    if lines:
        yield _joined(lines)


def _begins_block(line: str) -> bool:
    return not line.strip() or _OPENS_BLOCK.match(line) is not None


def _joined(lines: list[str]) -> str:
    return " ".join(_LINE_MARKS.sub("", line) for line in lines)


def words_of(text: str) -> Words:
    """The words, figures and signs that count in a comparison, in lower case."""
    plain = unicodedata.normalize("NFKC", _LINK.sub(r"\1", text)).translate(_ALIKE)
    return tuple(_WORD.findall(plain.casefold()))
