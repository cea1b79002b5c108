"""An index in memory: given passages, ranked by the words that they share with the query.

A small real `Search`, so that nodes and whole turns run without a database.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from chat.contracts.errors import SearchFailed
from chat.contracts.passages import Hit, Passage, SearchResult

WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


@dataclass(slots=True)
class ListSearch:
    """Finds passages by shared words, best first, then by chunk; without a match nothing.

    `fails_on` numbers the searches, from 1, that raise `SearchFailed`; `helpers_fail` does so
    for neighbours, terms and drift. `asked` is every query that came.
    """

    passages: Sequence[Passage]
    fails_on: Collection[int] = ()
    helpers_fail: bool = False
    asked: list[str] = field(default_factory=list)

    async def search(self, query: str, limit: int) -> SearchResult:
        self.asked.append(query)
        if len(self.asked) in self.fails_on:
            raise SearchFailed
        scored = [(len(words(query) & words(p.text)), p) for p in self.passages]
        found = sorted((s for s in scored if s[0]), key=lambda s: (-s[0], s[1].chunk))[:limit]
        hits = tuple(
            Hit(passage=passage, score=float(score), text_rank=rank)
            for rank, (score, passage) in enumerate(found, start=1)
        )
        return SearchResult(query=query, asked=limit, hits=hits, ms=1.0)

    async def neighbours(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        self._maybe_fail()
        near = {
            (p.document, p.ordinal + step)
            for p in self.passages
            for step in (-1, 1)
            if p.chunk in chunks
        }
        return tuple(p for p in self.passages if (p.document, p.ordinal) in near)

    async def terms(self, query: str, hits: Sequence[Hit], limit: int) -> tuple[str, ...]:
        self._maybe_fail()
        seen = Counter(word for hit in hits for word in WORD.findall(hit.passage.text.lower()))
        fresh = [word for word, _ in seen.most_common() if word not in words(query)]
        return tuple(fresh[:limit])

    async def drift(self, before: str, after: str) -> float | None:
        self._maybe_fail()
        both = words(before) | words(after)
        return 1 - len(words(before) & words(after)) / len(both) if both else 0.0

    def _maybe_fail(self) -> None:
        if self.helpers_fail:
            raise SearchFailed
