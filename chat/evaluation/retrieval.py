"""How well the search finds the one right section among six real support sites.

The sections are taken in as any document is, into a collection of its own, and removed again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import transaction

from chat.adapters.embeddings import MiniLM
from chat.models import Chunk, Document, DocumentVersion
from chat.retrieval.extract import Extracted, Section, normalised
from chat.retrieval.ingest import store
from chat.retrieval.split import parts
from chat.retrieval.store import Mode, PostgresSearch
from chat.retrieval.vectors import Embedder

COLLECTION = "eval:support_kbs"
MODES: tuple[Mode, ...] = ("vector", "lexical", "hybrid")
DEPTH = 10  # sections that count
HITS = 20  # passages asked for, as several may be parts of one section
PART_MARK = "~"  # between a section's id and the number of a part of it


def evaluate_support_kbs(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """nDCG@10, P@1 and MRR@10 (each 0 to 1) of each mode over all questions, in one index.

    `folder` holds `sections.jsonl` and `questions.jsonl`. Without an embedder the local one is
    used. Gives `{"n": questions, "sections": n, "modes": {mode: {"ndcg_at_10", "p_at_1",
    "mrr_at_10"}}}`. Raises OSError when a file is missing.
    """
    embedder = embedder or MiniLM()
    questions = _rows(folder / "questions.jsonl")
    sections = _rows(folder / "sections.jsonl")
    with _indexed(sections, embedder):
        modes = {mode: _measure(mode, questions, embedder) for mode in MODES}
    return {"n": len(questions), "sections": len(sections), "modes": modes}


def figures(places: Sequence[int | None]) -> dict[str, float]:
    """Means over questions of the place (from 1) of the right section; None is not found."""
    found = [place for place in places if place is not None and place <= DEPTH]
    total = max(1, len(places))
    return {
        "ndcg_at_10": sum(1 / math.log2(place + 1) for place in found) / total,
        "p_at_1": found.count(1) / total,
        "mrr_at_10": sum(1 / place for place in found) / total,
    }


def _measure(
    mode: Mode, questions: Sequence[Mapping[str, Any]], embedder: Embedder
) -> dict[str, float]:
    search = PostgresSearch(embedder, collection=COLLECTION, mode=mode)
    return figures([_place(search, row["question"], row["gold"]) for row in questions])


def _place(search: PostgresSearch, question: str, gold: str) -> int | None:
    assert search.embedder is not None
    vector = None if search.mode == "lexical" else search.embedder.embed((question,))[0]
    hits = search.find(question, vector, HITS)
    sections = dict.fromkeys(hit.passage.chunk.split(PART_MARK)[0] for hit in hits)
    return next((at for at, section in enumerate(sections, 1) if section == gold), None)


@contextmanager
def _indexed(sections: Sequence[Mapping[str, Any]], embedder: Embedder) -> Iterator[None]:
    _remove()  # what a killed run may have left
    try:
        for document in _documents(sections):
            store(document, COLLECTION, embedder)
        yield
    finally:
        _remove()


def _documents(sections: Sequence[Mapping[str, Any]]) -> Iterator[Extracted]:
    """One document a page and title, its sections cut as an ingest would cut them."""

    def page_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
        return row["kb"], row["page"], row["title"] or ""

    for (kb, page, title), rows in groupby(sorted(sections, key=page_of), key=page_of):
        cut = tuple(section for row in rows for section in _cut(row))
        yield Extracted(f"{kb}/{page}/{title}"[:200], title, "", cut)


def _cut(row: Mapping[str, Any]) -> Iterator[Section]:
    for number, text in enumerate(parts(normalised(row["text"])), start=1):
        key = row["id"] if number == 1 else f"{row['id']}{PART_MARK}{number}"
        yield Section(key, row["heading"] or "", text)


def _remove() -> None:
    with transaction.atomic():
        Chunk.objects.filter(version__document__collection=COLLECTION).delete()
        DocumentVersion.objects.filter(document__collection=COLLECTION).delete()
        Document.objects.filter(collection=COLLECTION).delete()


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
