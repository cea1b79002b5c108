"""The passages that are served now, as the offline model reads them."""

from __future__ import annotations

import numpy as np

from chat.adapters.offline.corpus import Documents
from chat.db import with_connection
from chat.models import Chunk, DocumentVersion
from chat.models.corpus import EMBEDDING_DIMENSIONS


class ServedDocuments:
    """The current passages of a collection, read again when any of them changed."""

    def __init__(self, collection: str) -> None:
        self._collection = collection
        self._kept: Documents | None = None

    def documents(self) -> Documents:
        """Called off the loop."""
        return with_connection(self._read)

    def _read(self) -> Documents:
        current = DocumentVersion.objects.filter(
            document__collection=self._collection, is_current=True
        )
        stamp = repr(sorted(current.values_list("pk", flat=True)))
        if self._kept is None or self._kept.stamp != stamp:
            self._kept = self._load(stamp)
        return self._kept

    def _load(self, stamp: str) -> Documents:
        rows = list(
            Chunk.objects.filter(collection=self._collection, is_current=True)
            .order_by("key")
            .values_list("heading", "text", "embedding")
        )
        vectors = np.array([row[2] for row in rows], dtype=np.float32)
        return Documents(
            stamp=stamp,
            headings=tuple(row[0] for row in rows),
            texts=tuple(row[1] for row in rows),
            vectors=vectors.reshape(len(rows), EMBEDDING_DIMENSIONS),
        )
