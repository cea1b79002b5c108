"""The router on this machine: a query's vector and shape decide the path, in a few milliseconds.

The classifier is read from the database or, where none was trained for this embedder, trained from
the shipped examples, off the loop and once. A caller that gives up loses nothing: what was begun
is finished and kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import threading
from collections.abc import Callable, Sequence

from chat.adapters.embeddings import DIMENSIONS, Embedder
from chat.adapters.route_classifier import Labelled, RouteClassifier, fitted
from chat.contracts.verdicts import RouteGuess

log = logging.getLogger(__name__)

Stored = Callable[[], object]


def nothing_stored() -> None:
    """A site without a trained classifier."""


class EmbeddingRouter:
    """Implements `chat.contracts.ports.Router`; safe to share between threads and loops."""

    def __init__(
        self, embedder: Embedder, examples: Sequence[Labelled], stored: Stored = nothing_stored
    ) -> None:
        """`stored` gives the newest weights as JSON or None; it is called off the loop, once."""
        self._embedder = embedder
        self._examples = tuple(examples)
        self._stored = stored
        self._making = threading.Lock()
        self._made: RouteClassifier | None = None
        self._version = ""

    async def route(self, query: str) -> RouteGuess:
        """The likeliest path and its probability. Raises what the embedder and `stored` raise."""
        return await asyncio.to_thread(self._route, query)

    async def version(self) -> str:
        """The beginning of the digest of what decides. Raises what `stored` raises."""
        if self._made is None:
            await asyncio.to_thread(self._classifier)
        return self._version

    def prepare(self) -> None:
        """Read or train the classifier now. Blocks for up to a second or two."""
        self._classifier()

    def _route(self, query: str) -> RouteGuess:
        classifier = self._classifier()
        # Not through a memory of our own: the embedder keeps its latest queries, so that the
        # search finds this one there.
        vector = self._embedder.embed((query,))
        return classifier.guesses((query,), vector)[0]

    def _classifier(self) -> RouteClassifier:
        with self._making:
            if self._made is None:
                made = self._read() or self._train()
                told = json.dumps(made.as_json(), sort_keys=True)
                self._version = hashlib.sha256(told.encode()).hexdigest()[:12]
                self._made = made
            return self._made

    def _read(self) -> RouteClassifier | None:
        stored = self._stored()
        if stored is None:
            return None
        found = RouteClassifier.from_json(stored, DIMENSIONS)
        if found is None:
            log.warning("the stored router is of another version; run manage.py train_router")
        return found

    def _train(self) -> RouteClassifier:
        vectors = self._embedder.embed([query for query, _ in self._examples])
        return fitted(self._examples, vectors)
