"""How much of a claim stands in one or two sentences of its sources, and in which order. Pure.

That all words of a claim stand somewhere says little in a long text: they have to meet. So two
shares are measured: of the claim's content words, those that its two best sentences hold; and of
all its words, those that one sentence holds in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chat.adapters.offline.text import content, stem, words

NEAREST = 3  # sentences, by words shared, that are compared word by word in their order
LONGEST = 120  # words of a sentence or claim that are compared so


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence as it is compared: the stems of all its words in order, and of those that speak.

    `spoken` has the words themselves beside their stems, each once.
    """

    order: tuple[str, ...]
    spoken: tuple[tuple[str, str], ...]
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """The sentences that hold most of a claim: their places, and the share of it that they hold."""

    places: tuple[int, ...]
    share: float


@lru_cache(maxsize=4_096)
def line(text: str) -> Line:
    """A sentence, read once while it is in use."""
    spoken = {stem(word): word for word in content(text)}
    order = tuple(stem(word) for word in words(text)[:LONGEST])
    return Line(order, tuple(spoken.items()), frozenset(spoken))


def best_pair(claim: Line, lines: Sequence[Line], beside: frozenset[str]) -> Pair:
    """The sentence that holds most of the claim, and the one that adds most to it.

    `beside` are stems that count as held all the same: those of titles and headings. At least
    one line.
    """
    first = max(range(len(lines)), key=lambda n: len(claim.stems & lines[n].stems))
    left = claim.stems - lines[first].stems - beside
    second = max(range(len(lines)), key=lambda n: len(left & lines[n].stems))
    more = left & lines[second].stems
    share = 1 - len(left - more) / len(claim.stems) if claim.stems else 1.0
    return Pair(tuple(sorted((first, second))) if more else (first,), share)


def in_order(claim: Line, lines: Sequence[Line]) -> float:
    """The largest share of the claim's words that one line holds in the claim's order, 0 to 1."""
    if not claim.order:
        return 1.0
    said = frozenset(claim.order)
    nearest = sorted(lines, key=lambda each: -len(said.intersection(each.order)))[:NEAREST]
    most = max((common(claim.order, each.order) for each in nearest), default=0)
    return most / len(claim.order)


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest series that both hold in order, with gaps allowed."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, held in enumerate(other, start=1):
            above = row[place]
            row[place] = before + 1 if word == held else max(above, row[place - 1])
            before = above
    return row[-1]
