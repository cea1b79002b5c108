"""How much a word tells passages apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.corpus import Documents, Rarity

TEXTS = st.lists(st.lists(st.sampled_from("loan card room fee desk".split())).map(" ".join))


def test_a_word_in_every_passage_tells_little_and_an_unknown_one_most() -> None:
    rarity = Rarity(["loan of a book", "loan of a film", "loan fee"])

    assert rarity("loan") < rarity("film") < rarity("gpu") == 1


def test_a_stem_is_known_when_a_passage_holds_it() -> None:
    rarity = Rarity(["renewing loans"])

    assert "loan" in rarity
    assert "gpu" not in rarity


@given(TEXTS, st.sampled_from("loan card room fee desk gpu".split()))
def test_rarity_is_from_nothing_to_one(texts: list[str], word: str) -> None:
    assert 0 < Rarity(texts)(word) <= 1


def test_headings_count_as_words_of_their_passage() -> None:
    documents = Documents("s", ("Late fees",), ("They are paid.",), np.zeros((1, 2), np.float32))

    assert "fee" in documents.rarity
    assert "late" in documents.vocabulary
