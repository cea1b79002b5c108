"""Turns that the real graph told: each beginning of each is a replay, and its meters add up."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from admin_tracing import meters
from admin_tracing.course import course
from admin_tracing.details import budget, details, outline
from admin_tracing.meters import Limits
from admin_tracing.replay import BANDS, build
from admin_tracing.summaries import summary
from admin_tracing.topology import boundaries, topology
from chat.contracts.events import Event, ModelCall, Retrieval, TurnFinished
from tests.told import PARTS, STORIES, THOUGHT

NOW = Limits(passes=6, rewrites=2, tokens=60_000, cost=0.25, ms=60_000)
names = st.sampled_from(sorted(STORIES))
cuts = st.floats(0, 1)


@cache
def story(name: str) -> tuple[Event, ...]:
    return tuple(asyncio.run(_told(name)))


async def _told(name: str) -> list[Event]:
    return list(await STORIES[name]())


@given(names, cuts)
@settings(deadline=None)
def test_any_beginning_of_a_turn_is_a_replay(name: str, share: float) -> None:
    whole = story(name)
    events = whole[: round(share * len(whole))]
    replay = build(events, boundaries())
    covered = [seq for step in replay.steps for seq in range(step.first, step.last + 1)]
    assert covered == [event.seq for event in events]
    assert replay.path == build(whole, boundaries()).path[: len(replay.path)]
    assert all(step.band in BANDS for step in replay.steps)
    assert all(-1 <= step.visit < len(replay.visits) for step in replay.steps)
    assert all(one.last < other.first for one, other in pairwise(replay.passes))
    json.dumps([outline(replay), course(events), budget(events, replay.waits, NOW)])


@given(names, cuts)
@settings(deadline=None)
def test_the_passes_cover_every_search_with_its_number(name: str, share: float) -> None:
    events = story(name)[: round(share * len(story(name)))]
    passes = build(events, boundaries()).passes
    for event in events:
        if isinstance(event.body, Retrieval):
            (owner,) = [one for one in passes if one.first <= event.seq <= one.last]
            assert owner.number == event.body.pass_
            assert event.body.query in owner.queries


@given(names, st.lists(st.integers(0, 200), min_size=2, max_size=6).map(sorted))
@settings(deadline=None)
def test_the_meters_never_fall_back(name: str, seqs: list[int]) -> None:
    events = story(name)
    waits = build(events, boundaries()).waits
    found = [asdict(meters.at(events, waits, seq)) for seq in seqs]
    for before, after in pairwise(found):
        assert all(before[field] <= after[field] for field in before)


@given(names, st.integers(1, 200))
@settings(deadline=None)
def test_the_meters_of_a_beginning_are_those_of_the_whole_at_its_end(name: str, seq: int) -> None:
    events = story(name)
    part = [event for event in events if event.seq <= seq]
    whole, waits = build(events, boundaries()).waits, build(part, boundaries()).waits
    assert meters.at(part, waits, seq) == meters.at(events, whole, seq)


@pytest.mark.parametrize("name", STORIES)
def test_the_meters_at_the_end_are_the_figures_of_the_turn(name: str) -> None:
    events = story(name)
    end = events[-1].body
    assert isinstance(end, TurnFinished)
    found = meters.at(events, build(events, boundaries()).waits, events[-1].seq)
    calls = sum(isinstance(event.body, ModelCall) for event in events)
    assert (found.passes, found.calls, found.tokens) == (end.passes, calls, end.tokens.total)
    assert found.cost == pytest.approx(end.cost, abs=1e-6)
    assert found.ms == pytest.approx(end.ms, abs=5)


@pytest.mark.parametrize("name", STORIES)
def test_every_move_of_a_turn_is_a_line_of_the_drawing(name: str) -> None:
    lines = {(edge.source, edge.target) for edge in topology().edges}
    assert set(build(story(name), boundaries()).path) <= lines


@pytest.mark.parametrize("name", STORIES)
def test_every_event_has_one_line(name: str) -> None:
    for event in story(name):
        assert summary(event.body)
        assert "\n" not in summary(event.body)


def test_the_searches_of_a_pass_say_which_item_they_were_for() -> None:
    events = story("parts and a gap")
    found = [entry for entry in details(events, []) if entry["type"] == "retrieval"]
    assert [entry["items"] for entry in found] == [[PARTS[0]], [PARTS[1]], [PARTS[1]], [PARTS[1]]]
    assert [one.number for one in build(events, boundaries()).passes] == [1, 2, 3]


@pytest.mark.parametrize("name", ["a question back", "a ticket"])
def test_hours_of_waiting_are_no_work(name: str) -> None:
    events = story(name)
    replay = build(events, boundaries())
    (wait,) = replay.waits
    assert wait.until_ms is not None
    assert wait.until_ms - wait.ms == THOUGHT.total_seconds() * 1000
    assert meters.at(events, replay.waits, 10**6).ms < 60_000


def test_a_limit_that_ended_the_work_is_marked_from_where_it_was_hit() -> None:
    ended = meters.ended_by(story("a budget used up"))
    assert ended is not None
    assert ended[1] == "cost"
    assert ended[0] < story("a budget used up")[-1].seq
