"""Vectors of attached passages: made once, the most promising first, and kept for a while.

Kept in the process by their text, so that a follow-up, another answer and the other parts of
a question embed nothing twice.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from chat.contracts.errors import ChatError
from chat.retrieval.vectors import Embedder, Vector

log = logging.getLogger(__name__)

EMBEDDED = 48  # passages that one search embeds at most: a second and a half
SECONDS = 2.5  # for the same; what has no vector by then is found by its words
BATCH = 8
KEPT = 2_000  # vectors in this process, 3 MB


class _Kept:
    """The vectors used last, by the embedder's name and the digest of the text."""

    def __init__(self) -> None:
        self._rows: OrderedDict[tuple[str, bytes], Vector] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str, text: str) -> Vector | None:
        key = (name, _digest(text))
        with self._lock:
            if (row := self._rows.get(key)) is not None:
                self._rows.move_to_end(key)
            return row

    def put(self, name: str, text: str, row: Vector) -> None:
        with self._lock:
            self._rows[name, _digest(text)] = row
            while len(self._rows) > KEPT:
                self._rows.popitem(last=False)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


_kept = _Kept()


class PassageVectors:
    """Cosines between queries and the passages of one turn. Safe between threads; blocks."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._rows: dict[str, Vector] = {}
        self._lock = threading.Lock()  # parts of one question are searched at the same time

    def cosines(
        self, query: str, texts: Mapping[str, str], order: Sequence[str]
    ) -> dict[str, float]:
        """Of the passages that have a vector by now; none if the embedder is missing or fails.

        `texts` are by key, and `order` says which get their vector first.
        """
        if self._embedder is None or not texts:
            return {}
        with self._lock:
            try:
                vector = self._embedder.embed((query,))[0]
                self._embed(self._embedder, texts, order)
            except ChatError as error:
                log.warning("attached passages have no vectors: %s", type(error).__name__)
                return {}
            known = {key: self._rows[key] for key in texts if key in self._rows}
        if not known:
            return {}
        near = np.clip(np.stack(list(known.values())) @ vector, -1.0, 1.0)
        return dict(zip(known, near.tolist(), strict=True))

    def _embed(self, embedder: Embedder, texts: Mapping[str, str], order: Sequence[str]) -> None:
        new = [key for key in order if not self._remembered(embedder, key, texts[key])][:EMBEDDED]
        until = time.monotonic() + SECONDS
        for start in range(0, len(new), BATCH):
            if time.monotonic() > until:
                log.warning("%s attached passages were left without a vector", len(new) - start)
                return
            batch = new[start : start + BATCH]
            rows = embedder.embed([texts[key] for key in batch])
            for key, row in zip(batch, rows, strict=True):
                self._rows[key] = row
                _kept.put(embedder.name, texts[key], row)

    def _remembered(self, embedder: Embedder, key: str, text: str) -> bool:
        if key not in self._rows and (row := _kept.get(embedder.name, text)) is not None:
            self._rows[key] = row
        return key in self._rows
