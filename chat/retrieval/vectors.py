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


def literal(vector: Vector) -> str:
    """The vector as pgvector reads it."""
    return "[" + ",".join(map(str, vector.tolist())) + "]"
