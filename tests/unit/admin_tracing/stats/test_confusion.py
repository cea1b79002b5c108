"""A table of what was said against what is so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.stats import NOTHING, Pair, confusion, hajek

CLASSES = ("a", "b", "c")
pairs = st.lists(
    st.builds(
        Pair,
        st.sampled_from(CLASSES),
        st.sampled_from(CLASSES),
        st.one_of(st.none(), st.floats(0.1, 50)),
    ),
    max_size=40,
)

BY_HAND = (
    Pair("a", "a", 4.0),
    Pair("a", "b", 1.0),
    Pair("b", "b", 2.0),
    Pair("b", "b", None),
    Pair("c", "a", 1.0),
)


def test_a_table_by_hand() -> None:
    """Drawn weights: a-a 4, a-b 1, b-b 2, c-a 1: right 6 of 8."""
    found = confusion(CLASSES, BY_HAND)
    assert found.counts() == {("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 2, ("c", "a"): 1}
    assert [found.row_sum(name) for name in CLASSES] == [2, 2, 1]
    assert [found.column_sum(name) for name in CLASSES] == [2, 3, 0]
    assert found.accuracy().value == pytest.approx(6 / 8)
    assert found.precision("a").value == pytest.approx(4 / 5)
    assert found.precision("b").value == pytest.approx(2 / 3)
    assert found.recall("a").value == pytest.approx(4 / 5)
    assert found.recall("c").value == 0.0
    assert found.weights() == {("a", "a"): 4.0, ("a", "b"): 1.0, ("b", "b"): 2.0, ("c", "a"): 1.0}


def test_what_was_not_drawn_counts_in_the_table_alone() -> None:
    found = confusion(CLASSES, [Pair("a", "b", None)] * 3)
    assert found.n == 3
    assert found.accuracy() == NOTHING


def test_a_class_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="z is none of a, b, c"):
        confusion(CLASSES, [Pair("a", "z")])


@given(pairs)
def test_sums_of_rows_and_columns_are_the_whole(given: list[Pair]) -> None:
    found = confusion(CLASSES, given)
    assert sum(map(found.row_sum, CLASSES)) == sum(map(found.column_sum, CLASSES)) == found.n
    assert found.counts().total() == found.n


@given(pairs)
def test_the_accuracy_is_the_share_of_the_diagonal(given: list[Pair]) -> None:
    drawn = [(pair.so == pair.said, pair.weight) for pair in given if pair.weight is not None]
    assert confusion(CLASSES, given).accuracy() == hajek(drawn)


@given(pairs)
def test_precision_of_the_table_is_recall_of_the_turned_one(given: list[Pair]) -> None:
    turned = [Pair(pair.said, pair.so, pair.weight) for pair in given]
    one, other = confusion(CLASSES, given), confusion(CLASSES, turned)
    assert all(one.precision(name) == other.recall(name) for name in CLASSES)
