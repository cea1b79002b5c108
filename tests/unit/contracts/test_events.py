"""The event union is closed, and what goes over the wire comes back as it was."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from chat.contracts.events import (
    BODIES,
    PROTOCOL_VERSION,
    USER_TYPES,
    Body,
    Event,
    HitLine,
    RouteTaken,
    Token,
    Tokens,
    event_from,
)
from chat.contracts.verdicts import Route
from tests.unit.contracts.examples import EXAMPLES

TURN = UUID("00000000-0000-4000-8000-000000000001")
AT = datetime(2026, 11, 29, 10, 0, 0, 123456, tzinfo=UTC)

# The protocol's names and who may see them, as they are promised to clients.
PROMISED = {
    "turn_started": "user",
    "question": "staff",
    "stage": "user",
    "state_diff": "staff",
    "route": "staff",
    "retrieval": "staff",
    "verdicts": "staff",
    "rewrite": "staff",
    "model_call": "staff",
    "decision": "staff",
    "claims": "staff",
    "token": "user",
    "draft_withdrawn": "user",
    "clarification": "user",
    "action": "user",
    "tool": "user",
    "answer": "user",
    "error": "user",
    "turn_finished": "user",
}
FIELDS = {
    "turn_started": {"question", "message", "kind"},
    "question": {"standalone", "items", "intent", "mode", "context_level"},
    "stage": {"node", "phase", "label", "ms"},
    "state_diff": {"node", "changed"},
    "route": {"decided", "confidence", "taken", "why"},
    "retrieval": {"pass", "query", "asked", "hits", "ms"},
    "verdicts": {"pass", "chunks", "covered"},
    "rewrite": {"pass", "before", "after", "drift", "no_progress"},
    "decision": {"control", "outcome", "reason", "versions"},
    "token": {"offset", "text"},
    "draft_withdrawn": {"why"},
    "clarification": {"question", "options", "expires_at"},
    "action": {"action", "tool", "summary", "irreversible", "expires_at"},
    "tool": {"tool", "phase", "summary", "ms"},
    "answer": {
        *("text", "citations", "confidence", "caveats", "gaps", "suggestions", "keep"),
        "reminders",
    },
    "error": {"code", "message", "retryable"},
    "turn_finished": {"termination", "ms", "passes", "model_calls", "tokens", "cost"},
}


def every_subclass(of: type[Body]) -> set[type[Body]]:
    direct = set(of.__subclasses__())
    return direct.union(*(every_subclass(one) for one in direct))


def by_type(body: Body) -> str:
    return body.TYPE


def received(wire: dict[str, Any]) -> Event:
    at = datetime.fromisoformat(wire["at"])
    return event_from(UUID(wire["turn"]), wire["seq"], at, wire["type"], wire["data"])


def test_every_type_has_one_example() -> None:
    assert [type(body) for body in EXAMPLES] == list(BODIES)


@pytest.mark.parametrize("body", EXAMPLES, ids=by_type)
def test_an_event_comes_back_from_the_wire_as_it_was(body: Body) -> None:
    event = Event(turn=TURN, seq=7, at=AT, body=body)
    text = json.dumps(event.wire(), allow_nan=False)
    assert received(json.loads(text)) == event


@pytest.mark.parametrize("body", EXAMPLES, ids=by_type)
def test_the_examples_leave_no_field_at_its_default(body: Body) -> None:
    assert body.model_fields_set == set(type(body).model_fields)


@pytest.mark.parametrize("body", EXAMPLES, ids=by_type)
def test_an_unknown_field_fails(body: Body) -> None:
    data = Event(turn=TURN, seq=1, at=AT, body=body).data() | {"mood": "good"}
    with pytest.raises(ValidationError):
        event_from(TURN, 1, AT, body.TYPE, data)


@pytest.mark.parametrize("body", EXAMPLES, ids=by_type)
def test_a_body_cannot_be_changed(body: Body) -> None:
    field = next(iter(type(body).model_fields))
    with pytest.raises(ValidationError):
        setattr(body, field, None)


def test_an_unknown_field_inside_a_value_fails() -> None:
    spent = {"input": 1, "guessed": 2}
    with pytest.raises(ValidationError):
        Tokens.model_validate(spent)


def test_an_unknown_type_is_a_fault_to_be_seen() -> None:
    with pytest.raises(KeyError):
        event_from(TURN, 1, AT, "rumour", {})


def test_the_union_is_closed() -> None:
    assert every_subclass(Body) == set(BODIES)
    assert len({body.TYPE for body in BODIES}) == len(BODIES)


def test_the_types_and_their_audiences_are_the_promised_ones() -> None:
    assert {body.TYPE: body.AUDIENCE for body in BODIES} == PROMISED
    assert {name for name, audience in PROMISED.items() if audience == "user"} == USER_TYPES


@pytest.mark.parametrize("body", [b for b in EXAMPLES if b.TYPE in FIELDS], ids=by_type)
def test_an_event_carries_the_promised_fields(body: Body) -> None:
    assert set(Event(turn=TURN, seq=1, at=AT, body=body).data()) == FIELDS[body.TYPE]


def test_the_envelope_says_version_turn_number_time_and_type() -> None:
    wire = Event(turn=TURN, seq=3, at=AT, body=Token(offset=0, text="A")).wire()
    assert wire == {
        "v": PROTOCOL_VERSION,
        "turn": str(TURN),
        "seq": 3,
        "at": "2026-11-29T10:00:00.123456+00:00",
        "type": "token",
        "data": {"offset": 0, "text": "A"},
    }


def test_every_type_says_in_its_docstring_what_it_means() -> None:
    assert all((body.__doc__ or "").strip() for body in BODIES)


def test_token_classes_are_disjoint_and_add_up() -> None:
    assert Tokens(input=1, cached_input=2, output=4, reasoning=8).total == 15


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_no_part_of_an_event(number: float) -> None:
    """JSON has no such number, so its row would be refused for ever."""
    with pytest.raises(ValidationError):
        RouteTaken(decided=Route.DIRECT, confidence=number, taken=Route.DIRECT)
    with pytest.raises(ValidationError):
        HitLine(chunk="c", document="d", score=number)
