"""The index's SQL: candidates by vector and by words, the exact list, and single passages.

Synchronous; whoever calls from the event loop goes through `chat.db`. Only chunks of current
versions are searched; a passage of an old version is found by its own address.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from chat.contracts.passages import Passage
from chat.retrieval.rank import Candidate, Place
from chat.retrieval.terms import WordFact
from chat.retrieval.vectors import Vector, literal

LISTED = 20  # length of each of the two lists; longer when more hits are asked for

# The filter on the collection runs after the graph walk. So the walk is told to go on, in exact
# order, until the list is full: foreign and old chunks between must not starve a collection.
# Compiling so short a query would take longer than running it.
TUNED = """
SELECT set_config('jit', 'off', true),
    set_config('hnsw.ef_search', '100', true),
    set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.max_scan_tuples', '1000000', true),
    set_config('hnsw.scan_mem_multiplier', '32', true)
"""

PASSAGE = "c.key, d.slug, v.number, d.title, c.heading, c.text, d.url, c.page, c.ordinal"
OF_DOCUMENT = """
JOIN chat_documentversion v ON v.id = c.version_id
JOIN chat_document d ON d.id = v.document_id
"""
CURRENT = "c.collection = %(collection)s AND c.is_current"
QUOTED = r"""('''' || replace(replace({}, '\', '\\'), '''', '''''') || '''')"""

NEAR = f"""
near AS MATERIALIZED (
    SELECT c.id FROM chat_chunk c WHERE {CURRENT}
    ORDER BY c.embedding <=> %(vector)s::vector LIMIT %(listed)s
)"""

# `ts_rank_cd` knows no rarity: OR-ed as one query, "how long does a refund take" is won by
# whatever says "take" and "long" often. Asked word by word, each rank is saturated as in BM25 and
# weighted by how few chunks hold the word; the score is the share of the question's rarity that a
# chunk holds. nDCG@10 over six support sites: 0.20 as one query, 0.37 so. AND, which
# websearch_to_tsquery builds, finds nothing for most whole questions. The last argument divides
# a rank by the logarithm of the chunk's length.
TEXTUAL = f"""
words AS (
    SELECT DISTINCT lexeme, {QUOTED.format("lexeme")}::tsquery AS query
    FROM unnest(to_tsvector('english', %(query)s))
),
matches AS MATERIALIZED (
    SELECT c.id, w.lexeme, ts_rank_cd('{{0.1, 0.2, 0.4, 1.0}}', c.tsv, w.query, 1) AS rank
    FROM words w JOIN chat_chunk c ON c.tsv @@ w.query WHERE {CURRENT}
),
rarity AS (
    SELECT w.lexeme, ln(1 + (n.total - count(m.id) + 0.5) / (count(m.id) + 0.5)) AS weight
    FROM words w LEFT JOIN matches m USING (lexeme)
    CROSS JOIN (SELECT count(*) AS total FROM chat_chunk c WHERE {CURRENT}) n
    GROUP BY w.lexeme, n.total
),
textual AS MATERIALIZED (
    SELECT id, sum(weight * rank / (rank + 0.1)) / (SELECT sum(weight) FROM rarity) AS score
    FROM matches JOIN rarity USING (lexeme) GROUP BY id
),
worded AS (SELECT id FROM textual ORDER BY score DESC, id LIMIT %(listed)s)"""

COSINE = "1 - (c.embedding <=> %(vector)s::vector)"

HYBRID = f"""
WITH {NEAR},{TEXTUAL}
SELECT {PASSAGE}, {COSINE}, t.score
FROM (SELECT id FROM near UNION SELECT id FROM worded) found
JOIN chat_chunk c USING (id) LEFT JOIN textual t USING (id) {OF_DOCUMENT}
"""
BY_VECTOR = f"""
WITH {NEAR}
SELECT {PASSAGE}, {COSINE}, NULL FROM near JOIN chat_chunk c USING (id) {OF_DOCUMENT}
"""
BY_WORDS = f"""
WITH {TEXTUAL}
SELECT {PASSAGE}, NULL, t.score
FROM worded JOIN textual t USING (id) JOIN chat_chunk c USING (id) {OF_DOCUMENT}
"""
EXACT = f"""
WITH words AS (
    SELECT string_agg({QUOTED.format("lexeme")}, ' | ')::tsquery AS query
    FROM unnest(to_tsvector('plumbline_exact', %(query)s))
)
SELECT {PASSAGE}, NULL, coalesce(ts_rank_cd(c.tsv_exact, words.query), 0) AS score
FROM chat_chunk c CROSS JOIN words {OF_DOCUMENT}
WHERE {CURRENT} ORDER BY score DESC, c.key LIMIT %(listed)s
"""
STATEMENTS = {"hybrid": HYBRID, "vector": BY_VECTOR, "lexical": BY_WORDS, "exact": EXACT}

WORD_FACTS = f"""
SELECT s.word, s.stem, (
    SELECT count(*) FROM chat_chunk c
    WHERE {CURRENT} AND c.tsv @@ {QUOTED.format("s.stem")}::tsquery
)
FROM (
    SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest(%(words)s::text[]) word
) s
WHERE s.stem IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and what the index knows of it for one query."""

    passage: Passage
    candidate: Candidate


def candidates(
    collection: str, mode: str, query: str, vector: Vector | None, limit: int
) -> list[Found]:
    """What may answer, in no promised order except in the mode `exact`.

    `vector` has length 1 and 384 numbers; the modes `lexical` and `exact` need none.
    """
    parameters = {
        "collection": collection,
        "query": query.replace("\0", " "),  # PostgreSQL's text cannot hold it
        "vector": None if vector is None else literal(vector),
        "listed": limit if mode == "exact" else max(LISTED, limit),
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TUNED)
        cursor.execute(STATEMENTS[mode], parameters)
        return [_found(row) for row in cursor.fetchall()]


def places(collection: str, keys: Sequence[str]) -> list[Place]:
    """Where the current chunks of these keys stand, in the order of the keys."""
    statement = f"SELECT c.key, c.version_id, c.ordinal FROM chat_chunk c WHERE {CURRENT}"
    rows = _rows(
        f"{statement} AND c.key = ANY(%(keys)s)", {"collection": collection, "keys": list(keys)}
    )
    found = {key: Place(version, ordinal) for key, version, ordinal in rows}
    return [found[key] for key in dict.fromkeys(keys) if key in found]


def passages_at(wanted: Sequence[Place]) -> tuple[Passage, ...]:
    """The passages at these places, in their order; places that do not exist are left out."""
    rows = _rows(
        f"""SELECT {PASSAGE}, c.version_id FROM chat_chunk c {OF_DOCUMENT}
        JOIN unnest(%(versions)s::bigint[], %(ordinals)s::int[]) AS w(version, ordinal)
        ON w.version = c.version_id AND w.ordinal = c.ordinal""",
        {
            "versions": [place.version for place in wanted],
            "ordinals": [place.ordinal for place in wanted],
        },
    )
    found = {Place(row[-1], row[-2]): _passage(row) for row in rows}
    return tuple(found[place] for place in wanted if place in found)


def passage_of(
    document: str, version: int, key: str, *, collection: str = "handbook"
) -> Passage | None:
    """The passage that a citation named, also after its document was replaced or retired."""
    rows = _rows(
        f"""SELECT {PASSAGE} FROM chat_chunk c {OF_DOCUMENT}
        WHERE d.collection = %(collection)s AND d.slug = %(document)s
        AND v.number = %(version)s AND c.key = %(key)s""",
        {"collection": collection, "document": document, "version": version, "key": key},
    )
    return _passage(rows[0]) if rows else None


def word_facts(collection: str, words: Iterable[str]) -> list[WordFact]:
    """Stems and document frequencies; stop words are left out."""
    rows = _rows(WORD_FACTS, {"collection": collection, "words": list(words)})
    return [WordFact(*row) for row in rows]


def size_of(collection: str) -> int:
    """How many chunks the search looks at."""
    rows = _rows(f"SELECT count(*) FROM chat_chunk c WHERE {CURRENT}", {"collection": collection})
    return int(rows[0][0])


def spaces_of(collection: str) -> set[str]:
    """The embedding models that made the vectors of the current versions."""
    rows = _rows(
        """SELECT DISTINCT v.embedding_model FROM chat_documentversion v
        JOIN chat_document d ON d.id = v.document_id
        WHERE d.collection = %(collection)s AND v.is_current""",
        {"collection": collection},
    )
    return {name for (name,) in rows}


def _rows(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def _found(row: tuple[Any, ...]) -> Found:
    cosine, text = row[-2], row[-1]
    candidate = Candidate(
        row[0],
        None if cosine is None else max(-1.0, min(1.0, float(cosine))),
        float(text) if text else None,
    )
    return Found(_passage(row), candidate)


def _passage(row: tuple[Any, ...]) -> Passage:
    key, document, version, title, heading, text, url, page, ordinal = row[:9]
    return Passage(
        chunk=key,
        document=document,
        version=version,
        title=title,
        heading=heading,
        text=text,
        url=url or None,
        page=page,
        ordinal=ordinal,
    )
