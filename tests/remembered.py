"""The real embedding model, which is asked for the same texts once a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from chat.adapters.embeddings import Embedder, Vectors


class Remembered:
    """Gives what the real model gave for the same call, so that no test pays for another's texts.

    A call is remembered whole, not text by text: in another batch a row may differ in its last
    digits.
    """

    def __init__(self, real: Callable[[], Embedder]) -> None:
        """`real` is called when the first text comes."""
        self._real = cache(real)
        self._rows = cache(lambda texts: self._real().embed(texts))

    @property
    def name(self) -> str:
        return self._real().name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `chat.adapters.embeddings.Embedder` has it; a single text's row is read-only."""
        rows: Vectors = self._rows(tuple(texts))
        return rows if len(texts) == 1 else rows.copy()
