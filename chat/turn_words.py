"""What is said of a turn's end, support, gaps and faults, and its view as plain JSON values.

Pure: a view in, words out. What they stand on, a page or a script, is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from chat.contracts.events import Answer, Body
from chat.contracts.turn_view import TurnView
from chat.contracts.verdicts import Supports, Termination

Signal = Literal["supported", "unchecked", "partly", "failed"]


@dataclass(frozen=True, slots=True)
class Note:
    """One line under an answer: a signal's shape and its words."""

    signal: Signal
    words: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended when it was not simply answered; `again` offers the question anew."""

    words: str
    again: bool = True
    signal: Signal = "failed"


_UNFINISHED = Ending("This ended before there was an answer.")

# The terminations that the reply itself does not explain.
ENDINGS: dict[Termination, Ending] = {
    Termination.USER_STOP: Ending("Stopped. What stands here was not checked."),
    Termination.INTERRUPTED: Ending("Interrupted before it was finished."),
    Termination.MODEL_FAILED: Ending("The model did not answer."),
    Termination.CONTROL_FAILED: Ending("A check could not run, so nothing was sent."),
    Termination.STEP_LIMIT: Ending("This took too many steps and was ended."),
    Termination.TIME_CAP: Ending("Ended at the time limit.", signal="partly"),
    Termination.TOKEN_CAP: Ending("Ended at the limit for one question.", signal="partly"),
    Termination.COST_CAP: Ending("Ended at the limit for one question.", signal="partly"),
    Termination.TOOL_CAP: Ending("Ended at the limit for one question.", signal="partly"),
    Termination.PASS_CAP: Ending("Ended after the searches allowed.", signal="partly"),
    Termination.SUPERSEDED: Ending("Left for the next question.", again=False, signal="unchecked"),
    Termination.CLARIFICATION_EXPIRED: Ending("No reply came in time.", signal="unchecked"),
    Termination.HANDED_OFF: Ending("Passed on to a person.", again=False, signal="unchecked"),
}

# What a vote against an answer may say with one press.
REASONS = ("Wrong", "Incomplete", "Off the point")

_QUOTES_DOCUMENTS = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)


def trust_of(view: TurnView) -> Note | None:
    """One honest line: quoted, cited without a check, or resting on nothing cited."""
    if view.answer is None:
        return None
    supports = [citation.supports for citation in view.answer.citations]
    if supports:
        return _trust_in(supports)
    if view.finished and view.finished.termination in _QUOTES_DOCUMENTS:
        return Note("unchecked", "Cites no passage")
    return None


def _trust_in(supports: list[Supports]) -> Note:
    passages = f"{len(supports)} passage{'' if len(supports) == 1 else 's'}"
    missing = supports.count(Supports.NO)
    if missing:
        return Note("partly", f"Cites {passages}, {missing} without support for what is said")
    unchecked = supports.count(Supports.UNCHECKED)
    if not unchecked:
        return Note("supported", f"Quoted from {passages}")
    if unchecked == len(supports):
        return Note("unchecked", f"Cites {passages}, wording not checked")
    return Note("unchecked", f"Cites {passages}, wording of {unchecked} not checked")


def ending_of(view: TurnView) -> Ending | None:
    """Plain words for an ended turn that was not simply answered."""
    if view.failure:
        return Ending(view.failure.message, again=view.failure.retryable)
    if view.finished is None:
        return _UNFINISHED
    if view.finished.termination is Termination.USER_STOP and not view.text.strip():
        return Ending("Stopped before there was an answer.")
    known = ENDINGS.get(view.finished.termination)
    return known or (None if view.answer else _UNFINISHED)


def notes_of(answer: Answer) -> tuple[str, ...]:
    """What was not found and what has to be said beside the answer, a line each."""
    return (*(f"Not found: {gap}" for gap in answer.gaps), *answer.caveats)


def view_state(view: TurnView) -> dict[str, Any]:
    """A view as plain JSON values, the shape that the page's own reducer goes on from."""
    return {
        "seq": view.seq,
        "question": view.question,
        "stages": [asdict(stage) for stage in view.stages],
        "draft": view.draft,
        "withdrawn": view.withdrawn,
        "clarification": _data(view.clarification),
        "action": _data(view.action),
        "tools": [_data(tool) for tool in view.tools],
        "answer": _data(view.answer),
        "failure": _data(view.failure),
        "finished": _data(view.finished),
    }


def _data(body: Body | None) -> dict[str, Any] | None:
    return body.model_dump(mode="json", by_alias=True) if body else None
