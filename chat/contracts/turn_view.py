"""The pure reducer: events of a turn in, what a person sees out.

Live frames and stored rows give the same view: tokens may come merged, again, or not at
all, and are placed by their offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from chat.contracts.events import (
    Action,
    Answer,
    Body,
    Clarification,
    DraftWithdrawn,
    Event,
    Failure,
    Stage,
    Token,
    Tool,
    TurnFinished,
    TurnStarted,
)


@dataclass(frozen=True, slots=True)
class StageLine:
    """One line of the status: a node in plain words, and its time once it left."""

    node: str
    label: str
    ms: float | None = None


@dataclass(frozen=True, slots=True)
class TurnView:
    """What a person sees of one turn; `seq` is the last event folded in."""

    seq: int = 0
    question: str = ""
    stages: tuple[StageLine, ...] = ()
    draft: str = ""
    withdrawn: str = ""
    clarification: Clarification | None = None
    action: Action | None = None
    tools: tuple[Tool, ...] = ()
    answer: Answer | None = None
    failure: Failure | None = None
    finished: TurnFinished | None = None

    @property
    def text(self) -> str:
        """The answer if there is one, else the draft as it stands."""
        return self.answer.text if self.answer else self.draft


def fold(events: Iterable[Event], view: TurnView | None = None) -> TurnView:
    """Apply events in order; those at or below the view's `seq` were seen and are dropped."""
    view = view or TurnView()
    for event in events:
        view = apply(view, event)
    return view


def apply(view: TurnView, event: Event) -> TurnView:
    """One step of the reducer. Staff events change nothing but `seq`, and only upwards."""
    if event.seq <= view.seq:
        return view
    if event.body.AUDIENCE != "user":
        return view
    return replace(_changed(view, event.body), seq=event.seq)


def _changed(view: TurnView, body: Body) -> TurnView:  # noqa: C901 - one line a type
    match body:
        case TurnStarted():
            return replace(view, question=body.question)
        case Stage():
            return replace(view, stages=_stages(view.stages, body))
        case Token():
            return replace(view, draft=_draft(view.draft, body))
        case DraftWithdrawn():
            return replace(view, draft="", withdrawn=body.why)
        case Clarification():
            return replace(view, clarification=body)
        case Action():
            return replace(view, action=body)
        case Tool():
            return replace(view, tools=(*view.tools, body))
        case Answer():
            return replace(view, answer=body, clarification=None, action=None)
        case Failure():
            return replace(view, failure=body)
        case TurnFinished():
            return replace(view, finished=body, clarification=None, action=None)
    raise TypeError(f"the view has no case for {type(body).__name__}")


def _stages(lines: tuple[StageLine, ...], stage: Stage) -> tuple[StageLine, ...]:
    if stage.phase == "enter":
        return (*lines, StageLine(stage.node, stage.label))
    for index in range(len(lines) - 1, -1, -1):
        if lines[index].node == stage.node and lines[index].ms is None:
            done = replace(lines[index], label=stage.label, ms=stage.ms)
            return (*lines[:index], done, *lines[index + 1 :])
    return lines


def _draft(draft: str, token: Token) -> str:
    """Place a token by its offset: what the draft has already is dropped."""
    if token.offset > len(draft):
        return draft  # a hole: the reader resumes and gets the missing part first
    known = len(draft) - token.offset
    return draft + token.text[known:]
