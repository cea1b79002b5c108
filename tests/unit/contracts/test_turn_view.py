"""What a person sees does not depend on how the events came: live, merged, again or resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.events import (
    USER_TYPES,
    Action,
    Answer,
    Body,
    Clarification,
    Decision,
    DraftWithdrawn,
    Event,
    Stage,
    Token,
    Tool,
    TurnFinished,
    TurnStarted,
)
from chat.contracts.turn_view import GOING_ON, USING_A_TOOL, StageLine, TurnView, apply, fold
from chat.contracts.verdicts import Control, Outcome
from chat.event_rows import merged
from tests.factories import events
from tests.unit.contracts.examples import EXAMPLES

STARTED = next(body for body in EXAMPLES if isinstance(body, TurnStarted))
ANSWER = next(body for body in EXAMPLES if isinstance(body, Answer))
FINISHED = next(body for body in EXAMPLES if isinstance(body, TurnFinished))
CLARIFICATION = next(body for body in EXAMPLES if isinstance(body, Clarification))
ACTION = next(body for body in EXAMPLES if isinstance(body, Action))
STAFF = Decision(control=Control.SCOPE, outcome=Outcome.PASSED)
ENTER = Stage(node="retrieve", phase="enter", label="Looking")
LEAVE = Stage(node="retrieve", phase="leave", label="Looking", ms=5.0)


ASKING = Stage(node="generate_clarification", phase="enter", label="Asking back")
PAUSED = Stage(node="generate_clarification", phase="paused", label="Waiting for your reply")
REPLIED = Stage(node="generate_clarification", phase="leave", label="You answered “B”", ms=4.0)
ASKED = (ASKING, PAUSED, CLARIFICATION)


def tokens(pieces: Sequence[str], between: Sequence[Body] = ()) -> list[Body]:
    """A draft in pieces, with other events strewn among its tokens."""
    told: list[Body] = []
    offset = 0
    for number, piece in enumerate(pieces):
        told.append(Token(offset=offset, text=piece))
        offset += len(piece)
        told.extend(between[number : number + 1])
    return told


def by_type(body: Body) -> str:
    return body.TYPE


drafts = st.lists(st.text(min_size=1, max_size=6), max_size=8)
strewn = st.lists(st.sampled_from([STAFF, ENTER, LEAVE]), max_size=8)


@st.composite
def turns(draw: st.DrawFn) -> list[Event]:
    """A turn with a draft, perhaps a void one before it, and an end or none yet."""
    told: list[Body] = [STARTED]
    if draw(st.booleans()):
        told += tokens(draw(drafts), draw(strewn))
        told.append(DraftWithdrawn(why="It broke off."))
    told += draw(st.sampled_from([[], ASKED, [*ASKED, ASKING], [*ASKED, ASKING, REPLIED]]))
    told += tokens(draw(drafts), draw(strewn))
    told += draw(st.sampled_from([[], [ANSWER], [ANSWER, FINISHED], [FINISHED]]))
    return events(told)


@st.composite
def rows(draw: st.DrawFn, told: Sequence[Event]) -> list[Event]:
    """The same events as a writer would store them: merged batch by batch."""
    cuts = sorted(draw(st.sets(st.integers(0, len(told)), max_size=5)) | {0, len(told)})
    batches = [told[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
    return [event for batch in batches for event in merged(batch)]


def for_the_person(told: Sequence[Event]) -> list[Event]:
    return [event for event in told if event.body.TYPE in USER_TYPES]


@given(st.data())
def test_stored_rows_show_what_was_seen_live(data: st.DataObject) -> None:
    told = data.draw(turns())
    assert fold(data.draw(rows(told))) == fold(told)


@given(st.data())
def test_a_socket_that_merges_on_its_way_out_shows_the_same(data: st.DataObject) -> None:
    told = data.draw(turns())
    assert fold(data.draw(rows(for_the_person(told)))) == fold(told)


@given(st.data())
def test_events_that_come_again_change_nothing(data: st.DataObject) -> None:
    told = data.draw(turns())
    sent: list[Event] = []
    for event in told:
        sent.append(event)
        again = data.draw(st.integers(0, len(sent)))
        sent.extend(sent[again:][:3])
    assert fold(sent) == fold(told)


@given(st.data())
def test_a_reader_may_leave_anywhere_and_resume_from_the_rows(data: st.DataObject) -> None:
    told = data.draw(turns())
    seen = fold(told[: data.draw(st.integers(0, len(told)))])
    stored = [row for row in data.draw(rows(told)) if row.seq > seen.seq]
    assert fold(stored, seen) == fold(told)


@given(st.data())
def test_a_reader_may_resume_from_any_earlier_number(data: st.DataObject) -> None:
    told = data.draw(turns())
    seen = fold(told[: data.draw(st.integers(0, len(told)))])
    after = data.draw(st.integers(0, seen.seq))
    stored = [row for row in data.draw(rows(told)) if row.seq > after]
    assert fold(stored, seen) == fold(told)


@given(turns())
def test_folding_at_once_and_step_by_step_is_the_same(told: list[Event]) -> None:
    view = TurnView()
    for event in told:
        view = apply(view, event)
    assert view == fold(told)


@pytest.mark.parametrize("body", [b for b in EXAMPLES if b.AUDIENCE == "user"], ids=by_type)
def test_every_event_for_the_person_has_a_case(body: Body) -> None:
    before = fold(events([STARTED, ENTER, *tokens(["A refund "])]))
    told = body.model_copy(update={"question": "Other?"}) if body.TYPE == "turn_started" else body
    after = apply(before, events([told], first=20)[0])
    assert after.seq == 20
    assert _without_seq(after) != _without_seq(before)


@pytest.mark.parametrize("body", [b for b in EXAMPLES if b.AUDIENCE == "staff"], ids=by_type)
def test_staff_events_change_nothing(body: Body) -> None:
    before = fold(events([STARTED]))
    assert apply(before, events([body], first=2)[0]) is before


def test_an_event_that_nobody_taught_the_view_raises() -> None:
    class Rumour:  # not a Body, so that the union stays closed
        TYPE = "rumour"
        AUDIENCE = "user"

    with pytest.raises(TypeError, match="Rumour"):
        apply(TurnView(), events([Rumour()])[0])  # type: ignore[list-item]


def test_the_answer_replaces_the_draft_whole() -> None:
    view = fold(events([STARTED, *tokens(["A refund ", "takes"]), ANSWER]))
    assert view.draft == "A refund takes"
    assert view.text == ANSWER.text


def test_a_withdrawn_draft_is_gone_and_says_why() -> None:
    view = fold(events([*tokens(["A refund"]), DraftWithdrawn(why="It broke off.")]))
    assert (view.text, view.withdrawn) == ("", "It broke off.")


def test_a_token_after_a_hole_is_not_put_in_the_wrong_place() -> None:
    view = fold(events([Token(offset=0, text="A "), Token(offset=9, text="days")]))
    assert view.draft == "A "


def test_a_stage_is_one_line_that_gets_its_time_when_it_is_left() -> None:
    told = events([ENTER, LEAVE, ENTER])
    assert fold(told[:1]).stages == (StageLine("retrieve", "Looking"),)
    assert fold(told).stages == (
        StageLine("retrieve", "Looking", 5.0),
        StageLine("retrieve", "Looking"),
    )


def test_nothing_waits_for_the_person_after_the_end() -> None:
    view = fold(events([CLARIFICATION]))
    assert view.clarification == CLARIFICATION
    assert fold(events([CLARIFICATION, FINISHED])).clarification is None
    assert fold(events([CLARIFICATION, ANSWER])).clarification is None


def test_a_question_that_the_person_answered_stands_with_what_they_said() -> None:
    view = fold(events([*ASKED, ASKING, REPLIED]))
    assert not view.waits
    assert view.exchanges == ((CLARIFICATION.question, "You answered “B”"),)
    assert view.stages == (StageLine("generate_clarification", "You answered “B”", 4.0),)


@pytest.mark.parametrize("order", [(PAUSED, CLARIFICATION), (CLARIFICATION, PAUSED)])
def test_a_turn_waits_until_its_node_goes_on(order: Sequence[Body]) -> None:
    view = fold(events([ASKING, *order]))
    assert view.waits
    assert view.stages == (StageLine("generate_clarification", "Waiting for your reply"),)
    going_on = apply(view, events([ASKING], first=4)[0])
    assert not going_on.waits
    assert going_on.stages == (StageLine("generate_clarification", GOING_ON),)
    assert going_on.exchanges == ((CLARIFICATION.question, ""),)


def test_an_action_is_put_away_with_the_answer_that_it_got() -> None:
    enter = Stage(node="confirm_action", phase="enter", label="Asking for your yes")
    paused = enter.model_copy(update={"phase": "paused", "label": "Waiting"})
    left = enter.model_copy(update={"phase": "leave", "label": "You declined", "ms": 1.0})
    view = fold(events([enter, ACTION, paused, enter, left]))
    assert view.action is None
    assert view.exchanges == ((ACTION.summary, "You declined"),)


def test_two_questions_of_one_turn_stand_in_their_order() -> None:
    second = CLARIFICATION.model_copy(update={"question": "And which year?"})
    again = REPLIED.model_copy(update={"label": "You answered “C”"})
    told = [*ASKED, ASKING, REPLIED, ASKING, second, PAUSED, ASKING, again]
    assert fold(events(told)).exchanges == (
        (CLARIFICATION.question, "You answered “B”"),
        ("And which year?", "You answered “C”"),
    )


def test_another_node_that_leaves_answers_nothing() -> None:
    view = fold(events([ENTER, *ASKED, LEAVE]))
    assert view.waits
    assert view.exchanges == ()


def test_a_question_that_was_never_answered_stays_without_an_answer() -> None:
    view = fold(events([*ASKED, FINISHED]))
    assert (view.waits, view.exchanges) == (False, ((CLARIFICATION.question, ""),))


def test_a_tool_is_a_line_among_the_stages_and_its_name_is_not_shown() -> None:
    begun = Tool(tool="open_ticket", phase="start", summary="Opening the ticket")
    done = Tool(tool="open_ticket", phase="done", summary="Ticket 12 is open", ms=8.0)
    mute = Tool(tool="search_directory", phase="failed", ms=1.0)
    view = fold(events([ENTER, begun, done, mute, LEAVE]))
    assert [(line.label, line.ms) for line in view.stages] == [
        ("Looking", 5.0),
        ("Ticket 12 is open", 8.0),
        (USING_A_TOOL, 1.0),
    ]
    assert view.tools == (begun, done, mute)


def _without_seq(view: TurnView) -> dict[str, Any]:
    return {name: getattr(view, name) for name in TurnView.__slots__ if name != "seq"}
