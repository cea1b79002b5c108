"""The trace of a sensitive turn keeps what happened and leaves out what anybody wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat.contracts.cutting import SAFE, WITHHELD, cut
from chat.contracts.events import BODIES, Body, Decision, StateDiff
from chat.contracts.verdicts import Control, Outcome
from tests.unit.contracts.examples import EXAMPLES

SECRET = "diagnosed"


def planted(body: Body) -> Body:
    """The example with the secret in every text that no closed list holds."""
    free = {name: _with_secret(value) for name, value in body.model_dump(by_alias=True).items()}
    try:
        return type(body).model_validate(free)
    except ValueError:
        return body


def _with_secret(value: Any) -> Any:
    if isinstance(value, str) and " " in value:
        return f"{value} {SECRET}"
    if isinstance(value, dict):
        return {key: _with_secret(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_secret(each) for each in value]
    return value


@pytest.mark.parametrize("body", EXAMPLES, ids=lambda body: body.TYPE)
def test_no_text_of_a_person_stays_in_what_the_staff_alone_sees(body: Body) -> None:
    told = json.dumps(cut(planted(body)).model_dump(mode="json", by_alias=True))
    if body.AUDIENCE == "staff" and body.TYPE not in ("model_call", "route"):
        assert SECRET not in told


@pytest.mark.parametrize("body", EXAMPLES, ids=lambda body: body.TYPE)
def test_what_the_person_sees_is_untouched(body: Body) -> None:
    if body.AUDIENCE == "user":
        assert cut(body) is body


@pytest.mark.parametrize("body", EXAMPLES, ids=lambda body: body.TYPE)
def test_a_cut_event_is_still_one_of_its_type(body: Body) -> None:
    again = cut(body).model_dump(mode="json", by_alias=True)
    assert type(body).model_validate(again) == cut(body)


def test_every_type_has_an_example() -> None:
    assert {type(body) for body in EXAMPLES} == set(BODIES)


def test_counts_flags_and_closed_words_of_the_state_stay() -> None:
    changed = {
        "passes": 2,
        "declined": False,
        "intent": "question",
        "unheld": {"deadline": 1},
        "draft": "I was diagnosed.",
        "covered": {"what I have": True},
        "claims": [],
        "unresolved": ["9", "source: my letter"],
        "tool_results": [{"cost": 0.5, "text": "a name"}],
    }
    told = cut(StateDiff(node="finish_answer", changed=changed))
    assert isinstance(told, StateDiff)
    assert told.changed == {
        "passes": 2,
        "declined": False,
        "intent": "question",
        "unheld": {"deadline": 1},
        "draft": WITHHELD,
        "covered": f"{WITHHELD} (1)",
        "claims": [],
        "unresolved": [WITHHELD, WITHHELD],
        "tool_results": [{"cost": 0.5}],
    }


def test_why_a_control_could_not_run_stays_and_what_it_quoted_goes() -> None:
    failed = Decision(control=Control.SCOPE, outcome=Outcome.FAILED_OPEN, reason="timeout")
    quoted = Decision(control=Control.SCOPE, outcome=Outcome.ACTED, reason="my diagnosis")
    assert cut(failed) == failed
    assert cut(quoted) == quoted.model_copy(update={"reason": WITHHELD})


def test_the_safe_fields_are_fields_of_the_state() -> None:
    from chat.agent.state import TurnState

    assert set(TurnState.__annotations__) >= SAFE
