"""How many words of a question are typed wrongly, as far as rules can tell. Pure.

A slip is an unknown word that is garbled, or one slip away from a known one. What is unknown and
neither is a name or another language, most often, and counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Protocol

from admin_tracing.ugly_wordlists import ENDINGS, OPENINGS, SHORTHAND, SMALL

REMEMBERED = 20_000  # unknown words; the same come again and again
MOST = 120  # words of a question that are held against what is known

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_STUTTER = re.compile(r"([a-z])\1\1")
_GLUED = re.compile(r"[a-z]{2}[?!][A-Za-z]{2}|[a-z]{2},[A-Za-z]{2}|[a-z]{3}\.[A-Z][a-z]{2}")
_VOWEL = re.compile(r"[aeiouy]")
SHORTEST = 3  # letters of a word that can be typed wrongly
_ACRONYM = 6  # letters of a word in capitals that is taken for one
_FAR = 5  # letters from which on a word one slip away from a known one is taken for a slip
_STRANGE = 0.4  # share of unknown words from which on a text is in another language
_FEW = 4  # words below which nobody can tell


class Words(Protocol):
    """What the documents and the language know, in lower case. It does not change."""

    def __hash__(self) -> int: ...

    def has(self, word: str) -> bool:
        """Is it known as it stands?"""
        ...

    def knows(self, word: str) -> bool:
        """Is it known in any of its forms?"""
        ...


def weight(text: str, known: Words) -> float:
    """0 without a slip, and at most 0.75: the more of the words are slips, the heavier."""
    words = [word for word in WORD.findall(text)[:MOST] if word.isascii()]
    if not words:
        return 0.0
    slips = _slips(words, known) + len(_GLUED.findall(text))
    if not slips:
        return 0.0
    return min(0.75, 0.12 + 0.9 * slips / (len(words) + 2) + 0.05 * (slips - 1))


def _slips(words: Sequence[str], known: Words) -> int:
    """In a text of another language what is near to a known word is near by chance."""
    strange = list(_strange(words, known))
    slips = sum(_is_slip(word, known) for word in strange)
    is_foreign = len(words) >= _FEW and len(strange) >= _STRANGE * len(words)
    if is_foreign and slips < len(strange):
        return sum(_is_garbled(word) for word in strange)
    return slips


def _strange(words: Sequence[str], known: Words) -> Iterator[str]:
    """The words, in lower case, that are neither known nor names nor acronyms."""
    shouted = sum(word.isupper() for word in words) > len(words) / 2
    for place, word in enumerate(words):
        low = word.lower().replace("’", "'")
        if low in SHORTHAND:
            yield low
        elif not _is_name(word, is_first=place == 0, shouted=shouted):
            if len(low) >= SHORTEST and "'" not in low and not known.knows(low):
                yield low


def _is_name(word: str, *, is_first: bool, shouted: bool) -> bool:
    """An acronym, a capital within a sentence, or one within a word, as code has them."""
    if word.isupper():
        return not shouted and len(word) <= _ACRONYM
    return (word[0].isupper() and not is_first) or any(map(str.isupper, word[1:]))


@lru_cache(REMEMBERED)
def _is_slip(word: str, known: Words) -> bool:
    if _is_garbled(word):
        return True
    if _is_form(word, known):
        return False
    return _is_glued(word, known) or any(map(known.has, _near(word)))


def _is_form(word: str, known: Words) -> bool:
    """A form of a known word that a list of words lacks: `delete` of `deleted`, `relink`."""
    if any(known.has(word + ending) for ending in ENDINGS):
        return True
    rests = (word.removeprefix(opening) for opening in OPENINGS if word.startswith(opening))
    return any(len(rest) >= SHORTEST and known.knows(rest) for rest in rests)


def _is_garbled(word: str) -> bool:
    """Typed short, a letter held down, or no vowel in it."""
    held = _STUTTER.search(word) is not None
    return word in SHORTHAND or held or _VOWEL.search(word) is None


def _is_glued(word: str, known: Words) -> bool:
    """A small word and a known one without the space between them; `playlist` is a word."""
    before = (word.removeprefix(small) for small in SMALL if word.startswith(small))
    after = (word.removesuffix(small) for small in SMALL if word.endswith(small))
    return any(len(rest) >= SHORTEST and known.knows(rest) for rest in (*before, *after))


def _near(word: str) -> Iterator[str]:
    """Words one slip away. English lies dense, so of a short word only its swapped letters."""
    swapped = (
        word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        for place in range(len(word) - 1)
        if word[place] != word[place + 1]
    )
    yield from swapped
    if len(word) < _FAR:
        return
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in ascii_lowercase)
        yield from (head + letter + tail for letter in ascii_lowercase)
