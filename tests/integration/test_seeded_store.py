"""The store of many turns that the benchmarks fill: its rows are those of a site."""

from __future__ import annotations

import asyncio

import pytest

from admin_tracing.models import DayFigure, GroundednessLabel, RoutingLabel, Sample
from admin_tracing.running import rollup
from benchmarks.seeded import fill
from benchmarks.seeded_turns import STORIES
from chat.contracts.turn_facts import facts_of
from chat.event_rows import stored_now
from chat.models import DecisionRecord, Message, Turn
from tests import factories

TURNS = 120


@pytest.mark.django_db(transaction=True)
def test_seeded_turns_have_events_records_labels_and_figures():
    people = [factories.user(name).pk for name in ("ann", "ben")]
    counts = fill(TURNS, 3, people)
    assert counts["chat_turn"] == counts["chat_decisionrecord"] == TURNS
    assert Sample.objects.count() == RoutingLabel.objects.values("turn").distinct().count() == TURNS
    assert GroundednessLabel.objects.exists()
    assert not Message.objects.filter(text="").exists()
    assert set(Turn.objects.values_list("termination", flat=True)) <= {s.end for s in STORIES}
    for turn in Turn.objects.order_by("pk")[:10]:
        told = DecisionRecord.objects.get(turn=turn).facts
        assert facts_of(stored_now(turn.pk), {}) == told
        assert (turn.passes, turn.model_calls) == (
            told["finished"]["passes"],
            told["finished"]["model_calls"],
        )
    asyncio.run(rollup.roll_up())
    assert sum(DayFigure.objects.filter(kind="turn").values_list("n", flat=True)) == TURNS
