"""What the person is shown before the yes is what would be sent, whole and redacted."""

from __future__ import annotations

from typing import Any

import pytest

from chat.contracts.tasks import ToolCall
from chat.tools.registry import Registry
from chat.tools.tickets import OpenTicket

LONG = "One more detail. " * 200


def call(**arguments: Any) -> ToolCall:
    return ToolCall(id="1", tool="open_ticket", arguments=arguments)


def shown(**arguments: Any) -> str:
    return Registry([OpenTicket(None)]).summary(call(**arguments))


def problem(**arguments: Any) -> str:
    return Registry([OpenTicket(None)]).problem(call(**arguments))


def test_the_summary_has_subject_and_description_whole():
    assert shown(subject="Invoice 4711", description=LONG).endswith(
        f"Subject: Invoice 4711\n\n{LONG.strip()}"
    )


def test_what_says_the_same_twice_is_shown_once():
    told = shown(subject="My server is down", description="my server is down")
    assert told.endswith("Subject: My server is down")


def test_personal_data_is_gone_before_anybody_is_asked():
    told = shown(subject="From eve@mail.example", description="Call +353 1 496 0123, please.")
    assert "Subject: From [email]" in told
    assert "Call [phone], please." in told


def test_a_subject_is_one_line_and_nothing_can_be_hidden_behind_it():
    told = shown(subject="Hello\n\n\n\u202eworld", description="x")
    assert "Subject: Hello world\n\nx" in told


@pytest.mark.parametrize(
    "arguments",
    [
        {"subject": "s"},
        {"subject": "", "description": "d"},
        {"subject": "\u202e \x00", "description": "d"},
        {"subject": "s", "description": " \n "},
        {"subject": "s" * 121, "description": "d"},
        {"subject": "s", "description": "d" * 4_001},
        {"subject": "s", "description": "d", "status": "closed"},
        {"subject": "s", "description": "d", "turn": "another"},
        {"subject": ["s"], "description": "d"},
    ],
    ids=lambda arguments: ",".join(f"{k}={str(v)[:8]!r}" for k, v in arguments.items()),
)
def test_a_ticket_that_could_not_be_stored_as_shown_is_refused(arguments: Any):
    assert problem(**arguments) == "bad_arguments"


def test_the_longest_ticket_is_good():
    assert problem(subject="s" * 120, description="d" * 4_000) == ""


def test_a_subject_that_redaction_makes_longer_is_measured_as_it_is_stored():
    assert problem(subject="a@b.ie " * 17, description="d") == "bad_arguments"
