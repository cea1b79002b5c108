"""What the offline model knows of the documents: their headings, texts and vectors, and how rare
a word is among them.

The documents come in through `Corpus`, so that any customer's will do; nothing is read here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chat.adapters.offline.text import stems, words

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of one space; a dot product of two rows is their cosine."""

    def embed(self, texts: list[str]) -> Vectors:
        """Rows of length 1, shape (len(texts), dimensions), in the order of the texts."""
        ...


@dataclass(frozen=True)
class Documents:
    """All current passages at one moment. `stamp` changes whenever any of them does.

    `headings`, `texts` and the rows of `vectors` go together; `vectors` are those of the
    whole passages, shape (passages, dimensions).
    """

    stamp: str
    headings: tuple[str, ...]
    texts: tuple[str, ...]
    vectors: Vectors = field(repr=False)

    @cached_property
    def rarity(self) -> Rarity:
        pairs = zip(self.headings, self.texts, strict=True)
        return Rarity(f"{heading}\n{text}" for heading, text in pairs)

    @cached_property
    def vocabulary(self) -> Counter[str]:
        """Every word of the documents as it is written there, with its count."""
        return Counter(word for text in (*self.headings, *self.texts) for word in words(text))


class Corpus(Protocol):
    """Where the documents are. Called outside the event loop, once for every question."""

    def documents(self) -> Documents:
        """The current passages; the same value as before when nothing has changed."""
        ...


class Rarity:
    """How much a stem tells passages apart: 0 when all have it, 1 when none has."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._holders: Counter[str] = Counter()
        self._passages = 0
        for text in texts:
            self._passages += 1
            self._holders.update(stems(text))
        self._most = self._weight(0)

    def __contains__(self, stem: str) -> bool:
        return stem in self._holders

    def __call__(self, stem: str) -> float:
        return self._weight(self._holders[stem]) / self._most

    def _weight(self, holders: int) -> float:
        return math.log(1 + (self._passages - holders + 0.5) / (holders + 0.5))
