"""What a turn knows while it runs. Nodes return only the fields that they changed.

`emit` carries events as values from a node to the log; it is replaced by every node and is
never read by one.
"""

from __future__ import annotations

from typing import TypedDict

from chat.contracts.events import Body
from chat.contracts.passages import Citation, Hit, Passage
from chat.contracts.ports import AgentSettings
from chat.contracts.tasks import Attachment, Exchange, ToolCall, ToolResult
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    ClaimVerdict,
    Confidence,
    Grade,
    GradeLabel,
    Intent,
    Level,
    Mode,
    Route,
    Termination,
    TopicVerdict,
)


class TurnState(TypedDict, total=False):
    """All fields of one turn, in the order in which they come to be."""

    # input: given at the start, never changed
    question: str  # redacted
    redactions: dict[str, int]  # what was taken out before the first write, by kind
    history: tuple[Exchange, ...]  # up to five earlier turns that passed their checks
    limits: AgentSettings  # so that routers can stay pure

    attachments: tuple[Attachment, ...]  # what came with the question, without its text
    clarifications_before: int  # asked in the conversation before this turn

    # screening
    intent: Intent
    mode: Mode
    context_level: Level  # how much the earlier turns say about this one
    is_greeting: bool
    standalone: str  # the question with its history folded in
    topic: TopicVerdict | None
    clarity: AmbiguityVerdict | None
    clarifications: int  # asked in this turn
    clarification_expired: bool

    # the way
    decided: Route
    route_confidence: float | None
    route_why: str
    route: Route  # really taken
    step_queries: tuple[str, ...]  # what the model of the iterative path wants searched
    forced_search: bool  # it wanted to answer without one and was not sure enough

    # evidence
    items: tuple[str, ...]  # what was asked for
    query: str  # the present search words, for now
    queries: dict[str, str]  # item to its present search words; only what is not covered
    tried: tuple[str, ...]  # every query so far, in order
    passes: int  # retrievals done
    rewrites: int  # rewrites done; the bound is on this
    hits: tuple[Hit, ...]  # of the last pass
    found_for: dict[str, tuple[str, ...]]  # chunk to the items whose search found it
    terms: tuple[str, ...]  # the documents' words near the last query
    verdicts: dict[str, Grade]  # chunk to grade, of the last pass alone
    accepted: tuple[Passage, ...]  # over all passes
    accepted_as: dict[str, GradeLabel]  # chunk to the label that let it in
    covered: dict[str, bool]  # item to found
    seen_before: bool  # the last pass found the same chunks at the same scores
    no_progress: int  # such passes in a row
    search_failed: bool

    # generation
    passages: tuple[Passage, ...]  # what the answer may cite, numbered from 1
    draft: str
    model_failed: str  # the reason, or empty
    tool_calls: tuple[ToolCall, ...]  # asked for and not answered yet
    tool_results: tuple[ToolResult, ...]  # over all calls of the turn
    tool_rounds: int  # times that tools were run
    confirmed: str  # key of the action that the person agreed to
    declined: bool
    claims: tuple[ClaimVerdict, ...]  # of the present draft
    check_failed: str  # the reason, or empty
    corrections: int  # drafts withdrawn because nothing supported them
    search_again: bool  # the next correction searches instead of writing
    withdrawn: str  # why the draft on the screen is void; said once, by the node that voids it

    # output
    text: str
    citations: tuple[Citation, ...]
    confidence: Confidence
    caveats: tuple[str, ...]
    gaps: tuple[str, ...]
    suggestions: tuple[str, ...]
    blocked: bool  # by the final gate
    termination: Termination

    # spent so far
    calls: int
    spent_tokens: int
    spent_cost: float
    started: float  # monotonic seconds
    budget_hit: Termination | None

    emit: tuple[Body, ...]


SETTINGS_FIELDS = frozenset({"limits", "emit", "history", "started"})
"""Fields that say nothing about what a node changed, and stay out of the state diff."""
