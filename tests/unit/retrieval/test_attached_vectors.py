"""Vectors of attached passages: made once, the best first, and words alone when they fail."""

from __future__ import annotations

from uuid import uuid4

import numpy as np
import pytest

from chat.adapters.embeddings import EmbeddingFailed
from chat.retrieval import attached_vectors
from chat.retrieval.attached_vectors import BATCH, EMBEDDED, PassageVectors
from tests.doubles.embedder import WordEmbedder


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    monkeypatch.setattr(attached_vectors, "_kept", attached_vectors._Kept())
    return WordEmbedder()


def texts(count: int, word: str = "word") -> dict[str, str]:
    return {f"k{number}": f"{word} {number}" for number in range(count)}


def test_a_passage_with_the_words_of_the_query_is_near(embedder: WordEmbedder) -> None:
    near = PassageVectors(embedder).cosines(
        "refund fee", {"a": "fee refund", "b": "other words"}, ["a", "b"]
    )
    assert near["a"] == pytest.approx(1.0)
    assert near["b"] == pytest.approx(0.0)


def test_a_second_search_of_a_turn_embeds_its_query_alone(embedder: WordEmbedder) -> None:
    vectors, given = PassageVectors(embedder), texts(3)
    vectors.cosines("one", given, list(given))
    embedder.asked.clear()
    vectors.cosines("two", given, list(given))
    assert embedder.asked == ["two"]


def test_the_next_turn_embeds_its_query_alone_too(embedder: WordEmbedder) -> None:
    given = texts(3)
    first = PassageVectors(embedder).cosines("one", given, list(given))
    embedder.asked.clear()
    assert PassageVectors(embedder).cosines("one", given, list(given)) == first
    assert embedder.asked == ["one"]


def test_another_model_s_vectors_are_not_taken(embedder: WordEmbedder) -> None:
    given = texts(1)
    PassageVectors(embedder).cosines("one", given, list(given))
    other = WordEmbedder(name="other")
    PassageVectors(other).cosines("one", given, list(given))
    assert "word 0" in other.asked


def test_of_a_long_document_the_most_promising_come_first(embedder: WordEmbedder) -> None:
    given = texts(2 * EMBEDDED)
    order = sorted(given, reverse=True)
    near = PassageVectors(embedder).cosines("word", given, order)
    assert set(near) == set(order[:EMBEDDED])


def test_a_second_search_goes_on_with_the_rest(embedder: WordEmbedder) -> None:
    given = texts(EMBEDDED + 3)
    vectors = PassageVectors(embedder)
    vectors.cosines("word", given, list(given))
    assert len(vectors.cosines("word", given, list(given))) == EMBEDDED + 3


def test_when_the_time_is_up_what_there_is_counts(
    embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ticks = iter(float(10 * number) for number in range(9))
    monkeypatch.setattr("chat.retrieval.attached_vectors.time.monotonic", lambda: next(ticks))
    monkeypatch.setattr(attached_vectors, "SECONDS", 25.0)
    given = texts(5 * BATCH)
    near = PassageVectors(embedder).cosines("word", given, list(given))
    assert len(near) == 2 * BATCH
    assert "24 attached passages" in caplog.text


def test_an_embedder_that_fails_gives_no_cosine(embedder: WordEmbedder) -> None:
    embedder.fails = EmbeddingFailed()
    assert PassageVectors(embedder).cosines("word", texts(2), ["k0", "k1"]) == {}


def test_without_an_embedder_or_a_passage_nothing_is_made(embedder: WordEmbedder) -> None:
    assert PassageVectors(None).cosines("word", texts(2), ["k0", "k1"]) == {}
    assert PassageVectors(embedder).cosines("word", {}, []) == {}
    assert embedder.asked == []


def test_a_defect_is_not_hidden(embedder: WordEmbedder) -> None:
    embedder.fails = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        PassageVectors(embedder).cosines("word", texts(1), ["k0"])


def test_no_more_vectors_are_kept_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attached_vectors, "KEPT", 2)
    kept, name = attached_vectors._Kept(), str(uuid4())
    row = np.zeros(3, dtype=np.float32)
    for text in ("a", "b"):
        kept.put(name, text, row)
    assert kept.get(name, "a") is row
    kept.put(name, "c", row)
    assert [kept.get(name, text) is row for text in "abc"] == [True, False, True]
