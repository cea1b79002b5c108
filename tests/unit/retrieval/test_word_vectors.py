"""Vectors of words are made once, given back in order, and never pile up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chat.retrieval.vectors import Vector, WordVectors


class Counting:
    """An embedder that counts how often a word came to it."""

    name = "counting"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vector:
        self.seen += texts
        return np.array([[float(len(text)), 1.0] for text in texts], dtype=np.float32)


def test_a_word_is_embedded_once() -> None:
    embedder = Counting()
    vectors = WordVectors(embedder)
    first, again = vectors.of(["plan", "price"]), vectors.of(["price", "plan", "price"])
    assert embedder.seen == ["plan", "price"]
    assert again.tolist() == [first[1].tolist(), first[0].tolist(), first[1].tolist()]


@given(st.lists(st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6)))
def test_rows_stand_in_the_order_of_the_words_however_much_is_kept(asked: list[list[str]]) -> None:
    vectors = WordVectors(Counting(), kept=4)
    for words in asked:
        assert vectors.of(words)[:, 0].tolist() == [float(len(word)) for word in words]
        assert len(vectors._rows) <= 6  # the most that one call needs
