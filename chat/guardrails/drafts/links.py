"""Addresses in a draft that no source gave: their words stay, and what could be followed goes.

A model that obeys an order in a document can carry something out in an address that a person
opens. So an answer links only to what stands, letter for letter, in a text that it was written
from. Where a link is written in a way that is not known here, it is taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_CODE = re.compile(r"^```[^`]*?^```[ \t]*$|(?<![\\`])`[^`\n]+`(?!`)", re.MULTILINE)
_ADDRESS = re.compile(
    r"(?:https?://|mailto:)[^\s<>\"'`\])}|]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+", re.I
)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<words>[^\[\]\n]{0,500})\]\([ \t]*<?(?P<address>[^\s()<>]{1,2000})>?"
    r"(?:[ \t]+\"[^\"\n]{0,300}\")?[ \t]*\)"
)
_BARE = re.compile(
    r"<(?P<address>(?:[a-z][a-z0-9+.-]{1,31}:|[\w.+-]{1,64}@)[^\s<>]{1,2000})>", re.I
)
_ENDS = ".,;:!?*_/"
_ROUNDS = 5  # what one link leaves behind may be a part of another
_NO_LINK = str.maketrans("<>[]", "‹›()")


@dataclass(frozen=True, slots=True)
class Unlinked:
    """The text, and how many addresses were taken out of it."""

    text: str
    removed: int = 0


def without_foreign_links(text: str, sources: Iterable[str]) -> Unlinked:
    """Links to addresses that stand in `sources` stay; of others, and of pictures, the words.

    Code stays as it is: nothing in it can be followed. Linear in the length of the text.
    """
    if not ("](" in text or "<" in text):
        return Unlinked(text)
    known = {_plain(found) for source in sources for found in _ADDRESS.findall(source)}
    cleaner = _Cleaner(frozenset(known))
    for _ in range(_ROUNDS):
        once = _cleaned(text, cleaner)
        if once == text:
            return Unlinked(text, cleaner.removed)
        text = once
    # It is made to come together anew each time, so nothing in it is to be followed.
    return Unlinked(text.translate(_NO_LINK), cleaner.removed + 1)


def _cleaned(text: str, cleaner: _Cleaner) -> str:
    done: list[str] = []
    last = 0
    for code in _CODE.finditer(text):
        done += cleaner.clean(text[last : code.start()]), code[0]
        last = code.end()
    done.append(cleaner.clean(text[last:]))
    return "".join(done)


class _Cleaner:
    """Takes links apart and counts them."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self.removed = 0

    def clean(self, text: str) -> str:
        pieces: list[str] = []
        last = 0
        for link in _LINK.finditer(text):
            pieces += self._apart(text[last : link.start()]), self._link(link)
            last = link.end()
        return "".join((*pieces, self._apart(text[last:])))

    def _link(self, link: re.Match[str]) -> str:
        if not link["image"] and _plain(link["address"]) in self._known:
            return link[0]
        self.removed += 1
        return link["words"]

    def _apart(self, text: str) -> str:
        """What is left: addresses in angle brackets, and links written in another way."""
        text = _BARE.sub(self._bare, text)
        self.removed += text.count("](")
        return text.replace("](", "] (")

    def _bare(self, found: re.Match[str]) -> str:
        if _plain(found["address"]) in self._known:
            return found[0]
        self.removed += 1
        return found["address"]


def _plain(address: str) -> str:
    """An address without the signs that end a sentence, and without "mailto:"."""
    return address.removeprefix("mailto:").rstrip(_ENDS)
