"""Words of the documents that lie near a question: what a better query could be made of.

Pure. A word counts by the nearness of the passages that hold it and by its rarity in the
index; the question's own words, in any form, do not come back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

WORD = re.compile(r"[^\W\d_](?:[\w’'-]*[^\W_])?")
SHORTEST = 3  # letters


@dataclass(frozen=True, slots=True)
class WordFact:
    """A word, its English stem, and in how many current chunks that stem is."""

    word: str
    stem: str
    chunks: int


def words_of(text: str) -> set[str]:
    """Lower-case words of at least three letters, without a closing `'s`."""
    found = (match.group().lower().replace("’", "'") for match in WORD.finditer(text))
    return {word for word in (word.removesuffix("'s") for word in found) if len(word) >= SHORTEST}


def near_words(passages: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Each word with the summed nearness (0 to 1) of the passages that hold it."""
    weights: dict[str, float] = {}
    for text, nearness in passages:
        for word in words_of(text):
            weights[word] = weights.get(word, 0.0) + nearness
    return weights


def weigh(
    nearness: Mapping[str, float], facts: Sequence[WordFact], own: Collection[str], chunks: int
) -> dict[str, float]:
    """Words with nearness times rarity, heaviest first; one a stem, none of the question's stems.

    `own` are the question's words and `chunks` the size of the index. Words without a fact
    are stop words.
    """
    taken = {fact.stem for fact in facts if fact.word in own}
    scored = sorted(
        (-nearness[fact.word] * rarity(fact.chunks, chunks), fact.word, fact.stem)
        for fact in facts
        if fact.word in nearness and fact.stem not in taken
    )
    first_of_stem: dict[str, tuple[str, float]] = {}
    for weight, word, stem in scored:
        first_of_stem.setdefault(stem, (word, -weight))
    return dict(first_of_stem.values())


def best(weights: Mapping[str, float], cosines: Mapping[str, float]) -> tuple[str, ...]:
    """Words by weight times their own cosine to the question, best first.

    This is what tells `outage` from `often` in the same passage. Words that point away from
    the question, with a cosine of 0 or less, are left out.
    """
    scored = sorted((-weights[word] * cosine, word) for word, cosine in cosines.items())
    return tuple(word for score, word in scored if score < 0)


def rarity(holding: int, chunks: int) -> float:
    """Inverse document frequency as in BM25: 0 or more, higher for fewer holders."""
    return math.log(1 + (chunks - min(holding, chunks) + 0.5) / (holding + 0.5))
