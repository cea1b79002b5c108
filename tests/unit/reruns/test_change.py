"""A change says what differs, refuses what cannot be, and tells what to write instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.reruns.change import EXPECTED, Change, change_from
from chat.reruns.problems import BadChange

SHARE = st.floats(0, 1)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=30)
CHANGES = st.builds(
    Change,
    max_rewrites=st.none() | st.integers(0, 6),
    check_order=st.sampled_from([None, "evidence", "budget"]),
    relevance_threshold=st.none() | SHARE,
    route_threshold=st.none() | SHARE,
    direct_threshold=st.none() | SHARE,
    retrieval=st.sampled_from([None, "hybrid", "vector", "lexical", "exact"]),
    topic_check=st.sampled_from([None, True, False]),
    model=st.none() | NAMES,
    prompts=st.dictionaries(NAMES, NAMES, max_size=3),
)


@given(CHANGES)
def test_what_is_stored_is_read_as_the_same_change(change: Change) -> None:
    assert Change.stored(change.as_json()) == change


@given(CHANGES)
def test_every_change_is_told_in_one_sentence(change: Change) -> None:
    told = change.words()
    assert len(told) == len(change.as_json()) - bool(change.prompts) + len(change.prompts)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in told)
    assert change.is_empty == (not told)


def test_the_sentences_are_plain() -> None:
    change = change_from(
        {
            "max_rewrites": 1,
            "check_order": "budget",
            "relevance_threshold": 0.5,
            "topic_check": False,
            "prompts": {"answer": "answer-short"},
        }
    )
    assert change.words() == [
        "Rewrites allowed: 1.",
        "The budget is checked before the evidence.",
        "A passage that only meaning finds needs a cosine of 0.5.",
        "The topic is not checked.",
        "The prompt for answer is answer-short.",
    ]


def test_what_a_form_leaves_empty_is_not_changed() -> None:
    empty = {name: "" for name in EXPECTED if name != "prompts"} | {"prompts": {"answer": ""}}
    assert change_from(empty).is_empty
    assert change_from(dict.fromkeys(EXPECTED)).is_empty


def test_texts_of_a_form_become_numbers_and_off_is_a_change() -> None:
    change = change_from({"max_rewrites": "3", "route_threshold": "0.7", "topic_check": False})
    assert (change.max_rewrites, change.route_threshold, change.topic_check) == (3, 0.7, False)
    assert change.as_json() == {"max_rewrites": 3, "route_threshold": 0.7, "topic_check": False}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_rewrites", 7),
        ("max_rewrites", -1),
        ("max_rewrites", "many"),
        ("max_rewrites", 1.5),
        ("check_order", "first"),
        ("relevance_threshold", 1.01),
        ("route_threshold", float("nan")),
        ("direct_threshold", float("inf")),
        ("retrieval", "psychic"),
        ("topic_check", "perhaps"),
        ("model", "x" * 101),
        ("prompts", "answer-2"),
        ("prompts", {"answer": {"nested": 1}}),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(field: str, value: Any) -> None:
    with pytest.raises(BadChange) as refused:
        change_from({field: value})
    assert refused.value.fields == {field: EXPECTED[field]}
    assert refused.value.public == EXPECTED[field]


def test_all_wrong_fields_are_told_at_once_and_unknown_ones_too() -> None:
    with pytest.raises(BadChange) as refused:
        change_from({"max_rewrites": 9, "retrieval": "x", "temperature": 1})
    assert set(refused.value.fields) == {"max_rewrites", "retrieval", "temperature"}
    assert "no setting temperature" in refused.value.fields["temperature"]


def test_what_was_given_is_not_quoted() -> None:
    with pytest.raises(BadChange) as refused:
        change_from({"retrieval": "<script>"})
    assert "script" not in refused.value.public


def test_a_change_does_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        change_from({"max_rewrites": 1}).max_rewrites = 2
