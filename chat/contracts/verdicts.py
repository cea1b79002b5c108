"""The closed vocabularies: what a check may say, why a turn may end, which controls exist.

Every value here is stored and sent, so a name never changes its meaning.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


LABEL_SCHEMA = 1
"""The version of the labels that people give; raised when a value changes its meaning."""


class Termination(StrEnum):
    """The one reason why a turn ended."""

    ANSWERED = "answered"
    ANSWERED_WITH_CAVEAT = "answered_with_caveat"
    GREETED = "greeted"
    CRISIS = "crisis"
    OFF_TOPIC = "off_topic"
    RESTRICTED = "restricted"
    CLARIFICATION_EXPIRED = "clarification_expired"
    NO_EVIDENCE = "no_evidence"
    NO_PROGRESS = "no_progress"
    PASS_CAP = "pass_cap"
    TOKEN_CAP = "token_cap"
    COST_CAP = "cost_cap"
    TIME_CAP = "time_cap"
    TOOL_CAP = "tool_cap"
    GATE_BLOCKED = "gate_blocked"
    USER_STOP = "user_stop"
    ACTION_DECLINED = "action_declined"
    CONTROL_FAILED = "control_failed"
    MODEL_FAILED = "model_failed"
    HANDED_OFF = "handed_off"
    SUPERSEDED = "superseded"
    STEP_LIMIT = "step_limit"
    INTERRUPTED = "interrupted"


class Control(StrEnum):
    """The controls of the agent; the policy table has a row for each.

    The twelve of the contract, of which the third is two (what is taken out of what people say,
    and instructions in what is read), and two beside them: reranker and toxicity.
    """

    SCOPE = "scope"
    AMBIGUITY = "ambiguity"
    REDACTION = "redaction"
    UNTRUSTED_INPUT = "untrusted_input"
    RELEVANCE = "relevance"
    COVERAGE = "coverage"
    CITATION_BINDING = "citation_binding"
    GROUNDEDNESS = "groundedness"
    CONFIDENCE = "confidence"
    BOUNDED_RETRY = "bounded_retry"
    FINAL_GATE = "final_gate"
    POLICY = "policy"
    RECORD = "record"
    RERANKER = "reranker"
    TOXICITY = "toxicity"


class Outcome(StrEnum):
    """What became of a control: it ran and passed or acted, it could not run, or was off."""

    PASSED = "passed"
    ACTED = "acted"
    FAILED_OPEN = "failed_open"
    FAILED_CLOSED = "failed_closed"
    SKIPPED = "skipped"


class TopicLabel(StrEnum):
    RELEVANT = "RELEVANT"
    IRRELEVANT = "IRRELEVANT"


class Level(StrEnum):
    """How sure a classifier is, in three steps."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class TopicVerdict(Value):
    """Is the standalone question ours? `score` is 0 to 1, higher means more on topic.

    `options` are up to three questions near this one, offered when the verdict is unsure.
    `restricted` has, by the name of a restricted category, how sure the classifier is that the
    question is of it, 0 to 1; the category's own threshold decides.
    """

    label: TopicLabel
    confidence: Level
    score: float | None = None
    reason: str = ""
    options: tuple[str, ...] = ()
    restricted: dict[str, float] = {}


class Clarity(StrEnum):
    """Can retrieval proceed? VAGUE only when nothing in the question can be looked up."""

    SPECIFIC = "SPECIFIC"
    VAGUE = "VAGUE"


class AmbiguityVerdict(Value):
    """Whether to ask back, and with which words; `options` are up to three ready answers."""

    label: Clarity
    question: str = ""
    options: tuple[str, ...] = ()
    reason: str = ""


class Intent(StrEnum):
    """What a person wants of the turn, as far as code can tell."""

    QUESTION = "question"
    FOLLOW_UP = "follow_up"
    GREETING = "greeting"
    CRISIS = "crisis"
    DOCUMENT = "document"
    LOOKUP = "lookup"
    ACTION = "action"


class Mode(StrEnum):
    """The tone and the checks of a turn; `guardrails.modes` says what each one skips."""

    STANDARD = "standard"
    DETAILED = "detailed"
    TASK = "task"
    DOCUMENT = "document"
    SUPPORTIVE = "supportive"
    CRISIS = "crisis"


class GradeLabel(StrEnum):
    """Does this text answer the question? SUPPORTS is related and useful, but no answer."""

    ANSWERS = "ANSWERS"
    SUPPORTS = "SUPPORTS"
    IRRELEVANT = "IRRELEVANT"
    UNGRADED = "UNGRADED"


class Grade(Value):
    """The verdict on one passage. `score` (0 to 1) is set by graders that have one."""

    label: GradeLabel
    reason: str = ""
    score: float | None = None


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


class Route(StrEnum):
    """The path of a turn: the first three are decided, all of them can be taken."""

    DIRECT = "direct"
    SINGLE_SHOT = "single_shot"
    ITERATIVE = "iterative"
    GREETING = "greeting"
    CRISIS = "crisis"
    OFF_TOPIC = "off_topic"
    CLARIFY = "clarify"
    BASIC = "basic"


class RouteGuess(Value):
    """What a router made of a query alone. `confidence` is 0 to 1."""

    route: Route
    confidence: float
    why: str = ""


class Basis(StrEnum):
    """What a claim rests on."""

    QUOTATION = "quotation"
    SOURCE = "source"
    CALCULATION = "calculation"
    INTERPOLATION = "interpolation"
    GENERAL_KNOWLEDGE = "general_knowledge"
    NONE = "none"


class Unheld(StrEnum):
    """What a claim names that no source holds, where that is counted by itself."""

    DEADLINE = "deadline"  # a date or a duration
    NAME = "name"  # of a programme, a plan, a law
    PARAGRAPH = "paragraph"  # a section's or a clause's number


class ClaimVerdict(Value):
    """One claim of a draft. `text` is its sentence; `label` has eight words at most, no figure.

    `supported` is None where nobody could say. `passages` are the numbers, from 1, of those that
    it rests on. A claim that the settings never flag says why in `exempt`, and is not counted.
    """

    text: str
    label: str
    basis: Basis
    supported: bool | None
    by: Literal["code", "judge", "person"]
    reason: str = ""
    passages: tuple[int, ...] = ()
    unheld: tuple[Unheld, ...] = ()
    exempt: str = ""


class Supports(StrEnum):
    """Does the cited passage carry the claim? UNCHECKED is never shown as a yes."""

    YES = "yes"
    NO = "no"
    UNCHECKED = "unchecked"
