"""The sample handbook in the test database, embedded once a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from chat import wiring
from chat.adapters.embeddings import Vectors
from chat.retrieval.ingest import ingest_paths
from chat.sample.loader import HANDBOOK


@cache
def _row(text: str) -> Vectors:
    return wiring.embedder().embed((text,))[0]


class Remembered:
    """The real embedder, which embeds each text once however often the tables are emptied."""

    def __init__(self) -> None:
        self.name = wiring.embedder().name

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([_row(text) for text in texts])


def take_in_the_handbook() -> None:
    """Ingest the handbook as the first start does."""
    ingest_paths([HANDBOOK], wiring.COLLECTION, Remembered(), lambda _progress: None)
