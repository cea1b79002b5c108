"""What a re-run changed and what came out otherwise, in words."""

from __future__ import annotations

from typing import Any

import pytest

from admin_tracing import rerun_words
from admin_tracing.rerun_words import Flip
from chat.reruns import Change


def said(what: str, before: Any, after: Any) -> list[tuple[str, str, str]]:
    found = rerun_words.flips([{"what": what, "before": before, "after": after}])
    return [(flip.name, flip.before, flip.after) for flip in found]


@pytest.mark.parametrize(
    ("what", "before", "after", "expected"),
    [
        ("termination", "answered", "no_evidence", ("Ended", "answered", "no evidence")),
        ("route", "single_shot", "iterative", ("Route", "single shot", "iterative")),
        ("calls", 10, 9, ("Calls", "10", "9")),
        ("covered", "1 of 2", "2 of 2", ("Items found", "1 of 2", "2 of 2")),
        ("confidence", "high", None, ("Confidence", "high", "none")),
        ("accepted", ["a#one_two"], [], ("Accepted chunks", "a#one_two", "none")),
        ("answer", 86, 57, ("Words of the answer", "86", "57")),
        ("answer", 86, 86, ("Words of the answer", "same number", "other words")),
        ("something_new", "a_b", "c", ("Something new", "a b", "c")),
    ],
)
def test_a_flip_is_a_name_and_two_values(
    what: str, before: Any, after: Any, expected: tuple[str, str, str]
):
    assert said(what, before, after) == [expected]


def test_controls_are_a_flip_each():
    before = {"groundedness": ["skipped"], "citation_binding": ["passed", "acted"]}
    after = {"groundedness": [], "citation_binding": ["passed"]}
    assert said("controls", before, after) == [
        ("Groundedness", "skipped", "none"),
        ("Citation binding", "passed, acted", "passed"),
    ]


def test_long_lists_are_told_by_what_is_in_one_alone():
    before = [f"d#{number}" for number in range(6)]
    assert said("found", before, [*before[1:], "d#new"]) == [
        ("Chunks found", "6, without d#0", "6, new d#new")
    ]


def test_very_many_names_are_counted():
    ((_, _, after),) = said("found", [], [f"d#{number}" for number in range(9)])
    assert after == "9, new d#0, d#1, d#2, d#3 and 5 others"


def test_the_end_is_found_among_the_flips():
    ended = {"what": "termination", "before": "answered", "after": "no_evidence"}
    found = rerun_words.flips([{"what": "calls", "before": 2, "after": 1}, ended])
    assert rerun_words.ending(found) == Flip("termination", "Ended", "answered", "no evidence")
    assert rerun_words.ending(found[:1]) is None


def test_calls_are_counted_by_what_they_were():
    ledger = [
        *({"kind": "model", "reused": True} for _ in range(9)),
        {"kind": "search", "reused": True},
        {"kind": "tool", "reused": False},
    ]
    assert rerun_words.calls(ledger, reused=True) == "9 model calls, 1 search"
    assert rerun_words.calls(ledger, reused=False) == "1 tool call"
    assert rerun_words.calls([], reused=False) == ""


def test_a_change_is_told_in_sentences_even_one_that_is_not_known_any_more():
    change = Change(max_rewrites=1, check_order="budget")
    assert rerun_words.changed(change.as_json()) == change.words()
    assert rerun_words.changed({"old_setting": 3}) == ["Old setting: 3."]
    assert rerun_words.changed({}) == []


def test_no_re_run_has_nothing_to_tell():
    assert rerun_words.told(None) == {"rerun": None}
    assert rerun_words.noted(None) == []
