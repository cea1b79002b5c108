"""How long a search takes: three modes, on the sample handbook and on 10,000 chunks.

`python -m benchmarks.retrieval`, some 25 seconds. It starts a database of its own and removes
it. The large corpus has random vectors and the handbook's words in random order: its size is
real, its meaning is not. Each search is timed whole, with its query's vector already kept;
making the vector of a new question is timed apart.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.fresh_database import fresh_database
from benchmarks.report import machine, percentiles, table

if TYPE_CHECKING:
    from chat.retrieval.vectors import Embedder

ROOT = Path(__file__).resolve().parent.parent
HANDBOOK = ROOT / "chat" / "sample" / "handbook"
QUESTIONS = ROOT / "tests" / "data" / "further_questions.json"
CHUNKS = 10_000
WORDS = 80  # of a chunk
ROUNDS = 4  # of all questions, a mode
HITS = 6
SEED = 7
LARGE = "bench"
MODES = ("hybrid", "vector", "lexical")

INDEX = "chunk_embedding_hnsw"
NEW_INDEX = f"""
CREATE INDEX {INDEX} ON chat_chunk USING hnsw (embedding vector_cosine_ops)
WITH (m = 16, ef_construction = 64)
"""
LOADING = "CREATE TEMPORARY TABLE loading (number int, body text, vector vector)"
COPY = "COPY loading FROM STDIN"
INSERT = """
INSERT INTO chat_chunk (id, version_id, key, ordinal, heading, text, collection, is_current,
    embedding, tsv, tsv_exact)
SELECT gen_random_uuid(), %s, 'b#' || number, number, '', body, %s, true,
    vector, to_tsvector('english', body), ''
FROM loading
"""


def run() -> None:
    """Start a database, measure and print, and remove it."""
    with fresh_database():
        _measure()


def _measure() -> None:
    from chat.adapters.embeddings import MiniLM
    from chat.retrieval.ingest import ingest_paths

    embedder = MiniLM()
    questions = [row["text"] for row in json.loads(QUESTIONS.read_text())]
    small = ingest_paths([HANDBOOK], "handbook", embedder)
    seconds = _timed(_fill)
    times = [_timed(partial(embedder.embed, [text])) for text in questions]
    rows = [_row("any", "a question's vector", times)]
    for name, collection in (("handbook", "handbook"), (f"{CHUNKS:,}", LARGE)):
        for mode in MODES:
            times = asyncio.run(_search(embedder, mode, collection, questions))
            rows.append(_row(name, f"search, {mode}", times))
    print(f"\n## Retrieval\n\nHandbook: {small.passages} chunks taken in in {small.seconds:.1f} s.")
    print(f"Large corpus: {CHUNKS:,} chunks written and indexed in {seconds:.1f} s.\n")
    print(table(("chunks", "step", "p50 ms", "p95 ms", "n"), rows), flush=True)


async def _search(
    embedder: Embedder, mode: str, collection: str, questions: list[str]
) -> list[float]:
    """Seconds of each search, after one round that warms the caches."""
    from chat.retrieval.store import PostgresSearch

    search = PostgresSearch(embedder, collection=collection, mode=mode)  # type: ignore[arg-type]
    rounds = [
        [(await search.search(question, HITS)).ms / 1000 for question in questions]
        for _ in range(ROUNDS + 1)
    ]
    return [seconds for each in rounds[1:] for seconds in each]


def _fill() -> None:
    """Writes the large corpus, and builds the vector index anew at its end."""
    from django.db import connection

    from chat.models import Document, DocumentVersion

    document = Document.objects.create(collection=LARGE, slug=LARGE, title="Bench")
    version = DocumentVersion.objects.create(
        document=document,
        number=1,
        content_hash="",
        embedding_model="all-MiniLM-L6-v2-int8",
        is_current=True,
    )
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {INDEX}")
        cursor.execute(LOADING)
        with cursor.copy(COPY) as copy:
            for row in _rows():
                copy.write_row(row)
        cursor.execute(INSERT, [version.pk, LARGE])
        cursor.execute("SET maintenance_work_mem = '256MB'")
        cursor.execute(NEW_INDEX)
        cursor.execute("ANALYZE chat_chunk")


def _rows() -> Iterator[tuple[int, str, str]]:
    """Number, text and vector of each chunk of the large corpus."""
    from chat.retrieval.vectors import literal

    chance = random.Random(SEED)
    words = " ".join(path.read_text() for path in sorted(HANDBOOK.glob("*.md"))).split()
    vectors = np.random.default_rng(SEED).normal(size=(CHUNKS, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for number, vector in enumerate(vectors):
        yield number, " ".join(chance.choices(words, k=WORDS)), literal(vector)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _row(corpus: str, step: str, seconds: list[float]) -> list[str]:
    p50, p95 = percentiles([each * 1000 for each in seconds], 50, 95)
    return [corpus, step, f"{p50:.1f}", f"{p95:.1f}", str(len(seconds))]


if __name__ == "__main__":
    print(f"Retrieval on {machine()}", flush=True)
    run()
