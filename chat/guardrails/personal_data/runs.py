"""Runs of digits in a plain view of a text: how they are cut out and what stands around them.

A run is digits with separators between, over at most a line's end; cards and phones are
windows of its groups. What only looks like one (dates, times, amounts, addresses of machines)
is masked before, and the words just before say what a number is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from chat.guardrails.wordlists import CARD_WORDS, NUMBER_LABELS, PHONE_WORDS

# No possessive repeat of a group here or below: before Python 3.11.5 they match wrongly.
RUN = r"\(?(?:\+[ (]{0,2})?\d+(?:[ \t().\-/\r\n]{1,8}\d+)*"
CONTEXT = 64  # characters before a number that may say what it is
_NEAR = 30  # characters between a word and the number that it speaks of

_DIGITS = re.compile(r"\d+")
_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HEX = "[0-9a-fA-F]"
# Dates, times and addresses of machines, behind their first digit.
_MOMENT = (
    r"(?:(?<=1)9|(?<=2)0)\d\d-[01]\d-[0-3]\d(?:[Tt ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)?"
    r"|(?:(?:(?<=[0-3])\d)?([./-])[01]?\d|(?:(?<=[01])\d)?([./-])[0-3]?\d)[./-](?:19|20)?\d\d"
    r"|\d?:[0-5]\d(?::[0-5]\d)?"
    rf"|(?:(?<=2)5[0-5]|(?<=2)[0-4]\d|(?<=1)\d\d|\d)?(?:\.{_BYTE}){{3}}"
)
# The first sign stands before all conditions, those on what precedes it too: so the search runs
# through other signs without trying anything.
_MASKED = re.compile(
    r"[0-9a-fA-F$£€¥₹](?:"
    rf"(?<=\d)(?<!\d.)(?<!\d[./-].)(?:{_MOMENT})(?![./-]?\d)"
    rf"|(?<!\w.){_HEX}{{7}}(?<={_HEX}{{8}})-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}\b"
    r"|(?<=[$£€¥₹])\s?\d{1,3}(?:[ ,.']\d{3})*(?:[.,]\d{1,2})?(?!\d)"
    r")",
    re.DOTALL,
)


class Word(StrEnum):
    """What the nearest telling word before a number makes of it."""

    NONE = ""
    LABEL = "label"
    PHONE = "phone"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Told:
    """The telling word, and whether other digits stand between it and the number."""

    word: Word
    over_digits: bool = False


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# A placeholder in square brackets is no word of the writer's, so it says nothing.
_TELLING = re.compile(
    rf"(?<![\w\[])(?:(?P<phone>{_any_of(PHONE_WORDS)})|(?P<card>{_any_of(CARD_WORDS)})"
    rf"|(?P<label>{_any_of(NUMBER_LABELS)})s?)(?![\w\]])",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:[\W\d_]|(?<![a-z])(?:no|nr|num|numbers?|nos|is|was|are|were|and|of|to)(?![a-z]))*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Group:
    """One unbroken row of digits, with its place in the view."""

    start: int
    end: int
    digits: str


@dataclass(frozen=True)
class Run:
    """The groups from `first` up to `stop` of a row of groups, and what stands around them.

    `before` and `after` are short; `before` shows what was found already as its placeholder.
    """

    text: str
    groups: Sequence[Group]
    first: int
    stop: int
    before: str
    after: str

    @cached_property
    def told(self) -> Told:
        return _told_by(self.before)

    def gap(self, index: int) -> str:
        """The separators before group `index`."""
        return self.text[self.groups[index - 1].end : self.groups[index].start]

    def sizes(self, first: int, last: int) -> tuple[int, ...]:
        return tuple(len(group.digits) for group in self.groups[first:last])


def mask(text: str) -> str:
    """The view with what is no identifying number blanked out, at equal length."""
    return _MASKED.sub(lambda found: "\0" * len(found.group()), text)


def groups_of(text: str, start: int, end: int) -> list[Group]:
    found = _DIGITS.finditer(text, start, end)
    return [Group(match.start(), match.end(), match.group()) for match in found]


def _told_by(before: str) -> Told:
    for found in reversed(list(_TELLING.finditer(before))):
        gap = before[found.end() :]
        if found["label"]:
            if _FILLER.fullmatch(gap):
                return Told(Word.LABEL, any(char.isdigit() for char in gap))
        elif len(gap) <= _NEAR:
            return Told(Word.PHONE if found["phone"] else Word.CARD)
    return Told(Word.NONE)
