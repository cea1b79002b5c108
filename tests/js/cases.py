"""The cases that both reducers are held against: frames in, and the view after each of them.

`python -m tests.js.cases` writes them to `cases.json`, which the JavaScript tests read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from chat.contracts.events import (
    Action,
    Answer,
    Body,
    Clarification,
    DraftWithdrawn,
    Event,
    Failure,
    QuestionRead,
    Stage,
    Token,
    Tokens,
    Tool,
    TurnFinished,
    TurnStarted,
)
from chat.contracts.passages import Citation
from chat.contracts.turn_view import TurnView, apply
from chat.contracts.verdicts import Supports, Termination
from chat.turn_words import view_state

FILE = Path(__file__).parent / "cases.json"
TURN = UUID("00000000-0000-4000-8000-000000000001")
MESSAGE = UUID("00000000-0000-4000-8000-000000000002")
AT = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)

STARTED = TurnStarted(question="How long does a refund take?", message=MESSAGE, kind="ask")
WRITING = Stage(node="generate_response", phase="enter", label="Writing")
WRITTEN = Stage(node="generate_response", phase="leave", label="Wrote", ms=12.5)
FINISHED = TurnFinished(
    termination=Termination.ANSWERED, ms=42.0, passes=1, model_calls=4, tokens=Tokens(), cost=0.0
)
ANSWER = Answer(
    text="Five days [1].",
    citations=(
        Citation(
            marker=1,
            chunk="refunds#refund-timing",
            document="refunds",
            version=2,
            title="Refunds",
            passage="It takes five days.",
            supports=Supports.YES,
        ),
    ),
)
ASKING = "generate_clarification"
CLARIFICATION = Clarification(
    question="Which plan?", options=("Small", "Large"), expires_at=AT + timedelta(minutes=30)
)
ACTION = Action(
    action="a1", tool="open_ticket", summary="Open a ticket", irreversible=True, expires_at=AT
)

Numbered = tuple[int, Body]

NAMED: dict[str, Sequence[Numbered]] = {
    "a whole turn": (
        (1, STARTED),
        (2, WRITING),
        (4, Token(offset=0, text="Five ")),
        (5, Token(offset=5, text="days.")),
        (6, WRITTEN),
        (8, ANSWER),
        (9, FINISHED),
    ),
    "a merged token after a part of it was seen": (
        (1, Token(offset=0, text="Five ")),
        (3, Token(offset=0, text="Five days.")),
    ),
    "frames that come again are dropped": (
        (1, STARTED),
        (2, Token(offset=0, text="Five")),
        (2, Token(offset=4, text=" twice")),
        (1, DraftWithdrawn(why="late")),
    ),
    "a token beyond the end of the draft is not placed": (
        (1, Token(offset=0, text="Five")),
        (2, Token(offset=9, text="hole")),
    ),
    "characters outside the basic plane count as one": (
        (1, Token(offset=0, text="👍🏽 ok")),
        (2, Token(offset=5, text=" 𝒳")),
        (3, Token(offset=4, text="k 𝒳!")),
    ),
    "a withdrawn draft begins anew": (
        (1, Token(offset=0, text="Wrong")),
        (2, DraftWithdrawn(why="It was not supported.")),
        (3, Token(offset=0, text="Right")),
    ),
    "a stage that is entered twice is left from the end": (
        (1, WRITING),
        (2, WRITING),
        (3, WRITTEN),
        (4, WRITTEN),
        (5, WRITTEN),
    ),
    "a leave without an enter changes nothing, and a pause stands in its line": (
        (1, Stage(node="confirm_action", phase="leave", label="Asked", ms=1.0)),
        (2, Stage(node="confirm_action", phase="enter", label="Asking")),
        (3, Stage(node="confirm_action", phase="paused", label="Waiting")),
        (4, Stage(node="confirm_action", phase="enter", label="Asking")),
        (5, Stage(node="confirm_action", phase="leave", label="Asked", ms=1.0)),
    ),
    "a reply puts the question away with what was answered": (
        (1, Stage(node=ASKING, phase="enter", label="Asking back")),
        (2, CLARIFICATION),
        (3, Stage(node=ASKING, phase="paused", label="Waiting for your reply")),
        (4, Stage(node=ASKING, phase="enter", label="Asking back")),
        (5, Stage(node=ASKING, phase="leave", label="You answered “Large”", ms=9.0)),
        (6, Stage(node=ASKING, phase="enter", label="Asking back")),
        (7, CLARIFICATION),
        (8, Stage(node=ASKING, phase="paused", label="Waiting for your reply")),
        (9, Stage(node=ASKING, phase="leave", label="You answered “Small”", ms=9.0)),
    ),
    "a yes puts the action away and its tool has a line with a time": (
        (1, Stage(node="confirm_action", phase="enter", label="Asking you")),
        (2, ACTION),
        (3, Stage(node="confirm_action", phase="paused", label="Waiting")),
        (4, Stage(node="confirm_action", phase="leave", label="You said yes", ms=5.0)),
        (5, Tool(tool="open_ticket", phase="start", summary="Opening the ticket")),
        (6, Tool(tool="open_ticket", phase="done", summary="Ticket 12 is open", ms=8.0)),
        (7, Tool(tool="search_directory", phase="done", ms=1.0)),
    ),
    "what waits for the person goes with the answer": (
        (1, CLARIFICATION),
        (2, ACTION),
        (3, Tool(tool="refund", phase="done", summary="Done", ms=3.0)),
        (4, ANSWER),
    ),
    "what waits for the person goes with the end": (
        (1, CLARIFICATION),
        (2, FINISHED),
    ),
    "an error and the end": (
        (1, Failure(code="internal", message="Something broke.", retryable=True)),
        (2, FINISHED),
    ),
    "staff events leave even the number alone": (
        (1, STARTED),
        (2, QuestionRead(standalone="S")),
        (2, Token(offset=0, text="seen")),
    ),
}


def case(name: str, numbered: Iterable[Numbered]) -> dict[str, Any]:
    """Frames as they are sent, and the view after each one as plain JSON values."""
    frames, views, view = [], [], TurnView()
    for seq, body in numbered:
        event = Event(turn=TURN, seq=seq, at=AT, body=body)
        view = apply(view, event)
        frames.append(event.wire())
        views.append(view_state(view))
    return {"name": name, "frames": frames, "views": views}


def named_cases() -> str:
    """The text of `cases.json`."""
    cases = [case(name, numbered) for name, numbered in NAMED.items()]
    return json.dumps(cases, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(named_cases(), "utf-8")
