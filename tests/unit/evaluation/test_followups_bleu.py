"""BLEU means what the word stands for elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.evaluation.bleu import best, bleu, counts, score, tokens

GUIDE = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
GUIDES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)
BOOK = "he read the book because he was interested in world history"
BOOKS = ("he was interested in world history because he read the book",)
TEXT = st.lists(st.sampled_from("a b c d e".split()), min_size=1, max_size=12).map(" ".join)


def test_the_examples_of_the_literature_have_their_known_values() -> None:
    assert bleu([(GUIDE, GUIDES)]) == pytest.approx(0.5045666840)
    assert bleu([(GUIDE, GUIDES), (BOOK, BOOKS)]) == pytest.approx(0.5920778869)


def test_a_text_that_is_its_reference_is_perfect_and_a_foreign_one_worthless() -> None:
    assert bleu([(BOOK, [BOOK])]) == 1
    assert bleu([("not one of them", [BOOK])]) == 0
    assert bleu([]) == 0


def test_a_text_that_is_too_short_is_punished_for_it() -> None:
    cut = "he read the book because he was interested"

    assert bleu([(cut, [BOOK])]) == pytest.approx(np.exp(1 - 11 / 8))


def test_case_does_not_count_and_punctuation_does() -> None:
    assert tokens("Can't I?") == ["can", "'", "t", "i", "?"]


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6))
def test_counts_of_rows_add_up_to_the_figure_of_all(pairs: list[tuple[str, str]]) -> None:
    table = np.array([counts(text, (reference,)) for text, reference in pairs])

    assert score(table) == bleu([(text, (reference,)) for text, reference in pairs])
    assert 0 <= score(table) <= 1


@given(TEXT, TEXT, TEXT)
def test_the_reference_that_is_most_like_counts(text: str, one: str, other: str) -> None:
    assert best(text, (one, other)) == max(best(text, (one,)), best(text, (other,)))
    assert best(text, (text, other)) == 1
    assert best("x", (one,)) == 0
