"""The folded filters stand in groups, each once; the used ones are told in words with a way out."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from django.http import QueryDict

from admin_tracing import filters_shown
from admin_tracing.filters_shown import GROUPS, OTHERS, told, used
from admin_tracing.forms import TurnFilter


def shown(query: str) -> list[tuple[str, str]]:
    given = QueryDict(query)
    return [(one.name, one.value) for one in used(TurnFilter(given), given)]


def test_every_folded_field_stands_in_one_group():
    fields = [field.name for group in filters_shown.groups(TurnFilter()) for field in group.fields]
    assert sorted(fields) == sorted(TurnFilter.MORE)
    assert OTHERS not in [group.title for group in filters_shown.groups(TurnFilter())]


def test_a_field_that_no_group_names_is_shown_all_the_same(monkeypatch: pytest.MonkeyPatch):
    left = {title: names for title, names in GROUPS.items() if "person" not in names}
    monkeypatch.setattr(filters_shown, "GROUPS", left)
    *_, last = filters_shown.groups(TurnFilter())
    assert last.title == OTHERS
    assert {"person", "hour", "turns"} == {field.name for field in last.fields}


def test_what_is_used_is_told_in_the_words_of_its_field():
    assert shown("control=groundedness&passes=2&slower=on&hour=2027-03-04T10:00&q=refund") == [
        ("Control", "Groundedness"),
        ("Hour from, UTC", "4 Mar 10:00"),
        ("Slower than 19 of 20 of its route", ""),
        ("Passes, at least", "2"),
    ]


def test_what_is_not_used_is_not_told():
    assert shown("") == shown("ugly=&control=&passes=") == shown("termination=answered") == []


def test_a_way_out_leaves_one_filter_out_and_begins_at_the_first_page():
    given = QueryDict("control=groundedness&passes=2&q=refund&before=x")
    ways = {one.name: parse_qs(one.without[1:]) for one in used(TurnFilter(given), given)}
    assert ways["Control"] == {"passes": ["2"], "q": ["refund"]}
    assert ways["Passes, at least"] == {"control": ["groundedness"], "q": ["refund"]}


def test_a_form_with_a_fault_tells_nothing_for_its_fields_are_open():
    assert shown("control=groundedness&passes=none") == []


def test_stored_filters_are_told_too_whichever_version_stored_them():
    filters = {"termination": "no_evidence", "lab": True, "turns": ["a", "b"], "gone": "x_y"}
    assert told(filters) == [
        ("Ended", "No evidence"),
        ("Lab and re-runs too", "yes"),
        ("These turns", "2"),
        ("gone", "x y"),
    ]
