"""One search over the index and over what came with the question.

Passages of both are ranked together, by cosine and by words, so neither side is favoured by
its size. Vectors of attached passages are made once and kept for the questions after.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

from chat.contracts.errors import SearchFailed
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.ports import Search
from chat.retrieval import rank
from chat.retrieval.attached_text import PREFIX, AttachedDocument, passages_of, shares
from chat.retrieval.attached_vectors import PassageVectors
from chat.retrieval.rank import Candidate, Ranked
from chat.retrieval.vectors import Embedder

PLACES = 2  # hits that the question's own documents always have, if they have as many passages
NEAREST = 4  # attached passages whose words are offered to a rewrite


class AttachedSearch:
    """`chat.contracts.ports.Search` over an index and documents; made for one turn.

    `only` is for a question about the document itself: its passages come first, and the
    index's own follow in a third of the places at least. Without an embedder, or when it
    fails, words alone decide. A failing index leaves the documents to answer.
    """

    def __init__(
        self,
        search: Search,
        documents: Sequence[AttachedDocument],
        embedder: Embedder | None,
        *,
        only: bool = False,
    ) -> None:
        self._search = search
        self._documents = documents
        self._only = only
        self._own = {f"{PREFIX}{each.id}" for each in documents if each.is_own}
        self._vectors = PassageVectors(embedder)
        self._lock = threading.Lock()  # parts of one question are searched at the same time
        self._passages: dict[str, Passage] | None = None

    @property
    def mode(self) -> str:
        """How the index under it is searched, and what a tape tells it by."""
        return str(getattr(self._search, "mode", ""))

    @property
    def threshold(self) -> float | None:
        """The least cosine of the index's hits."""
        return getattr(self._search, "threshold", None)

    @property
    def collection(self) -> str:
        """What the index under it holds."""
        return str(getattr(self._search, "collection", ""))

    async def search(self, query: str, limit: int) -> SearchResult:
        """At most `limit` hits. Raises SearchFailed where there is nothing to fall back on."""
        started = time.perf_counter()
        failure: SearchFailed | None = None
        found: tuple[Hit, ...] = ()
        try:
            found = (await self._search.search(query, limit)).hits
        except SearchFailed as error:
            failure = error
        hits = await asyncio.to_thread(self._merged, query, found, limit)
        if failure is not None and not hits:
            raise failure
        ms = (time.perf_counter() - started) * 1000
        return SearchResult(query=query, asked=limit, hits=hits, ms=ms)

    async def neighbours(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        """The passages just before and after the given ones. Raises SearchFailed."""
        own = [chunk for chunk in chunks if chunk.startswith(PREFIX)]
        others = [chunk for chunk in chunks if not chunk.startswith(PREFIX)]
        beside = await asyncio.to_thread(self._beside, own) if own else ()
        return (*beside, *(await self._search.neighbours(others) if others else ()))

    async def terms(self, query: str, hits: Sequence[Hit], limit: int) -> tuple[str, ...]:
        """Words near the query, the attached passages' among them. Raises SearchFailed."""
        own = await asyncio.to_thread(self._merged, query, (), NEAREST)
        given = {hit.passage.chunk for hit in hits}
        near = [hit for hit in own if hit.passage.chunk not in given]
        return await self._search.terms(query, (*near, *hits), limit)

    async def drift(self, before: str, after: str) -> float | None:
        return await self._search.drift(before, after)

    # ---- beside the loop

    def _merged(self, query: str, found: tuple[Hit, ...], limit: int) -> tuple[Hit, ...]:
        """The index's hits and the attached passages, as one list."""
        attached = self._ready()
        known = {hit.passage.chunk: hit.passage for hit in found} | attached
        texts = {key: _whole(each) for key, each in known.items()}
        words = dict(zip(texts, shares(query, list(texts.values())), strict=True))
        order = sorted(attached, key=lambda key: (-(words[key] or 0.0), attached[key].ordinal))
        near = self._vectors.cosines(query, {key: texts[key] for key in attached}, order)
        cosines = {hit.passage.chunk: hit.cosine for hit in found} | near
        # Words alone compare both where one side has no cosines.
        is_even = bool(near) and all(hit.cosine is not None for hit in found)
        ranked = rank.fuse(
            Candidate(key, cosines.get(key) if is_even else None, words[key]) for key in known
        )
        return tuple(
            Hit(
                passage=known[each.key],
                score=each.score,
                cosine=cosines.get(each.key),
                vector_rank=each.vector_rank,
                text_rank=each.text_rank,
            )
            for each in self._placed(ranked, limit)
        )

    def _placed(self, ranked: Sequence[Ranked], limit: int) -> list[Ranked]:
        """Who is among the hits: the best, and some of the question's own in any case."""
        own = [each for each in ranked if self._is_own(each)]
        others = [each for each in ranked if not self._is_own(each)]
        if self._only:
            followers = others[: max(limit // 3, limit - len(own))]
            return [*own[: limit - len(followers)], *followers]
        best = list(ranked[:limit])
        least = min(PLACES, len(own), limit)
        if sum(map(self._is_own, best)) >= least:
            return best
        certain = {each.key for each in (*own[:least], *others[: limit - least])}
        return [each for each in ranked if each.key in certain]

    def _is_own(self, ranked: Ranked) -> bool:
        return ranked.key.partition("#")[0] in self._own

    def _ready(self) -> dict[str, Passage]:
        """The attached passages by their key, cut once."""
        with self._lock:
            if self._passages is None:
                every = (each for document in self._documents for each in passages_of(document))
                self._passages = {each.chunk: each for each in every}
            return self._passages

    def _beside(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        """The passages around the given ones, each once, none that was given."""
        known = self._ready()
        places = {(each.document, each.ordinal): each for each in known.values()}
        given = [known[chunk] for chunk in chunks if chunk in known]
        around = (
            places.get((each.document, each.ordinal + step)) for each in given for step in (-1, 1)
        )
        return tuple(dict.fromkeys(each for each in around if each and each not in given))


def _whole(passage: Passage) -> str:
    """What a passage's vector is made of, as in the index."""
    return "\n".join(part for part in (passage.title, passage.heading, passage.text) if part)
