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

USING_A_TOOL = "Using a tool"  # of a tool that says nothing of its work; its name is not shown
GOING_ON = "Reading your reply"  # of a node that waited and was entered again


@dataclass(frozen=True, slots=True)
class StageLine:
    """One line of the status: a node in plain words, and its time once it left."""

    node: str
    label: str
    ms: float | None = None


@dataclass(frozen=True, slots=True)
class TurnView:
    """What a person sees of one turn; `seq` is the last event folded in.

    `paused` is the node that waits for the person. `exchanges` holds what they were asked
    before and what became of it: a label in plain words, or none yet, or the turn ended first.
    """

    seq: int = 0
    question: str = ""
    stages: tuple[StageLine, ...] = ()
    draft: str = ""
    withdrawn: str = ""
    clarification: Clarification | None = None
    action: Action | None = None
    paused: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    tools: tuple[Tool, ...] = ()
    answer: Answer | None = None
    failure: Failure | None = None
    finished: TurnFinished | None = None

    @property
    def text(self) -> str:
        """The answer if there is one, else the draft as it stands."""
        return self.answer.text if self.answer else self.draft

    @property
    def waits(self) -> bool:
        """The turn does nothing until the person replies."""
        return self.clarification is not None or self.action is not None


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
            return _staged(view, body)
        case Token():
            return replace(view, draft=_draft(view.draft, body))
        case DraftWithdrawn():
            return replace(view, draft="", withdrawn=body.why)
        case Clarification():
            return replace(view, clarification=body)
        case Action():
            return replace(view, action=body)
        case Tool():
            return replace(view, stages=_tooled(view.stages, body), tools=(*view.tools, body))
        case Answer():
            return replace(_put_away(view), answer=body)
        case Failure():
            return replace(view, failure=body)
        case TurnFinished():
            return replace(_put_away(view), finished=body)
    raise TypeError(f"the view has no case for {type(body).__name__}")


def _staged(view: TurnView, stage: Stage) -> TurnView:
    """A node's boundary. One that waited keeps its line until it leaves."""
    if stage.phase == "paused":
        lines = _left(view.stages, StageLine(stage.node, stage.label))
        return replace(view, stages=lines, paused=stage.node)
    if stage.phase == "enter" and stage.node == view.paused:
        lines = _left(view.stages, StageLine(stage.node, GOING_ON))
        return replace(_put_away(view), stages=lines)
    if stage.phase == "enter":
        return replace(view, stages=(*view.stages, StageLine(stage.node, stage.label)))
    left = replace(view, stages=_left(view.stages, StageLine(stage.node, stage.label, stage.ms)))
    if stage.node != view.paused:
        return left
    return replace(_put_away(left, stage.label), paused="")


def _put_away(view: TurnView, label: str = "") -> TurnView:
    """Nothing waits any more: what was asked stands among the exchanges, at last with its label."""
    asked = [view.clarification.question] if view.clarification else []
    asked += [view.action.summary] if view.action else []
    told = (*view.exchanges, *((words, "") for words in asked))
    if label and told and not told[-1][1]:
        told = (*told[:-1], (told[-1][0], label))
    return replace(view, clarification=None, action=None, exchanges=told)


def _tooled(lines: tuple[StageLine, ...], tool: Tool) -> tuple[StageLine, ...]:
    """A tool's line among the stages: its summary, and its time once the tool is done."""
    line = StageLine(f"tool:{tool.tool}", tool.summary or USING_A_TOOL, tool.ms)
    left = _left(lines, line) if tool.ms is not None else lines
    return (*lines, line) if left is lines else left


def _left(lines: tuple[StageLine, ...], line: StageLine) -> tuple[StageLine, ...]:
    """Put a line in the place of the last open one of its node, if there is one."""
    for index in range(len(lines) - 1, -1, -1):
        if lines[index].node == line.node and lines[index].ms is None:
            return (*lines[:index], line, *lines[index + 1 :])
    return lines


def _draft(draft: str, token: Token) -> str:
    """Place a token by its offset: what the draft has already is dropped."""
    if token.offset > len(draft):
        return draft  # a hole: the reader resumes and gets the missing part first
    known = len(draft) - token.offset
    return draft + token.text[known:]
