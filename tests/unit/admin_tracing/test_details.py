"""What the page fetches: a short outline, and the details of a range of steps."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.details import details, outline, tokens
from admin_tracing.diffs import difference
from admin_tracing.replay import build
from chat.contracts.events import DraftWithdrawn, Retrieval, StateDiff, Token
from tests.traces import ANSWER, BOUNDARIES, START, Trace, long_turn, refund_with_one_rewrite


def test_the_outline_of_five_thousand_events_stays_small():
    whole = json.dumps(outline(build(long_turn(5_000), BOUNDARIES)), separators=(",", ":"))
    assert len(whole) < 220_000


def test_an_outline_names_its_types_and_bands_once():
    rows = outline(build(refund_with_one_rewrite(), BOUNDARIES))
    first, last = rows["steps"][0], rows["steps"][-1]
    assert rows["types"][first[2]] == "turn_started"
    assert (rows["types"][last[2]], rows["bands"][last[3]]) == ("turn_finished", "output")


def test_a_step_says_what_changed_against_the_steps_before_it():
    trace = Trace()
    trace.tell(StateDiff(node="a", changed={"query": "x", "passes": 1, "route": "direct"}))
    trace.tell(StateDiff(node="b", changed={"query": "y", "passes": 1, "route": None}))
    kinds = [(c["field"], c["kind"]) for c in details(trace.events, [])[1]["changes"]]
    assert kinds == [("query", "changed"), ("route", "removed")]


def test_a_range_that_begins_later_gives_the_same_changes():
    events = refund_with_one_rewrite()
    whole = {entry["first"]: entry for entry in details(events, [])}
    before = [e.body.changed for e in events[:40] if isinstance(e.body, StateDiff)]
    for entry in details(events[40:50], before):
        assert entry == whole[entry["first"]]


def test_a_run_of_tokens_comes_as_one_frame_with_the_whole_text():
    entries = details(refund_with_one_rewrite(), [])
    (entry,) = [entry for entry in entries if entry["type"] == "token"]
    assert entry["wire"]["data"] == {"offset": 0, "text": f"{ANSWER} "}
    assert entry["wire"]["seq"] == entry["last"]


def test_a_search_says_which_items_it_was_for():
    trace = Trace()
    trace.tell(StateDiff(node="plan_search", changed={"queries": {"the fee": "fee transfer"}}))
    found = {"pass": 1, "query": "fee transfer", "asked": 3, "hits": (), "ms": 1.0}
    trace.tell(Retrieval.model_validate(found))
    assert details(trace.events, [])[1]["items"] == ["the fee"]
    assert details(trace.events[1:], [])[0]["items"] == []


def test_the_draft_comes_with_times_and_with_what_was_withdrawn():
    trace = Trace()
    trace.tell(Token(offset=0, text="Refunds "), DraftWithdrawn(why="x"), ms=5)
    assert tokens(trace.events, START) == [[1, 5.0, 0, "Refunds "], [2, 10.0, None, "x"]]


@given(st.data())
def test_details_in_pieces_are_the_details_of_the_whole(data: st.DataObject):
    events = [e for e in refund_with_one_rewrite() if not isinstance(e.body, Token)]
    cut = data.draw(st.integers(0, len(events)))
    before = [e.body.changed for e in events[:cut] if isinstance(e.body, StateDiff)]
    assert details(events[:cut], []) + details(events[cut:], before) == details(events, [])


def test_changes_applied_one_after_the_other_give_the_state():
    events = refund_with_one_rewrite()
    diffs = [e.body.changed for e in events if isinstance(e.body, StateDiff)]
    state: dict[str, Any] = {}
    for changed in diffs:
        for change in difference(state, changed):
            state.pop(change.field, None)
            state |= {} if change.after is None else {change.field: change.after}
    assert state == build(events, BOUNDARIES).state_at(events[-1].seq)
