"""Two lists matched in order: the most that can stand beside each other, better matches first.

Pure. A long stretch without a common end is cut into parts, so that the work stays bounded.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

LARGEST = 240  # items of one side that are weighed against each other at once
EQUAL, ALIKE = 3, 2  # two that are alike weigh more than one that is equal


class Key(NamedTuple):
    """`what` has to be the same for two items to match; with the same `how` they match better."""

    what: Hashable
    how: Hashable = ()


def matched(left: Sequence[Key], right: Sequence[Key]) -> list[tuple[int, int]]:
    """Pairs of places, rising on both sides. Equal beginnings and ends are matched as they are."""
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    pairs = [(place, place) for place in range(head)]
    ends = len(left) - tail, len(right) - tail
    pairs += _middle(left[head : ends[0]], right[head : ends[1]], head)
    return pairs + [(ends[0] + place, ends[1] + place) for place in range(tail)]


def _common(left: Sequence[Key], right: Sequence[Key]) -> int:
    shortest = min(len(left), len(right))
    return next((n for n in range(shortest) if left[n] != right[n]), shortest)


def _middle(left: Sequence[Key], right: Sequence[Key], shift: int) -> list[tuple[int, int]]:
    parts = max(-(-len(left) // LARGEST), -(-len(right) // LARGEST), 1)
    pairs: list[tuple[int, int]] = []
    for part in range(parts):
        here, here_end = (len(left) * n // parts for n in (part, part + 1))
        there, there_end = (len(right) * n // parts for n in (part, part + 1))
        found = _weighed(left[here:here_end], right[there:there_end])
        pairs += [(shift + here + a, shift + there + b) for a, b in found]
    return pairs


def _weighed(left: Sequence[Key], right: Sequence[Key]) -> list[tuple[int, int]]:
    """The heaviest common subsequence."""
    rows = _weights(left, right)
    pairs: list[tuple[int, int]] = []
    a = b = 0
    while a < len(left) and b < len(right):
        weight = _weight(left[a], right[b])
        if weight and rows[a][b] == rows[a + 1][b + 1] + weight:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif rows[a + 1][b] >= rows[a][b + 1]:
            a += 1
        else:
            b += 1
    return pairs


def _weights(left: Sequence[Key], right: Sequence[Key]) -> list[list[int]]:
    """What the rest from each pair of places on can weigh."""
    rows = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a in range(len(left) - 1, -1, -1):
        row, below = rows[a], rows[a + 1]
        for b in range(len(right) - 1, -1, -1):
            row[b] = max(below[b], row[b + 1])
            if left[a].what == right[b].what:
                row[b] = max(row[b], below[b + 1] + _weight(left[a], right[b]))
    return rows


def _weight(one: Key, other: Key) -> int:
    if one.what != other.what:
        return 0
    return EQUAL if one.how == other.how else ALIKE
