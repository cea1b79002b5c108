"""Pieces of the documents on their way from the index to the answer."""

from __future__ import annotations

from chat.contracts.verdicts import Supports, Value


class Passage(Value):
    """One chunk of one document version, whole.

    `chunk` is stable over re-ingests of the same section; `ordinal` counts from 0 in its
    document; `cosine` is the similarity to the query that found it, if a vector did.
    """

    chunk: str
    document: str
    version: int
    title: str
    heading: str = ""
    text: str
    url: str | None = None
    page: int | None = None
    ordinal: int = 0


class Hit(Value):
    """A passage as one search found it.

    `score` is what the list is ordered by (fused, cosine or ts_rank_cd, by the mode); ranks
    count from 1 within their own list and are None where that list did not hold the chunk.
    """

    passage: Passage
    score: float
    cosine: float | None = None
    vector_rank: int | None = None
    text_rank: int | None = None


class SearchResult(Value):
    """What one search gave: `asked` hits were wanted, `hits` came, best first, in `ms`."""

    query: str
    asked: int
    hits: tuple[Hit, ...]
    ms: float


class Citation(Value):
    """A numbered marker in the answer and the passage that it stands for."""

    marker: int
    chunk: str
    document: str
    version: int
    title: str
    url: str | None = None
    page: int | None = None
    passage: str
    supports: Supports = Supports.UNCHECKED
