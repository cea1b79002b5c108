"""Mends typing errors, one slip a word, towards the documents' words and common English.

Only a word that neither the documents nor a large English word list know is touched, and a short
one only when two of its letters were swapped: `gpu` must not become `cpu`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase

from chat.adapters.embeddings import TOKENIZER_FILE
from chat.adapters.offline.text import stem

TYPED = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
ENDINGS = (
    *("s", "es", "ies", "d", "ed", "ied", "ing", "r", "er", "ers", "or", "ors", "ly", "al"),
    *("ment", "ments", "ion", "ions", "ation", "ations", "ness", "able", "ize", "ise", "ized"),
)  # fmt: skip
SHORTEST = 3  # letters of a word that is mended at all
SHORT = 4  # letters; up to here only swapped and doubled ones are mended


@cache
def english_words() -> Mapping[str, int]:
    """Whole English words and their rank, commonest first: the embedding model's word pieces.

    Empty when the package is not installed; then only the documents' words are known.
    """
    package, inner = TOKENIZER_FILE
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return {}
    file = Path(spec.origin).parent / inner
    pieces: dict[str, int] = json.loads(file.read_text("utf-8"))["model"]["vocab"]
    return {piece: rank for piece, rank in pieces.items() if piece.isalpha() and len(piece) > 1}


class Speller:
    """Knows the documents' words and English; gives text back with its slips mended."""

    def __init__(self, documents: Collection[str], english: Mapping[str, int]) -> None:
        self._documents = frozenset(documents)
        self._english = english
        self._stems = frozenset(map(stem, documents))

    def mended(self, text: str) -> str:
        """The text with each unknown word replaced, if one slip leads to a known one."""
        return TYPED.sub(self._mend, text)

    def _mend(self, match: re.Match[str]) -> str:
        typed = match.group()
        word = typed.lower()
        if typed.isupper() or "'" in word or len(word) < SHORTEST or self.knows(word):
            return typed
        return min(self._meant(word), key=lambda other: self._unlikely(word, other), default=typed)

    def knows(self, word: str) -> bool:
        """Is the word, in lower case, one of the documents or of English, in any form?"""
        if self.has(word) or stem(word) in self._stems:
            return True
        return any(base in self._english for base in _bases(word))

    def _meant(self, word: str) -> list[str]:
        """English lies dense, so only its swapped and doubled letters are told from other words."""
        near = [other for other in _swapped_or_doubled(word) if self.has(other)]
        if near or len(word) < SHORT:
            return near
        if len(word) == SHORT:
            return [other for other in _one_letter_more(word) if other in self._documents]
        return [other for other in _one_slip_from(word) if other in self._documents]

    def has(self, word: str) -> bool:
        """Is the word, in lower case, one of the documents or of English, as it stands?"""
        return word in self._documents or word in self._english

    def _unlikely(self, word: str, other: str) -> tuple[bool, bool, int, str]:
        """Slips rarely hit the first letter; then the documents' words come first."""
        rank = self._english.get(other, len(self._english))
        return (other[0] != word[0], other not in self._documents, rank, other)


def _bases(word: str) -> Iterator[str]:
    """What the word may be a form of; stems of the whole word list would take seconds to make."""
    for ending in ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= SHORTEST:
            yield from (root, root + "e", root + "y")
            if root[-1] == root[-2]:
                yield root[:-1]


def _swapped_or_doubled(word: str) -> Iterator[str]:
    for place in range(len(word)):
        head, tail = word[:place], word[place:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if len(word) > SHORT:
            yield head + tail[0] + tail
            if tail[0] == tail[1:2]:
                yield head + tail[1:]


def _one_letter_more(word: str) -> Iterator[str]:
    """Words that lost one letter inside to become this one, as `money` did in `mony`."""
    for place in range(1, len(word)):
        yield from (word[:place] + letter + word[place:] for letter in ascii_lowercase)


def _one_slip_from(word: str) -> Iterator[str]:
    """Words that one lost, added or wrong letter turns into this one."""
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        yield head + tail[1:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        yield from (head + letter + tail[1:] for letter in ascii_lowercase)
