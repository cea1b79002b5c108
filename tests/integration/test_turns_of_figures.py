"""The list chooses exactly the turns that a figure of labels is made of."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from admin_tracing import queries
from admin_tracing.days import Days
from admin_tracing.forms import TurnFilter
from admin_tracing.labelled import choosing
from admin_tracing.labelled.controls import FALSE_ALARM, MISS, controls
from admin_tracing.labelled.measured import CONTROLS
from admin_tracing.labelled.rows import WAYS
from chat import removal
from chat.models import Turn
from tests import figures_by_hand, stored

pytestmark = pytest.mark.django_db


CHOSEN: tuple[tuple[dict[str, str], set[str]], ...] = (
    ({"needed": "iterative"}, {"t2", "t3", "t9"}),
    ({"needed": "iterative", "went": "single_shot"}, {"t2", "t9"}),
    ({"went": "clarify"}, {"t7"}),
    ({"needed": "direct"}, {"t6", "t10"}),
    ({"grounded": "yes"}, {"t1", "t2", "t6"}),
    ({"grounded": "no", "shows": "judged_held"}, {"t9", "t10"}),
    ({"correct": "partly"}, {"t6"}),
    ({"labelled": "routing:waiting"}, {"t12"}),
    ({"labelled": "groundedness:waiting"}, set()),
    ({"labelled": "routing:counted"}, {f"t{n}" for n in range(1, 10)}),
    ({"labelled": "groundedness:counted"}, {"t1", "t2", "t3", "t6", "t8", "t9"}),
    ({"labelled": "groundedness", "shows": "disliked"}, {"t10"}),
    ({"disagrees": "people:routing"}, {"t13"}),
    ({"disagrees": f"scope:{FALSE_ALARM}"}, {"t5"}),
    ({"disagrees": f"claims:{MISS}"}, {"t8", "t10"}),
    ({"shows": "liked"}, {"t1", "t2", "t6"}),
    ({"labelled": "routing:decided"}, {f"t{n}" for n in range(1, 11)}),
    ({"labelled": "routing:decided", "went": "single_shot"}, {"t1", "t2", "t8", "t9"}),
    ({"labelled": "groundedness:decided"}, {"t1", "t2", "t3", "t6", "t8", "t9", "t10"}),
    ({"labelled": "groundedness:blind"}, {"t1", "t2", "t3", "t6", "t8", "t9"}),
    ({"labelled": "correct:counted"}, {"t1", "t2", "t3", "t6", "t8", "t9"}),
    ({"labelled": "routing:doubled"}, {"t3", "t6", "t9", "t13"}),
    ({"labelled": "groundedness:doubled"}, {"t2", "t3", "t13"}),
    ({"labelled": "correct:doubled"}, {"t2", "t3", "t13"}),
    ({"disagrees": "people:correct"}, {"t13"}),
    ({"measured": "scope:alarm"}, {"t4", "t5"}),
    ({"measured": "scope:fault"}, {"t4"}),
    ({"measured": "scope:drawn"}, {f"t{n}" for n in range(1, 10)}),
    ({"measured": "scope:labelled"}, {f"t{n}" for n in range(1, 11)}),
    ({"measured": "claims:fault"}, {"t3", "t8"}),
    ({"measured": "claims:labelled"}, {"t1", "t3", "t8", "t10"}),
    ({"shows": "searched_afterwards"}, {"t4", "t5"}),
    ({"shows": "found_afterwards"}, {"t5"}),
)


@pytest.mark.parametrize(("filters", "keys"), CHOSEN)
def test_the_list_chooses_the_turns_of_a_figure(
    hand: figures_by_hand.Hand, filters: dict[str, str], keys: set[str]
):
    span = {"since": hand.days.first, "until": hand.days.last}
    assert hand.keys(queries.chosen(filters | span).values_list("pk", flat=True)) == keys
    assert hand.keys(queries.chosen(filters).values_list("pk", flat=True)) == keys


def test_the_list_chooses_by_version_set(hand: figures_by_hand.Hand):
    found = queries.chosen({"versions": hand.versions["A"].pk})
    assert hand.keys(found.values_list("pk", flat=True)) == set(figures_by_hand.ON_FIRST)


@pytest.mark.parametrize("control", [control.name for control in CONTROLS])
@pytest.mark.parametrize("kind", [FALSE_ALARM, MISS])
def test_the_list_has_every_false_alarm_and_every_miss(
    hand: figures_by_hand.Hand, control: str, kind: str
):
    """What is read for one control alone finds what is read for all of them at once."""
    row = next(row for row in controls(hand.days) if row.control.name == control)
    counted = row.false_alarms if kind == FALSE_ALARM else row.misses
    found = queries.chosen({"disagrees": f"{control}:{kind}"})
    assert set(found.values_list("pk", flat=True)) == set(counted)


def test_what_was_erased_waits_for_nobody(hand: figures_by_hand.Hand):
    removal.content_of_turns([hand.turns["t12"].pk], timezone.now())
    assert not queries.chosen({"labelled": "routing:waiting"}).exists()


def test_a_turn_that_asked_back_went_that_way_whatever_came_after(hand: figures_by_hand.Hand):
    Turn.objects.filter(pk=hand.turns["t1"].pk).update(asked_back=1)
    went = {str(way): queries.chosen({"went": way}).values_list("pk", flat=True) for way in WAYS}
    assert hand.keys(went["clarify"]) == {"t1", "t7"}
    assert "t1" not in hand.keys(went["single_shot"])


def test_turns_are_chosen_by_how_long_they_took():
    stored.turns(1, ms=4_000.0)
    assert queries.chosen({"longer": 3_999}).count() == 1
    assert queries.chosen({"longer": 4_000}).count() == 0


def test_days_narrow_what_is_read(hand: figures_by_hand.Hand):
    first = hand.days.last.replace(day=hand.days.last.day - 1)
    found = queries.chosen({"needed": "iterative", "until": first})
    assert hand.keys(found.values_list("pk", flat=True)) == {"t2", "t3"}
    assert Days(first, 1).last == first


def test_days_that_end_before_they_begin_choose_nothing(hand: figures_by_hand.Hand):
    span = {"since": hand.days.last, "until": hand.days.first}
    assert not queries.chosen({"needed": "iterative"} | span).exists()


@pytest.mark.parametrize("field", choosing.FIELDS)
def test_the_form_takes_what_the_list_knows_and_nothing_else(field: str):
    known: Any = TurnFilter().fields[field]
    values = [value for value, _ in known.choices if value]
    assert values
    assert all(TurnFilter({field: value}).is_valid() for value in values)
    assert not TurnFilter({field: "nothing"}).is_valid()
