"""Ranking: fusion, the floor, and which neighbours a passage has."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.retrieval.rank import (
    RRF_K,
    Candidate,
    Place,
    Ranked,
    above_floor,
    beside,
    by_score,
    fuse,
    reciprocal_rank,
)

COSINES = st.none() | st.floats(-1, 1, allow_nan=False)
TEXTS = st.none() | st.floats(0.001, 1, allow_nan=False)
CANDIDATES = st.lists(
    st.builds(Candidate, key=st.text(max_size=4), cosine=COSINES, text=TEXTS),
    max_size=12,
    unique_by=lambda each: each.key,
)
PLACES = st.lists(st.builds(Place, version=st.integers(1, 3), ordinal=st.integers(0, 9)))


def _cosines(found: list[Candidate]) -> dict[str, float]:
    return {each.key: each.cosine for each in found if each.cosine is not None}


def test_a_rank_gives_one_over_sixty_plus_the_rank() -> None:
    assert RRF_K == 60
    assert reciprocal_rank(1) == pytest.approx(1 / 61)
    assert reciprocal_rank(None) == 0


def test_fusion_adds_what_both_orders_give() -> None:
    found = [Candidate("a", 0.9, 0.1), Candidate("b", 0.8, 0.9), Candidate("c", 0.1)]

    one, other, last = fuse(found)

    assert (one.key, one.vector_rank, one.text_rank) == ("a", 1, 2)
    assert one.score == other.score == pytest.approx(1 / 61 + 1 / 62)
    assert last.score == pytest.approx(1 / 63)
    assert last.text_rank is None


def test_a_word_hit_passes_a_slightly_nearer_passage_without_the_words() -> None:
    ranked = fuse([Candidate("near", 0.61), Candidate("worded", 0.6, 3.0)])

    assert [each.key for each in ranked] == ["worded", "near"]


def test_passages_with_the_same_words_are_told_apart_by_their_vectors() -> None:
    found = [Candidate("far", 0.2, 0.50), Candidate("near", 0.6, 0.49)]

    assert [(each.key, each.text_rank) for each in fuse(found)] == [("near", 1), ("far", 2)]


@given(CANDIDATES)
def test_no_fused_score_is_over_two_firsts(found: list[Candidate]) -> None:
    assert all(0 <= each.score <= 2 / 61 for each in fuse(found))


@given(CANDIDATES)
def test_fusion_keeps_every_candidate_once_and_is_ordered_by_score(found: list[Candidate]) -> None:
    ranked = fuse(found)

    assert sorted(each.key for each in ranked) == sorted(each.key for each in found)
    assert all(a.score >= b.score for a, b in zip(ranked, ranked[1:], strict=False))


@given(CANDIDATES)
def test_ranks_count_from_one_without_gaps_and_follow_the_scores(found: list[Candidate]) -> None:
    ranked = {each.key: each for each in fuse(found)}

    words = {each.key: each.text + (each.cosine or 0) for each in found if each.text is not None}
    for scores, attribute in ((_cosines(found), "vector_rank"), (words, "text_rank")):
        ranks = {key: getattr(each, attribute) for key, each in ranked.items()}
        assert {key for key, rank in ranks.items() if rank is not None} == scores.keys()
        assert sorted(ranks[key] for key in scores) == list(range(1, len(scores) + 1))
        best_first = [scores[key] for key in sorted(scores, key=lambda key: ranks[key])]
        assert best_first == sorted(best_first, reverse=True)


@given(CANDIDATES)
def test_a_candidate_that_is_better_in_both_orders_is_never_behind(
    found: list[Candidate],
) -> None:
    at = {each.key: place for place, each in enumerate(fuse(found))}
    for one, other in permutations(found, 2):
        if one.cosine is None or one.text is None:
            continue
        farther = other.cosine is None or other.cosine < one.cosine
        if farther and (other.text is None or other.text < one.text):
            assert at[one.key] < at[other.key]


@given(CANDIDATES, st.randoms())
def test_the_order_in_which_candidates_come_does_not_matter(
    found: list[Candidate], random: object
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert fuse(shuffled) == fuse(found)
    assert by_score(shuffled) == by_score(found)


@given(CANDIDATES)
def test_a_single_list_is_ordered_by_its_own_score_then_by_key(found: list[Candidate]) -> None:
    texts = [Candidate(each.key, None, each.text) for each in found]

    ranked = by_score(texts)

    assert [(-each.score, each.key) for each in ranked] == sorted(
        (-(each.text or 0.0), each.key) for each in texts
    )


@given(CANDIDATES, st.floats(-1, 1))
def test_the_floor_drops_what_only_a_far_vector_found(found: list[Candidate], floor: float) -> None:
    ranked = fuse(found)
    cosines = _cosines(found)

    kept = above_floor(ranked, cosines, floor)

    for each in ranked:
        far = cosines.get(each.key, floor) < floor
        assert (each in kept) is not (far and each.text_rank is None)
    assert kept == [each for each in ranked if each in kept]


def test_the_floor_never_looks_at_the_fused_score() -> None:
    ranked = [Ranked("near", 0.0001, 40), Ranked("far", 0.9, 1)]

    assert above_floor(ranked, {"near": 0.8, "far": 0.1}, 0.15) == [ranked[0]]


@given(PLACES)
def test_neighbours_are_one_step_away_in_the_same_version_and_new(places: list[Place]) -> None:
    around = beside(places)

    assert len(set(around)) == len(around)
    assert not set(around) & set(places)
    assert all(place.ordinal >= 0 for place in around)
    for place in around:
        assert any(
            place.version == at.version and abs(place.ordinal - at.ordinal) == 1 for at in places
        )


@given(PLACES)
def test_no_neighbour_is_forgotten(places: list[Place]) -> None:
    known = {*beside(places), *places}

    for at in places:
        assert Place(at.version, at.ordinal + 1) in known
        assert at.ordinal == 0 or Place(at.version, at.ordinal - 1) in known
