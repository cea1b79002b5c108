"""A diff says added, changed or removed, and cuts what is long."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.diffs import LONGEST, Change, difference, shown, text

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
states = st.dictionaries(st.sampled_from("abcd"), plain.filter(lambda v: v is not None))


@pytest.mark.parametrize(
    ("state", "changed", "expected"),
    [
        ({}, {"query": "x"}, [("query", "added")]),
        ({"query": "x"}, {"query": "y"}, [("query", "changed")]),
        ({"query": "x"}, {"query": None}, [("query", "removed")]),
        ({"query": "x"}, {"query": "x"}, []),
        ({}, {"query": None}, []),
        ({"passes": 0}, {"passes": 0, "items": []}, [("items", "added")]),
    ],
)
def test_a_field_is_added_changed_or_removed(
    state: dict[str, Any], changed: dict[str, Any], expected: list[tuple[str, str]]
):
    assert [(c.field, c.kind) for c in difference(state, changed)] == expected


@given(states, st.dictionaries(st.sampled_from("abcd"), plain))
def test_applying_the_changes_gives_the_state_after(state: dict[str, Any], changed: dict[str, Any]):
    after = dict(state)
    for change in difference(state, changed):
        after.pop(change.field, None)
        if change.after is not None:
            after[change.field] = change.after
    assert after == {f: v for f, v in {**state, **changed}.items() if v is not None}


def test_a_long_value_is_cut_and_says_its_full_length():
    value = text("a" * (LONGEST + 1))
    assert (len(value["text"]), value["length"], value["cut"]) == (LONGEST, LONGEST + 1, True)


def test_show_all_leaves_nothing_out():
    value = text("a" * (LONGEST + 1), full=True)
    assert (value["length"], value["cut"]) == (LONGEST + 1, False)
    assert len(value["text"]) == LONGEST + 1


def test_a_list_that_only_grew_shows_what_is_new():
    change = Change("tried", "changed", before=["one"], after=["one", "two"])
    assert shown(change) == {
        "field": "tried",
        "kind": "changed",
        "kept": 1,
        "after": text(["two"]),
    }


def test_a_list_that_lost_an_item_shows_both_sides():
    change = Change("hits", "changed", before=["one", "two"], after=["two"])
    assert shown(change)["before"] == text(["one", "two"])


def test_an_object_shows_which_of_its_keys_changed():
    before, after = {"a": 1, "b": 2, "c": [3]}, {"b": 5, "c": [3], "d": 4}
    change = shown(Change("covered", "changed", before=before, after=after))
    assert [(one["field"], one["kind"]) for one in change["inner"]] == [
        ("b", "changed"),
        ("d", "added"),
        ("a", "removed"),
    ]


def test_what_fits_a_line_stays_on_one():
    assert text({"label": "RELEVANT"})["text"] == '{"label": "RELEVANT"}'


def test_what_is_longer_has_a_line_for_each_part():
    hit = {"chunk": "refunds#refund-timing", "score": 0.0328, "ranks": {"vector": 1, "text": None}}
    assert text([hit, "x" * 40])["text"].splitlines() == [
        "-",
        "  chunk: refunds#refund-timing",
        "  score: 0.0328",
        "  ranks:",
        "    vector: 1",
        "    text: null",
        "- " + "x" * 40,
    ]
