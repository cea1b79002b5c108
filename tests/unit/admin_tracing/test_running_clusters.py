"""Groups of texts that share their words: who belongs together, in whatever order they come."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.running import clusters as running_clusters
from admin_tracing.running.clusters import ALIKE, Words, clusters, jaccard

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=24)


def named(*texts: str) -> list[Words]:
    return [frozenset(text.split()) for text in texts]


def slowly(texts: Sequence[Words]) -> set[frozenset[int]]:
    """Every pair compared, and groups grown until nothing changes."""
    groups = {frozenset([place]) for place in range(len(texts))}
    while True:
        joined = next(
            (
                (one, other)
                for one in groups
                for other in groups
                if one != other
                and any(jaccard(texts[a], texts[b]) >= ALIKE for a in one for b in other)
            ),
            None,
        )
        if joined is None:
            return groups
        groups = (groups - set(joined)) | {joined[0] | joined[1]}


def test_texts_that_share_most_of_their_words_are_one_group():
    assert clusters(named("student discount", "student discount offer", "weather")) == [[0, 1], [2]]


def test_one_shared_word_of_four_is_too_little():
    assert len(clusters(named("student discount", "annual plan discount"))) == 2


def test_others_may_lead_from_one_to_the_other():
    assert clusters(named("a b", "b c", "a b c")) == [[0, 1, 2]]


def test_the_largest_group_comes_first_then_the_one_that_begins_first():
    assert clusters(named("x", "a b", "y", "a b")) == [[1, 3], [0], [2]]


def test_texts_without_a_word_are_alike():
    assert clusters(named("", "a", "")) == [[0, 2], [1]]


def test_of_nothing_there_are_no_groups():
    assert clusters([]) == []


@given(TEXTS)
def test_every_text_is_in_exactly_one_group(texts: list[Words]):
    places = sorted(place for group in clusters(texts) for place in group)
    assert places == list(range(len(texts)))


@given(TEXTS)
def test_the_groups_are_those_of_comparing_every_pair(texts: list[Words]):
    assert {frozenset(group) for group in clusters(texts)} == slowly(texts)


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_the_texts_does_not_matter(texts: list[Words], chance: random.Random):
    order = list(range(len(texts)))
    chance.shuffle(order)
    again = clusters([texts[place] for place in order])
    found = {frozenset(order[place] for place in group) for group in again}
    assert found == {frozenset(group) for group in clusters(texts)}


@given(TEXTS)
def test_the_same_texts_give_the_same_groups(texts: list[Words]):
    assert clusters(texts) == clusters(list(texts))


@given(st.frozensets(st.text(max_size=3)), st.frozensets(st.text(max_size=3)))
def test_the_measure_is_a_share_and_the_same_from_both_sides(one: Words, other: Words):
    assert jaccard(one, other) == jaccard(other, one)
    assert 0.0 <= jaccard(one, other) <= 1.0
    assert jaccard(one, one) == 1.0


def test_of_two_thousand_texts_few_are_compared(monkeypatch: pytest.MonkeyPatch):
    chance = random.Random(3)
    words = [f"w{number}" for number in range(400)]
    texts = [frozenset(chance.choices(words, k=8)) for _ in range(2_000)]
    compared: list[None] = []

    def counted(one: Words, other: Words) -> float:
        compared.append(None)
        return jaccard(one, other)

    monkeypatch.setattr(running_clusters, "jaccard", counted)
    clusters(texts)
    assert len(compared) < 0.15 * len(texts) * (len(texts) - 1) / 2
