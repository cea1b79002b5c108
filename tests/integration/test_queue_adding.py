"""Turns come into the queue once, and some of them are labelled by two people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings as site

from admin_tracing import labels, queueing
from admin_tracing.models import QueueItem
from tests import factories, stored
from tests.traces import START

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def once(settings: Any) -> None:
    """Nothing is labelled twice unless a test says so."""
    by(settings, label_double_share=0.0)


def by(settings: Any, **changed: Any) -> None:
    settings.PLUMBLINE = replace(site.PLUMBLINE, **changed)


def test_ended_turns_are_added_once():
    ids = [turn.pk for turn in stored.turns(3)]
    rosa = factories.user("rosa")
    assert queueing.add(ids, "filter", user=rosa, priority=5) == 3
    assert queueing.add([*ids, *ids], "random") == 0
    items = QueueItem.objects.values_list("origin", "wanted", "priority", "status", "added_by")
    assert list(items) == [("filter", 1, 5, "open", rosa.pk)] * 3


def test_they_keep_the_order_in_which_they_were_given():
    ids = [turn.pk for turn in stored.turns(8)]
    ids.sort()
    queueing.add(ids, "filter")
    assert list(QueueItem.objects.order_by("added_at").values_list("turn", flat=True)) == ids


def test_what_cannot_be_labelled_is_left_out():
    turns = [
        factories.turn(),
        *stored.turns(1, kind="lab"),
        *stored.turns(1, kind="rerun"),
        *stored.turns(1, erased_at=START),
    ]
    assert queueing.add([*(turn.pk for turn in turns), uuid4()], "filter") == 0
    assert queueing.add([], "filter") == 0


def test_the_setting_says_how_many_people_label_a_turn(settings: Any):
    by(settings, label_reviews=3)
    (turn,) = stored.turns(1)
    queueing.add([turn.pk], "filter")
    assert QueueItem.objects.get().wanted == 3


def test_who_adds_may_want_more():
    (turn,) = stored.turns(1)
    queueing.add([turn.pk], "filter", wanted=2)
    assert QueueItem.objects.get().wanted == 2


@pytest.mark.parametrize("wanted", [0, -1, 10])
def test_a_number_of_people_that_cannot_be_is_refused(wanted: int):
    with pytest.raises(ValueError, match="1 to 9 people"):
        queueing.add([], "filter", wanted=wanted)


@pytest.mark.parametrize("origin", ["", "x" * 25])
def test_an_origin_has_a_name_that_fits(origin: str):
    with pytest.raises(ValueError, match="1 to 24"):
        queueing.add([], origin)


def test_a_share_is_labelled_twice_and_always_the_same_turns(settings: Any):
    by(settings, label_double_share=0.1)
    turns = [UUID(int=number) for number in range(20_000)]
    twice = [turn for turn in turns if queueing.wanted_of(turn) == 2]
    assert 1_850 < len(twice) < 2_150
    by(settings, label_double_share=0.2)
    assert all(queueing.wanted_of(turn) == 2 for turn in twice)  # a larger share keeps these
    by(settings, label_double_share=0.1, label_reviews=3)
    assert {queueing.wanted_of(turn) for turn in turns} == {3}


@pytest.mark.parametrize(("share", "people"), [(0.0, 1), (1.0, 2)])
def test_none_or_all_may_be_labelled_twice(settings: Any, share: float, people: int):
    by(settings, label_double_share=share)
    assert {queueing.wanted_of(uuid4()) for _ in range(50)} == {people}


def test_labels_from_before_count():
    (turn,) = stored.turns(1, termination="off_topic")
    labels.give_routing(turn, factories.user("rosa"), "off_topic")
    queueing.add([turn.pk], "filter")
    assert QueueItem.objects.get().status == "done"
