"""Citation markers in Markdown: finding them in every shape that models write, outside code.

A text is read into a template: markers, removed markers and protected pieces (code, link
targets) each become one sign, so that what is left is plain words and spaces. Brackets are
matched as they close, so a marker that only comes to be when another is taken out is seen too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

GONE, KEPT, GUARDED = "\x00", "\x01", "\x02"  # no text needs them, so they are taken out before

Number = int | str

_SOURCE = (
    r"(?:sources?|src|refs?|references?|docs?|documents?|passages?|citations?|cites?|chunks?"
    r"|(?:foot)?notes?)"
)
_PREFIX = rf"(?:[\^#] ?|{_SOURCE}\.? ?[:#]? ?(?:no\.? ?)?)?"
_ITEM = r"\d+(?: ?[-‐‑–—] ?\d+)?"
_JOIN = r"(?: ?(?:,|;|&|/|\|) ?| and | )"
_TITLE = r"(?::\d+)?(?: ?†.*|: \D.*)?"  # what some models set behind the number
_NUMBERS = re.compile(
    rf"(?P<list>{_PREFIX}{_ITEM}(?:{_JOIN}{_PREFIX}{_ITEM})*){_TITLE}", re.IGNORECASE
)
_NO_NUMBER = re.compile(
    rf"\^\S.*|\?|citation needed|{_SOURCE}(?: ?[:#] ?\S.*| [A-Z]{{1,2}})?", re.IGNORECASE
)
_CLOSING = re.compile(r"[\]】］]")
_BRACKETED = re.compile(
    r"(?P<slash>\\*)[\[【［](?P<inner>[^\[\]【】［］\n\x01\x02]{1,80}?)\\?[\]】］]\Z"
)
_LONGEST = 90  # characters of a marker with all around it
_ENOUGH = 512  # characters kept at hand while reading

# Code is told carefully: what is not surely code is held against the passages. A fence that
# nothing closes runs to the end only where no list can end it before.
_INFO = r"(?=[^`\n]*$)"
_FENCE = (
    rf"^(?P<open>`{{3,}}{_INFO}|~{{3,}}).*?(?:^ {{0,3}}(?P=open)[`~]*[ \t]*$|\Z)"
    rf"|^[ \t]+(?P<inner>`{{3,}}{_INFO}|~{{3,}}).*?^[ \t]+(?P=inner)[`~]*[ \t]*$"
)
_SPAN = r"(?<![\\`])(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)"
_TARGET = (
    r"(?<=\])\((?:https?:|mailto:|www\.|[#/])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*"
    r"(?:\s\"[^\"\n]*\")?\)"
)
PROTECTED = re.compile(rf"{_FENCE}|{_SPAN}|(?P<target>{_TARGET})", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """The text with signs, and what the signs stand for, in order."""

    text: str
    markers: tuple[tuple[int, ...], ...]
    guarded: tuple[str, ...]
    removed: tuple[Number, ...]


def read_markers(text: str, exists: Callable[[int], bool]) -> Template:
    """Read a text. `exists` says which numbers resolve; the others are removed."""
    text = re.sub(r"[\x00-\x02]", "", text)
    reader = _Reader(exists)
    place = 0
    for found in PROTECTED.finditer(text):
        is_target = found["target"] is not None
        reader.read(text[place : found.start()], is_link=is_target)
        if not (is_target and reader.ends_in_marker()):
            reader.guard(found.group())
        place = found.end()
    reader.read(text[place:], is_link=False)
    return reader.template()


class _Reader:
    """Builds a template from left to right, looking back at each closing bracket."""

    def __init__(self, exists: Callable[[int], bool]) -> None:
        self._exists = exists
        self._done: list[str] = []
        self._tail = ""
        self._markers: list[tuple[int, ...]] = []
        self._guarded: list[str] = []
        self._removed: list[Number] = []

    def template(self) -> Template:
        text = "".join((*self._done, self._tail))
        return Template(text, tuple(self._markers), tuple(self._guarded), tuple(self._removed))

    def ends_in_marker(self) -> bool:
        return self._tail.endswith((KEPT, GONE))

    def guard(self, piece: str) -> None:
        self._append(GUARDED)
        self._guarded.append(piece)

    def read(self, text: str, *, is_link: bool) -> None:
        """Append unprotected text. With `is_link` a link's target follows its last bracket."""
        place = 0
        for closing in _CLOSING.finditer(text):
            self._append(text[place : closing.end()])
            place = closing.end()
            self._close(is_link=is_link and place == len(text))
        self._append(text[place:])

    def _append(self, text: str) -> None:
        self._tail += text
        if len(self._tail) > _ENOUGH:
            self._done.append(self._tail[:-_LONGEST])
            self._tail = self._tail[-_LONGEST:]

    def _close(self, *, is_link: bool) -> None:
        """A bracket closed: if it makes a marker, put its sign in the marker's place."""
        found = _BRACKETED.search(self._tail, max(0, len(self._tail) - _LONGEST))
        if found is None:
            return
        inner = " ".join(found["inner"].replace(GONE, " ").split())
        numbers = _NUMBERS.fullmatch(inner)
        kept, lost = self._sorted_out(numbers["list"]) if numbers else ((), (inner,))
        if numbers is None and (is_link or not _NO_NUMBER.fullmatch(inner)):
            return
        escaping = len(found["slash"]) % 2  # an escaped bracket looks like a marker all the same
        self._tail = self._tail[: found.end("slash") - escaping] + (KEPT if kept else GONE)
        self._removed += lost
        if kept:
            self._markers.append(kept)

    def _sorted_out(self, listed: str) -> tuple[tuple[int, ...], tuple[Number, ...]]:
        """The numbers of a marker that resolve, and those that do not."""
        kept: dict[int, None] = {}
        lost: dict[Number, None] = {}
        for item in re.findall(_ITEM, listed):
            ends = [int(number) for number in re.findall(r"\d+", item)]
            lost |= dict.fromkeys(number for number in ends if not self._exists(number))
            kept |= dict.fromkeys(filter(self._exists, self._between(ends)))
        return tuple(kept), tuple(lost)

    def _between(self, ends: list[int]) -> list[int]:
        """A range as its numbers, as far as they resolve."""
        first, last = ends[0], ends[-1]
        if first >= last or not self._exists(first):
            return ends
        numbers = [first]
        while numbers[-1] < last and self._exists(numbers[-1] + 1):
            numbers.append(numbers[-1] + 1)
        return [*numbers, last]
