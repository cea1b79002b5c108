"""The search that the agent sees: the index's candidates, ranked, above the floor, as hits.

One object serves one collection in one mode and may be shared by every turn of a process.
Embedding runs beside the event loop and outside any database connection.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from django.db import DatabaseError, InterfaceError

from chat.contracts.errors import ChatError, SearchFailed
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.db import in_db
from chat.retrieval import index, rank, terms
from chat.retrieval.index import Found, passage_of
from chat.retrieval.vectors import Embedder, Vector, WordVectors

__all__ = ["Mode", "PostgresSearch", "passage_of"]

log = logging.getLogger(__name__)

Mode = Literal["hybrid", "vector", "lexical", "exact"]
WITH_VECTOR = ("hybrid", "vector")
NEAREST = 8  # passages whose words are offered to a rewrite
WEIGHED_WORDS = 48  # of them, those whose own vectors are made: about 60 ms


class PostgresSearch:
    """`chat.contracts.ports.Search` over PostgreSQL; safe to share between threads and tasks.

    `mode` `exact` is the golden set's: unstemmed words, always as many hits as asked while the
    index holds them, score 0 where nothing matches, and no floor. `threshold` is the least
    cosine of a hit that only a vector found. Without an embedder only words can be searched.
    """

    def __init__(
        self,
        embedder: Embedder | None,
        *,
        collection: str = "handbook",
        mode: Mode = "hybrid",
        threshold: float = 0.0,
    ) -> None:
        if embedder is None and mode in WITH_VECTOR:
            raise ValueError(f"the mode {mode} needs an embedder")
        self.embedder = embedder
        self.collection = collection
        self.mode = mode
        self.threshold = threshold
        self._space_fits = False
        self._words = WordVectors(embedder) if embedder else None

    async def search(self, query: str, limit: int) -> SearchResult:
        """At most `limit` hits, best first. Raises SearchFailed."""
        started = time.perf_counter()
        with _as_search_failed():
            vector = await self._vector(query) if self.mode in WITH_VECTOR else None
            hits = await in_db(self.find, query, vector, limit)
        ms = (time.perf_counter() - started) * 1000
        return SearchResult(query=query, asked=limit, hits=hits, ms=ms)

    def find(self, query: str, vector: Vector | None, limit: int) -> tuple[Hit, ...]:
        """`search` without the loop and the clock; `vector` is the query's, if the mode needs it.

        Raises database errors, and SearchFailed when the documents are in another space.
        """
        if vector is not None:
            self._check_space()
        found = index.candidates(self.collection, self.mode, query, vector, limit)
        return _hits(found, self.mode, self.threshold)[:limit]

    async def neighbours(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        """The passages just before and after the given chunks. Raises SearchFailed."""
        with _as_search_failed():
            return await in_db(self._beside, chunks)

    async def terms(self, query: str, hits: Sequence[Hit], limit: int) -> tuple[str, ...]:
        """At most `limit` of the documents' own words, nearest and rarest first.

        They come from `hits` and from the passages nearest to `query`. Raises SearchFailed.
        """
        with _as_search_failed():
            vector = await self._vector(query) if self.embedder else None
            weights = await in_db(self._weights, query, vector, hits)
            if vector is None:
                return tuple(weights)[:limit]
            words = list(weights)[:WEIGHED_WORDS]
            rows = await asyncio.to_thread(self._word_vectors, words)
        return terms.best(weights, dict(zip(words, (rows @ vector).tolist(), strict=True)))[:limit]

    async def drift(self, before: str, after: str) -> float | None:
        """Cosine distance, 0 to 2; None without an embedder. Raises SearchFailed."""
        if self.embedder is None:
            return None
        with _as_search_failed():
            one, other = await self._vector(before), await self._vector(after)
        return min(2.0, max(0.0, 1.0 - float(one @ other)))

    async def _vector(self, text: str) -> Vector:
        rows = await asyncio.to_thread(self._embed, (text,))
        return rows[0]

    def _embed(self, texts: Sequence[str]) -> Vector:
        assert self.embedder is not None
        return self.embedder.embed(texts)

    def _word_vectors(self, words: Sequence[str]) -> Vector:
        assert self._words is not None
        return self._words.of(words) if words else self._embed(words)

    def _check_space(self) -> None:
        """Distances between two models' vectors mean nothing, so they are never ranked."""
        if self._space_fits or self.embedder is None:
            return
        others = index.spaces_of(self.collection) - {self.embedder.name}
        if others:
            log.error(
                "Documents of %s were embedded with %s, and the site now uses %s. "
                "Ingest them again.",
                *(self.collection, ", ".join(sorted(others)), self.embedder.name),
            )
            raise SearchFailed
        self._space_fits = True

    def _beside(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        return index.passages_at(rank.beside(index.places(self.collection, chunks)))

    def _weights(self, query: str, vector: Vector | None, hits: Sequence[Hit]) -> dict[str, float]:
        """Words of the hits and of the passages nearest to the query, heaviest first."""
        mode = "lexical" if vector is None else "vector"
        nearest = index.candidates(self.collection, mode, query, vector, NEAREST)
        near = _hits(nearest, mode, self.threshold)[:NEAREST]
        nearness = terms.near_words(_nearness((*hits[:NEAREST], *near)))
        own = terms.words_of(query)
        facts = index.word_facts(self.collection, nearness.keys() | own)
        return terms.weigh(nearness, facts, own, index.size_of(self.collection))


@contextmanager
def _as_search_failed() -> Iterator[None]:
    try:
        yield
    except SearchFailed:
        raise
    except (ChatError, DatabaseError, InterfaceError) as error:
        log.error("The search of the index failed: %s: %s", type(error).__name__, error)
        raise SearchFailed from error


def _hits(found: Sequence[Found], mode: str, threshold: float) -> tuple[Hit, ...]:
    ranked = (rank.fuse if mode == "hybrid" else rank.by_score)(each.candidate for each in found)
    cosines = {each.candidate.key: each.candidate.cosine for each in found}
    known = {key: cosine for key, cosine in cosines.items() if cosine is not None}
    passages = {each.candidate.key: each.passage for each in found}
    return tuple(
        Hit(
            passage=passages[each.key],
            score=each.score,
            cosine=cosines[each.key],
            vector_rank=each.vector_rank,
            text_rank=each.text_rank,
        )
        for each in rank.above_floor(ranked, known, threshold)
    )


def _nearness(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    """Text and nearness of each passage once: its cosine, or its place where there is none."""
    near: dict[str, tuple[str, float]] = {}
    for place, hit in enumerate(hits, start=1):
        nearness = 1 / place if hit.cosine is None else max(0.0, hit.cosine)
        text = f"{hit.passage.title}\n{hit.passage.heading}\n{hit.passage.text}"
        near.setdefault(hit.passage.chunk, (text, nearness))
    return list(near.values())
