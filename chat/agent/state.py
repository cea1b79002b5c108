"""What a turn knows while it runs. Nodes return only the fields that they changed.

`emit` carries events as values from a node to the log; it is replaced by every node and is
never read by one.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

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

Correction = Literal["", "write", "search", "plan"]
"""A draft goes on; or it is written again, or more is searched, or the direct path is left."""


RestrictedBy = Literal["", "rule", "classifier", "outage"]
"""What restricts a question; at an outage it is only suspected of being restricted."""


class TurnState(TypedDict, total=False):
    """All fields of one turn, in the order in which they come to be."""

    # input: given at the start, never changed
    question: str  # redacted
    redactions: dict[str, int]  # what was taken out before the first write, by kind
    is_sensitive: bool  # it tells of somebody's health: fewer may read it, its trace is cut
    history: tuple[Exchange, ...]  # up to five earlier turns that passed their checks
    attachments: tuple[Attachment, ...]  # what came with the question, without its text
    clarifications_before: int  # asked in the conversation before this turn
    limits: AgentSettings  # so that routers can stay pure
    budget: dict[str, float]  # the limits that can end the turn, so that its log has them

    # screening
    intent: Intent
    mode: Mode
    context_level: Level  # how much the earlier turns say about this one
    is_greeting: bool
    standalone: str  # the question with its history folded in
    restricted: str  # the category whose line the question crosses, or empty
    restricted_by: RestrictedBy
    topic: TopicVerdict | None
    clarity: AmbiguityVerdict | None
    clarifications: int  # asked in this turn
    clarification_expired: bool

    # the way
    decided: Route  # what the router said
    route_confidence: float | None
    route: Route  # what is really taken
    step_queries: tuple[str, ...]  # what the model of the iterative path wants searched

    # evidence
    items: tuple[str, ...]  # what was asked for
    queries: dict[str, str]  # item to the words that it is searched with next
    tried: tuple[str, ...]  # every query so far, in order
    passes: int  # retrievals done
    rewrites: int  # rewrites done; the bound is on this
    hits: tuple[Hit, ...]  # of the last pass
    found_for: dict[str, tuple[str, ...]]  # chunk of the last pass to the items it was found for
    terms: tuple[str, ...]  # the documents' words near the last query
    verdicts: dict[str, Grade]  # chunk to grade, of the last pass alone
    accepted: tuple[Passage, ...]  # over all passes
    accepted_as: dict[str, GradeLabel]  # chunk to the label that let it in
    covered: dict[str, bool]  # item to found
    seen_before: bool  # the last pass found the same chunks at the same scores
    no_progress: int  # such passes in a row
    search_failed: bool
    unread: bool  # something was found that could not be screened, so it was left out

    # generation
    passages: tuple[Passage, ...]  # what the answer may cite, numbered from 1
    draft: str
    model_failed: str  # the reason, or empty
    tool_calls: tuple[ToolCall, ...]  # asked for and not answered yet
    pending_action: str  # what waits for the person's yes, in their words; or empty
    tool_results: tuple[ToolResult, ...]  # over all calls of the turn
    tool_rounds: int  # times that tools were run
    confirmations: int  # times that the person was asked for a yes
    confirmed: str  # key of the action that the person agreed to
    declined: bool
    claims: tuple[ClaimVerdict, ...]  # of the present draft
    check_failed: str  # why nobody could check the draft, or empty
    was_checked: bool
    unheld: dict[str, int]  # what the claims name that no source holds, counted by kind
    checks: int  # drafts that were looked at
    corrections: int  # drafts that were sent back
    correction: Correction  # what happens to the present draft
    withdrawn: str  # why the draft on the screen is void; said once, by the node that voids it

    # output
    text: str
    citations: tuple[Citation, ...]
    unresolved: tuple[str, ...]  # markers that stood for nothing and were removed
    hedged: int  # names and paragraph numbers that no source holds, and that say so now
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


SETTINGS_FIELDS = frozenset({"limits", "emit", "history", "started", "withdrawn"})
"""Fields that say nothing about what a node changed, and stay out of the state diff."""


def fresh() -> dict[str, Any]:
    """Every counter and every finding of a turn, as it begins and after each reset."""
    return {
        "passes": 0,
        "rewrites": 0,
        "clarifications": 0,
        "tool_rounds": 0,
        "confirmations": 0,
        "checks": 0,
        "corrections": 0,
        "no_progress": 0,
        "seen_before": False,
        "search_failed": False,
        "unread": False,
        "clarification_expired": False,
        "declined": False,
        "was_checked": False,
        "restricted": "",
        "restricted_by": "",
        "topic": None,
        "clarity": None,
        "route_confidence": None,
        "step_queries": (),
        "items": (),
        "queries": {},
        "tried": (),
        "hits": (),
        "found_for": {},
        "terms": (),
        "verdicts": {},
        "accepted": (),
        "accepted_as": {},
        "covered": {},
        "passages": (),
        "tool_calls": (),
        "pending_action": "",
        "tool_results": (),
        "confirmed": "",
        "claims": (),
        "unheld": {},
        "check_failed": "",
        "correction": "",
        "budget_hit": None,
        "model_failed": "",
        "draft": "",
    }
