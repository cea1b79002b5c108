"""Two lists matched in order: everything stays in its order, and equal ones find each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.matching import LARGEST, Key, matched

KEYS = st.builds(Key, st.sampled_from("abcd"), st.integers(0, 1))
LISTS = st.lists(KEYS, max_size=24)


def keys(text: str) -> list[Key]:
    """`a` and `A` are alike and not equal."""
    return [Key(letter.lower(), letter.isupper()) for letter in text]


def lined(left: str, right: str) -> list[str]:
    return [left[a] + right[b] for a, b in matched(keys(left), keys(right))]


@given(LISTS, LISTS)
def test_matches_rise_on_both_sides_and_only_join_what_is_alike(left: list[Key], right: list[Key]):
    pairs = matched(left, right)
    assert all(a < c and b < d for (a, b), (c, d) in zip(pairs, pairs[1:], strict=False))
    assert all(left[a].what == right[b].what for a, b in pairs)


@given(LISTS)
def test_a_list_matches_itself_whole(items: list[Key]):
    assert matched(items, items) == [(place, place) for place in range(len(items))]


@given(LISTS, LISTS)
def test_as_many_are_matched_as_a_common_subsequence_has(left: list[Key], right: list[Key]):
    """Two that are alike weigh more than one that is equal, so few are lost for better ones."""
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a, one in enumerate(left):
        for b, other in enumerate(right):
            same = longest[a][b] + 1 if one.what == other.what else 0
            longest[a + 1][b + 1] = max(same, longest[a][b + 1], longest[a + 1][b])
    best = longest[-1][-1]
    assert len(matched(left, right)) >= best * 2 / 3


@given(LISTS, LISTS, LISTS, LISTS)
def test_an_equal_beginning_and_end_cost_nothing_whatever_stands_between(
    head: list[Key], tail: list[Key], one: list[Key], other: list[Key]
):
    pairs = matched(head + one + tail, head + other + tail)
    assert pairs[: len(head)] == [(place, place) for place in range(len(head))]
    assert len(pairs) >= len(head) + len(tail)


def test_an_equal_one_is_chosen_before_one_that_is_only_alike():
    assert lined("xAy", "xaAy") == ["xx", "AA", "yy"]


def test_what_stands_on_one_side_alone_is_left_out():
    assert lined("abxcd", "abcd") == ["aa", "bb", "cc", "dd"]


def test_nothing_matches_nothing():
    assert matched([], keys("ab")) == []


def test_long_lists_without_a_common_end_are_matched_part_by_part():
    left = [Key(n % 7, n) for n in range(LARGEST * 20)]
    right = [Key((n * 3 + 1) % 7, n) for n in range(LARGEST * 20)]
    pairs = matched(left, right)
    assert all(a < c and b < d for (a, b), (c, d) in zip(pairs, pairs[1:], strict=False))
    assert len(pairs) > LARGEST * 5
