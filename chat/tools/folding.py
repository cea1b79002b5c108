"""Words as the directory compares them: without case, accents and endings, one slip forgiven.

The same folding stands here for Python and for PostgreSQL; a test holds them against each
other. No extension of the database is needed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import Any

import snowballstemmer
from django.db.models import Func, TextField

MARKS = "\u0300-\u036f"
UNDIVIDED = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
SMALL_WORDS = frozenset(
    ("a", "an", "and", "at", "by", "for", "in", "near", "of", "on", "the", "to")
)
WHOLE = 3  # letters; up to here a word is only found whole
MENDED = 5  # letters; from here one slip is forgiven

_MARKS = re.compile(f"[{MARKS}]")
_WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Lower case without accents; letters that have no plain twin stay."""
    text = _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower()
    for letter, plain in UNDIVIDED.items():
        text = text.replace(letter, plain)
    return text


class Folded(Func):
    """`folded` in SQL."""

    arity = 1
    output_field = TextField()
    template = "%(expressions)s"

    def as_sql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = f"lower(regexp_replace(normalize(%(expressions)s, NFKD), '[{MARKS}]', '', 'g'))"
        for letter, plain in UNDIVIDED.items():
            template = f"replace({template}, '{letter}', '{plain}')"
        return super().as_sql(compiler, connection, template=template, **context)


def words(text: str) -> list[str]:
    """The folded words that say something; all of them if none does."""
    every = _WORD.findall(folded(text))
    return [word for word in every if word not in SMALL_WORDS] or every


def root(word: str) -> str:
    """How every form of a word begins: `agenc` for agency and agencies. English."""
    if len(word) <= WHOLE:
        return word.removesuffix("s") if len(word) == WHOLE else word
    # A stemmer holds the word it works on, so threads must not share one.
    stem = str(snowballstemmer.stemmer("english").stemWord(word))
    start = commonprefix((word, stem))
    return start.removesuffix("i") if len(start) > WHOLE else start  # compan-y, compan-ies


def pattern(word: str) -> str:
    """A PostgreSQL expression that finds the word in folded text, where a word begins."""
    return rf"\m{root(word)}s?\M" if len(word) <= WHOLE else rf"\m{root(word)}"


def stands_in(word: str, others: Iterable[str]) -> bool:
    """What `pattern` finds, in Python."""
    start = root(word)
    if len(word) <= WHOLE:
        return any(other in (start, f"{start}s") for other in others)
    return any(other.startswith(start) for other in others)


@dataclass(frozen=True, slots=True)
class Mended:
    """Words after mending; `changes` are (typed, read as), for saying so."""

    words: tuple[str, ...]
    changes: tuple[tuple[str, str], ...] = ()


def mended(typed: Sequence[str], known: Collection[str]) -> Mended:
    """Words that nothing knows, read as the one word that is a slip away; others stay."""
    read = [word if stands_in(word, known) else _nearest(word, known) for word in typed]
    changes = tuple((a, b) for a, b in zip(typed, read, strict=True) if a != b)
    return Mended(tuple(read), changes)


def _nearest(word: str, known: Collection[str]) -> str:
    """Two candidates are none: a guess between them would be ours, not the person's."""
    if len(word) < MENDED:
        return word
    forms = (word, root(word))
    long = [other for other in known if len(other) >= MENDED]
    near = {other for other in long if any(_one_slip(form, other) for form in forms)}
    return near.pop() if len(near) == 1 else word


def _one_slip(one: str, other: str) -> bool:
    """Are they one lost, added, wrong or swapped letter apart?"""
    if abs(len(one) - len(other)) > 1:
        return False
    start = len(commonprefix((one, other)))
    a, b = one[start:], other[start:]
    swapped = a[:2] == b[:2][::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]


@dataclass(frozen=True, slots=True)
class Fit:
    """Which of the table's own values were meant."""

    values: tuple[str, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()


def fitting(asked: str, values: Collection[str]) -> Fit:
    """The values that hold all words asked for, or that are held in them; equal ones first."""
    equal = tuple(value for value in values if folded(value) == folded(asked))
    if equal:
        return Fit(equal)
    typed = words(asked)
    if held := tuple(_holding(typed, values)):
        return Fit(held)
    again = mended(typed, {word for value in values for word in words(value)})
    return Fit(tuple(_holding(again.words, values)), again.changes) if again.changes else Fit()


def _holding(asked: Sequence[str], values: Iterable[str]) -> Iterator[str]:
    for value in values:
        own = words(value)
        holds = all(stands_in(word, own) for word in asked)
        if asked and own and (holds or all(stands_in(word, asked) for word in own)):
            yield value
