"""A replay is made of stored events alone, and any beginning of a turn is one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.replay import BANDS, Replay, build, fold
from chat.contracts.events import Event, Retrieval, Stage, StateDiff, TurnFinished
from tests.traces import BOUNDARIES, QUESTION, REWRITE, Trace, long_turn, refund_with_one_rewrite

fields = st.sampled_from(["query", "passes", "accepted", "draft", "route"])
values = st.one_of(
    st.none(), st.integers(0, 5), st.text(max_size=4), st.lists(st.integers(0, 3), max_size=3)
)
changes = st.dictionaries(fields, values, min_size=1, max_size=3)


def replayed(events: Sequence[Event]) -> Replay:
    return build(events, BOUNDARIES)


def test_the_path_is_the_nodes_in_the_order_in_which_they_were_entered():
    path = replayed(refund_with_one_rewrite()).path
    assert path[0] == ("screen_input", "detect_greeting")
    assert path[-1] == ("final_gate", "deliver")
    assert path.count(("optimize_query", "retrieve")) == 1


def test_a_pass_goes_from_its_retrieval_to_what_the_grades_led_to():
    first, second = replayed(refund_with_one_rewrite()).passes
    assert (first.number, first.queries) == (1, (QUESTION,))
    assert (second.number, second.queries) == (2, (REWRITE,))
    assert first.last == second.first - 1


def test_a_node_visited_in_a_pass_carries_its_number_and_its_count():
    visits = replayed(refund_with_one_rewrite()).visits
    graded = [(v.number, v.pass_) for v in visits if v.node == "assess_relevance"]
    assert graded == [(1, 1), (2, 2)]
    assert [v.pass_ for v in visits if v.node == "generate_response"] == [0]


def test_a_visit_takes_the_time_that_its_node_reported():
    visits = replayed(refund_with_one_rewrite()).visits
    assert next(v.ms for v in visits if v.node == "generate_response") == 120


def test_a_run_of_tokens_is_one_step_with_a_beginning_and_an_end():
    steps = [s for s in replayed(refund_with_one_rewrite()).steps if s.type == "token"]
    assert len(steps) == 1
    assert steps[0].last > steps[0].first
    assert steps[0].until_ms > steps[0].ms


def test_every_step_lies_in_the_band_of_its_node():
    replay = replayed(refund_with_one_rewrite())
    for step in replay.steps:
        if step.visit >= 0 and step.type != "turn_finished":
            assert step.band == replay.visits[step.visit].band
    assert replay.steps[0].band == "input"
    assert replay.steps[-1].band == "output"


def test_a_pause_that_goes_on_in_its_node_is_no_move():
    trace = Trace()
    for phase in ("enter", "paused", "enter", "leave"):
        trace.tell(Stage.model_validate({"node": "retrieve", "phase": phase, "label": "x"}))
    replay = replayed(trace.events)
    assert [visit.paused for visit in replay.visits] == [True, False]
    assert [visit.number for visit in replay.visits] == [1, 1]
    assert replay.path == ()


def test_a_node_that_this_version_does_not_know_stays_in_the_band_before_it():
    trace = Trace()
    trace.tell(Stage(node="retrieve", phase="enter", label="x"))
    trace.tell(Stage(node="gone_since", phase="enter", label="x"))
    assert [step.band for step in replayed(trace.events).steps] == ["evidence", "evidence"]


def test_a_turn_that_ran_again_counts_its_passes_anew():
    once = refund_with_one_rewrite()
    cut = next(e.seq for e in once if isinstance(e.body, Retrieval))
    trace = Trace(once[0].turn)
    trace.tell(*(e.body for e in once[:cut]), *(e.body for e in once[1:]))
    passes = replayed(trace.events).passes
    assert [p.number for p in passes] == [1, 1, 2]
    assert all(a.last < b.first for a, b in pairwise(passes))


def test_the_searches_of_a_pass_stand_together():
    trace = Trace()
    with trace.node("retrieve", "Looking in the handbook"):
        for query in ("the fee", "the rate"):
            found = {"pass": 1, "query": query, "asked": 3, "hits": (), "ms": 1.0}
            trace.tell(Retrieval.model_validate(found))
    (only,) = replayed(trace.events).passes
    assert (only.first, only.last, only.queries) == (1, 4, ("the fee", "the rate"))


def test_a_search_that_failed_leaves_a_turn_without_a_pass():
    trace = Trace()
    with trace.node("retrieve", "Looking in the handbook"):
        pass
    assert replayed(trace.events).passes == ()


def test_nothing_at_all_is_a_replay_too():
    assert replayed([]) == Replay()


def test_a_field_set_to_none_is_gone_from_the_state():
    assert fold([{"route": "direct", "query": "x"}, {"route": None}]) == {"query": "x"}


@given(st.lists(changes, max_size=12))
def test_the_state_at_a_step_is_the_fold_of_the_diffs_up_to_it(diffs: list[dict[str, Any]]):
    trace = Trace()
    trace.tell(*(StateDiff(node="retrieve", changed=changed) for changed in diffs))
    replay = replayed(trace.events)
    for step in replay.steps:
        known: dict[str, Any] = {}
        for changed in diffs[: step.last]:
            for field, value in changed.items():
                known.pop(field, None)
                if value is not None:
                    known[field] = value
        assert replay.state_at(step.last) == known


@given(st.integers(0, 90))
def test_any_beginning_of_a_turn_is_a_valid_replay(length: int):
    events = refund_with_one_rewrite()
    whole, part = replayed(events), replayed(events[:length])
    assert covered(part) == [event.seq for event in events[:length]]
    assert part.path == whole.path[: len(part.path)]
    assert part.state_at(10**6) == whole.state_at(length)
    assert (part.finished is not None) == any(
        isinstance(event.body, TurnFinished) for event in events[:length]
    )
    assert all(step.band in BANDS for step in part.steps)
    assert all(-1 <= step.visit < len(part.visits) for step in part.steps)
    assert all(a.last < b.first for a, b in pairwise(part.passes))
    assert all(p.first <= p.last for p in part.passes)


def test_five_thousand_events_have_a_step_for_each_that_is_no_token():
    replay = replayed(long_turn(5_000))
    assert len(replay.steps) > 4_900
    assert [s.first for s in replay.steps] == sorted(s.first for s in replay.steps)


def covered(replay: Replay) -> list[int]:
    """The event numbers that the steps stand for."""
    return [seq for step in replay.steps for seq in range(step.first, step.last + 1)]
