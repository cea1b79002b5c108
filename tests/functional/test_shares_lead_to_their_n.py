"""Every share and every kappa of labels leads to a list of exactly the turns of its n.

But for shares of all turns and of votes, which lead to the turns that hit. Where n counts claims or
citations, the list has the turns of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from django.http import QueryDict

from admin_tracing import queries
from admin_tracing.forms import TurnFilter
from admin_tracing.labelled import sections as labelled
from admin_tracing.labelled.shown import Shown
from admin_tracing.labelled.tables import Control
from tests import figures_by_hand

pytestmark = pytest.mark.django_db

N = re.compile(r"n = ([\d,]+)")
OF_HITS = ("rate", "votes")
LEAST = {"routing": 14, "groundedness": 8, "rejections": 4, "measured": 14, "agreement": 5}
"""Figures of each section that are held against their list."""


def shares(told: Any) -> Iterator[Shown]:
    """The figures within what a template is given, of turns alone."""
    if isinstance(told, Shown):
        yield told
    elif isinstance(told, Control) and told.row.control.unit != "turns":
        return
    elif isinstance(told, Mapping):
        yield from (one for value in told.values() for one in shares(value))
    elif isinstance(told, list | tuple):
        yield from (one for value in told for one in shares(value))
    elif is_dataclass(told):
        yield from shares([getattr(told, field.name) for field in fields(told)])


def listed(query: str) -> int:
    form = TurnFilter(QueryDict(query))
    assert form.is_valid(), form.errors
    return queries.chosen(form.cleaned_data).count()


@pytest.mark.parametrize("section", LEAST)
@pytest.mark.parametrize("versions", ["", "B"])
def test_a_share_leads_to_the_turns_of_its_n(section: str, versions: str):
    hand = figures_by_hand.store()
    of = hand.versions[versions].pk if versions else None
    found = next(one for one in labelled.SECTIONS if one.name == section)
    held = 0
    told = found.context(hand.days, of)
    for figure in shares({name: told[name] for name in told if name not in OF_HITS}):
        said = N.match(figure.n or figure.few)
        if said is None:
            continue
        n = int(said[1].replace(",", ""))
        assert bool(figure.query) == (n > 0), figure
        held += 1
        assert not n or listed(figure.query) == n, figure
    assert held >= (LEAST[section] if not versions else 1)


def test_the_turns_of_a_part_of_answers_are_those_in_which_somebody_marked_one():
    hand = figures_by_hand.store()
    found = next(one for one in labelled.SECTIONS if one.name == "measured")
    rows = [one for one in found.context(hand.days, None)["controls"]]
    parts = {one.row.control.name: one for one in rows if one.row.control.unit != "turns"}
    assert {name: one.row.turns for name, one in parts.items()} == {
        "relevance": 4,
        "claims": 4,
        "citation_binding": 3,
    }
    assert all(listed(one.all) == one.row.turns for one in parts.values())


def test_turned_away_of_all_turns_leads_to_those_turned_away():
    hand = figures_by_hand.store()
    found = next(one for one in labelled.SECTIONS if one.name == "rejections")
    told = found.context(hand.days, None)
    assert (told["rate"].text, listed(told["rate"].query)) == ("21.4 %", 3)  # of fourteen
    few = found.context(hand.days, hand.versions["B"].pk)["rate"]
    assert (few.few, few.query) == ("n = 9, too few to say", "")
    assert listed(told["found_in"]) == 1
    assert listed(told["wrongly"]) == 1
