"""One example of each event type, with every field set, as a live turn would give it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from chat.contracts.events import (
    Action,
    Answer,
    Body,
    ChunkVerdict,
    Claim,
    Claims,
    Clarification,
    Decision,
    DraftWithdrawn,
    Failure,
    HitLine,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    Tokens,
    Tool,
    TurnFinished,
    TurnStarted,
    Verdicts,
)
from chat.contracts.passages import Citation
from chat.contracts.verdicts import (
    Confidence,
    Control,
    GradeLabel,
    Outcome,
    Route,
    Supports,
    Termination,
)

LATER = datetime(2026, 11, 29, 10, 5, tzinfo=UTC)
MESSAGE = UUID("00000000-0000-4000-8000-00000000000a")
SPENT = Tokens(input=120, cached_input=40, output=30, reasoning=8)

CITATION = Citation(
    marker=1,
    chunk="refunds#timing",
    document="refunds",
    version=2,
    title="Refunds",
    url="https://larkspur.example/refunds",
    page=3,
    passage="A refund takes five to ten business days.",
    supports=Supports.YES,
)
HIT = HitLine(
    chunk="refunds#timing",
    document="refunds",
    score=0.0325,
    cosine=0.61,
    vector_rank=1,
    text_rank=2,
)

EXAMPLES: tuple[Body, ...] = (
    TurnStarted(question="How long does a refund take?", message=MESSAGE, kind="ask"),
    QuestionRead(
        standalone="How long does a refund take?",
        items=("How long does a refund take?",),
        intent="ask",
        mode="plain",
        context_level="none",
    ),
    Stage(node="retrieve", phase="leave", label="Looking in the handbook", ms=10.5),
    StateDiff(node="retrieve", changed={"passes": 1, "tried": ["refund"], "topic": None}),
    RouteTaken(decided=Route.SINGLE_SHOT, confidence=0.7, taken=Route.BASIC, why="one item"),
    Retrieval.model_validate(
        {"pass": 1, "query": "refund", "asked": 6, "hits": (HIT,), "ms": 10.25}
    ),
    Verdicts.model_validate(
        {
            "pass": 1,
            "chunks": (
                ChunkVerdict(chunk="refunds#timing", label=GradeLabel.ANSWERS, reason="a time"),
            ),
            "covered": {"How long does a refund take?": True},
        }
    ),
    Rewrite.model_validate(
        {"pass": 1, "before": "refund", "after": "days", "drift": 0.2, "no_progress": True}
    ),
    ModelCall(
        role="grader",
        purpose="grade",
        model="offline",
        prompt_version="3",
        tokens=SPENT,
        cost=0.0004,
        ms=12.5,
        outcome="repaired",
    ),
    Decision(
        control=Control.RELEVANCE,
        outcome=Outcome.FAILED_OPEN,
        reason="timeout",
        versions={"prompt": "3"},
    ),
    Claims(
        claims=(Claim(id="c1", label="time of a refund", basis="[1]", supported=None, by="judge"),)
    ),
    Token(offset=9, text="takes five"),
    DraftWithdrawn(why="The answer broke off while it was written."),
    Clarification(question="Which plan?", options=("Small", "Large"), expires_at=LATER),
    Action(
        action="a1",
        tool="cancel_server",
        summary="Cancel server 7",
        irreversible=True,
        expires_at=LATER,
    ),
    Tool(tool="cancel_server", phase="done", summary="Server 7 is cancelled", ms=80.0),
    Answer(
        text="Five to ten business days [1].",
        citations=(CITATION,),
        confidence=Confidence.HIGH,
        caveats=("Bank holidays count extra.",),
        gaps=("fees",),
        suggestions=("How do I cancel?",),
        keep=("Refund time",),
        reminders=("In ten days",),
    ),
    Failure(code="search_failed", message="The handbook could not be searched.", retryable=True),
    TurnFinished(
        termination=Termination.ANSWERED,
        ms=950.5,
        passes=1,
        model_calls=8,
        tokens=SPENT,
        cost=0.0042,
    ),
)
