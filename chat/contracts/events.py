"""The events of a turn: one closed union, and the only definition of the protocol.

The log of events is the truth; the socket, the live page and the replay encode the same
objects. Unknown fields fail, names are for ever, and the audience stands on the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from chat.contracts.passages import Citation
from chat.contracts.verdicts import (
    Confidence,
    Control,
    GradeLabel,
    Outcome,
    Route,
    Termination,
    Value,
)

PROTOCOL_VERSION = 1

Audience = Literal["user", "staff"]
Kind = Literal["ask", "regenerate", "edit", "rerun", "lab"]

NOBODYS: tuple[Kind, ...] = ("lab", "rerun")
"""Turns that are no person's: outside people's chains, all figures and all labels."""


class Body(Value):
    """What an event says. Subclasses name their wire type and who may see it.

    A number that is none is refused: the log could never store it.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    TYPE: ClassVar[str]
    AUDIENCE: ClassVar[Audience]


class TurnStarted(Body):
    """A turn began. `question` is redacted; `message` is the question's message id."""

    TYPE = "turn_started"
    AUDIENCE = "user"
    question: str
    message: UUID
    kind: Kind


class QuestionRead(Body):
    """The question as the agent understood it, and the items that it asks for."""

    TYPE = "question"
    AUDIENCE = "staff"
    standalone: str
    items: tuple[str, ...] = ()
    intent: str = ""
    mode: str = ""
    context_level: str = ""


class Stage(Body):
    """A node's boundary. `label` is in a customer's words; `ms` is set on leave."""

    TYPE = "stage"
    AUDIENCE = "user"
    node: str
    phase: Literal["enter", "leave", "paused"]
    label: str
    ms: float | None = None


class StateDiff(Body):
    """What a node changed. Long values are cut and say their full length."""

    TYPE = "state_diff"
    AUDIENCE = "staff"
    node: str
    changed: dict[str, Any]


class RouteTaken(Body):
    """The path: `decided` with its confidence, and at the end what was `taken`."""

    TYPE = "route"
    AUDIENCE = "staff"
    decided: Route
    confidence: float | None = None
    taken: Route
    why: str = ""


class HitLine(Value):
    """One row of a retrieval, without its text."""

    model_config = ConfigDict(allow_inf_nan=False)

    chunk: str
    document: str
    score: float
    cosine: float | None = None
    vector_rank: int | None = None
    text_rank: int | None = None


class Retrieval(Body):
    """One search: `asked` hits were wanted, these came, best first."""

    TYPE = "retrieval"
    AUDIENCE = "staff"
    pass_: int = Field(alias="pass", serialization_alias="pass")
    query: str
    asked: int
    hits: tuple[HitLine, ...]
    ms: float


class ChunkVerdict(Value):
    """The grade of one chunk in one pass."""

    chunk: str
    label: GradeLabel
    reason: str = ""


class Verdicts(Body):
    """All grades of one pass, and which items are now covered."""

    TYPE = "verdicts"
    AUDIENCE = "staff"
    pass_: int = Field(alias="pass", serialization_alias="pass")
    chunks: tuple[ChunkVerdict, ...]
    covered: dict[str, bool]


class Rewrite(Body):
    """Other words for the next pass. `drift` is the cosine distance from the question."""

    TYPE = "rewrite"
    AUDIENCE = "staff"
    pass_: int = Field(alias="pass", serialization_alias="pass")
    before: str
    after: str
    drift: float | None = None
    no_progress: bool = False


class Tokens(Value):
    """Token counts in disjoint classes, as the endpoint reported them."""

    input: int = 0
    cached_input: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.input + self.cached_input + self.output + self.reasoning


class ModelCall(Body):
    """One call of a model. `cost` is in US dollars."""

    TYPE = "model_call"
    AUDIENCE = "staff"
    role: Literal["main", "router", "grader", "judge"]
    purpose: str
    model: str
    prompt_version: str = ""
    tokens: Tokens = Tokens()
    cost: float = 0.0
    ms: float = 0.0
    outcome: Literal["ok", "repaired", "invalid", "timeout", "failed", "cancelled"] = "ok"


class Decision(Body):
    """A control ran, failed in its direction, or was off."""

    TYPE = "decision"
    AUDIENCE = "staff"
    control: Control
    outcome: Outcome
    reason: str = ""
    versions: dict[str, str] = Field(default_factory=dict)


class Claim(Value):
    """One checkable claim: a label of at most eight words and no figure."""

    id: str
    label: str
    basis: str
    supported: bool | None
    by: Literal["code", "judge", "person"]


class Claims(Body):
    """The claims of the answer and what holds them."""

    TYPE = "claims"
    AUDIENCE = "staff"
    claims: tuple[Claim, ...]


class Token(Body):
    """A piece of the draft; `offset` counts the characters of the draft before it."""

    TYPE = "token"
    AUDIENCE = "user"
    offset: int
    text: str


class DraftWithdrawn(Body):
    """The draft on the screen is void."""

    TYPE = "draft_withdrawn"
    AUDIENCE = "user"
    why: str


class Clarification(Body):
    """A question back to the person, with up to three ready answers."""

    TYPE = "clarification"
    AUDIENCE = "user"
    question: str
    options: tuple[str, ...] = Field(default=(), max_length=3)
    expires_at: datetime


class Action(Body):
    """A step that waits for the person's yes."""

    TYPE = "action"
    AUDIENCE = "user"
    action: str
    tool: str
    summary: str
    irreversible: bool
    expires_at: datetime


class Tool(Body):
    """A tool's work, in plain words."""

    TYPE = "tool"
    AUDIENCE = "user"
    tool: str
    phase: str
    summary: str = ""
    ms: float | None = None


class Answer(Body):
    """The checked answer. `text` (Markdown) replaces the draft whole."""

    TYPE = "answer"
    AUDIENCE = "user"
    text: str
    citations: tuple[Citation, ...] = ()
    confidence: Confidence = Confidence.NONE
    caveats: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = Field(default=(), max_length=3)
    keep: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()


class Failure(Body):
    """Something went wrong that the person needs to know of."""

    TYPE = "error"
    AUDIENCE = "user"
    code: str
    message: str
    retryable: bool = False


class TurnFinished(Body):
    """The last event of every turn. `cost` is in US dollars."""

    TYPE = "turn_finished"
    AUDIENCE = "user"
    termination: Termination
    ms: float
    passes: int
    model_calls: int
    tokens: Tokens
    cost: float


BODIES: tuple[type[Body], ...] = (
    TurnStarted,
    QuestionRead,
    Stage,
    StateDiff,
    RouteTaken,
    Retrieval,
    Verdicts,
    Rewrite,
    ModelCall,
    Decision,
    Claims,
    Token,
    DraftWithdrawn,
    Clarification,
    Action,
    Tool,
    Answer,
    Failure,
    TurnFinished,
)
BODY_OF: dict[str, type[Body]] = {body.TYPE: body for body in BODIES}
USER_TYPES: frozenset[str] = frozenset(b.TYPE for b in BODIES if b.AUDIENCE == "user")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a turn; `seq` rises from 1 within it."""

    turn: UUID
    seq: int
    at: datetime
    body: Body

    def data(self) -> dict[str, Any]:
        """The body as plain JSON values, the way it is stored and sent."""
        return self.body.model_dump(mode="json", by_alias=True)

    def wire(self) -> dict[str, Any]:
        """The envelope as plain JSON values."""
        return {
            "v": PROTOCOL_VERSION,
            "turn": str(self.turn),
            "seq": self.seq,
            "at": self.at.isoformat(),
            "type": self.body.TYPE,
            "data": self.data(),
        }


def event_from(turn: UUID, seq: int, at: datetime, type_: str, data: dict[str, Any]) -> Event:
    """Rebuild a stored or received event.

    Raises `KeyError` for an unknown type and `pydantic.ValidationError` for unknown or
    missing fields: a log that does not fit its union is a fault to be seen.
    """
    return Event(turn=turn, seq=seq, at=at, body=BODY_OF[type_].model_validate(data))
