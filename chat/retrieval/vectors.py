"""What retrieval asks of an embedder. Adapters fit this shape without knowing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of one space, which `name` identifies in stored rows."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape (len(texts), 384), in the order of the texts."""
        ...


class WordVectors:
    """Vectors of single words, kept: documents use the same few thousand again and again."""

    def __init__(self, embedder: Embedder, kept: int = 5_000) -> None:
        self._embedder = embedder
        self._kept = kept
        self._rows: dict[str, Vector] = {}

    def of(self, words: Sequence[str]) -> Vector:
        """Rows of length 1, shape (len(words), 384); at least one word."""
        known = dict(self._rows)  # one look, so that threads beside this one change nothing
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            known |= zip(new, self._embedder.embed(new), strict=True)
            self._rows = known if len(known) <= self._kept else {w: known[w] for w in words}
        return np.stack([known[word] for word in words])


def literal(vector: Vector) -> str:
    """The vector as pgvector reads it."""
    return "[" + ",".join(map(str, vector.tolist())) + "]"
