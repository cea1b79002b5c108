"""Groups of texts that share their words: single link on Jaccard's measure. Pure.

Two texts belong together if three fifths of their words are the same, or if others lead from one to
the other. Which groups there are does not depend on the order, and every text is in exactly one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil

ALIKE = 0.6  # of all words of two texts that both have

Words = frozenset[str]


def clusters(texts: Sequence[Words]) -> list[list[int]]:
    """Places of the texts, by group: the largest group first, then the one that begins first.

    Texts without any word are alike. Equal texts are compared once.
    """
    places: defaultdict[Words, list[int]] = defaultdict(list)
    for place, words in enumerate(texts):
        places[words].append(place)
    kinds = list(places)
    roots = _joined(len(kinds), _pairs(kinds))
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number, words in enumerate(kinds):
        groups[roots[number]] += places[words]
    found = [sorted(group) for group in groups.values()]
    return sorted(found, key=lambda group: (-len(group), group[0]))


def jaccard(one: Words, other: Words) -> float:
    """Shared words over all words; 1 for two texts without any."""
    every = len(one | other)
    return len(one & other) / every if every else 1.0


def _pairs(kinds: Sequence[Words]) -> Iterable[tuple[int, int]]:
    """Pairs that are alike, each once, without a look at those that cannot be.

    Alike texts share one of their rarest words: of so many rare ones that what is left of a text
    is too little. Only texts that share one of these are compared.
    """
    seen = Counter(word for words in kinds for word in words)
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(kinds):
        rare = _rarest(words, seen)
        tried = {other for word in rare for other in by_word[word]}
        for other in tried:
            if jaccard(words, kinds[other]) >= ALIKE:
                yield number, other
        for word in rare:
            by_word[word].append(number)


def _rarest(words: Words, seen: Mapping[str, int]) -> list[str]:
    ordered = sorted(words, key=lambda word: (seen[word], word))
    return ordered[: len(ordered) - ceil(ALIKE * len(ordered)) + 1]


def _joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """The root of each number once all pairs are joined."""
    parents = list(range(count))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        parents[high] = low
    return [root(number) for number in range(count)]
