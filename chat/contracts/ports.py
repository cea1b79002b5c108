"""What the agent needs from outside, in its own words: models, search, tools, a person, a clock.

A node gets one `Ports` value and nothing else. Adapters implement these protocols; tests
hand in small real classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, runtime_checkable

from chat.contracts.events import ModelCall
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.site_rules import SiteRules
from chat.contracts.tasks import (
    AnswerTask,
    CheckTask,
    Draft,
    Exchange,
    Image,
    Pause,
    PauseReply,
    PromptWords,
    RewriteTask,
    Step,
    StepTask,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    ClaimVerdict,
    Grade,
    Route,
    RouteGuess,
    TopicVerdict,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What a model said, and the call that it took."""

    value: T
    call: ModelCall


class ModelFault(Exception):
    """A model gave no usable answer. `call` is the failed call, so that it is counted.

    `reason` is a stable word: timeout, rate_limited, server_error, cut_stream, invalid,
    refused, unreachable.
    """

    def __init__(self, reason: str, call: ModelCall) -> None:
        self.reason = reason
        self.call = call
        super().__init__(reason)


class LanguageModel(Protocol):
    """The model behind the agent. Every method may raise `ModelFault`, and nothing else."""

    @property
    def name(self) -> str:
        """What the page says of who speaks."""
        ...

    @property
    def prompts(self) -> str:
        """Every prompt's version in one line, so that a change of one is seen."""
        ...

    async def detect_greeting(self, text: str) -> Reply[bool]: ...

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]: ...

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]: ...

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]: ...

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        """The parts of a question, each a question of its own; one part stays whole."""
        ...

    async def next_step(self, task: StepTask) -> Reply[Step]: ...

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]: ...

    async def rewrite(self, task: RewriteTask) -> Reply[str]: ...

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[Draft]:
        """Stream the answer through `write` and give it whole at the end."""
        ...

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        """One verdict for each claim of the task, in its order, each held against the passages."""
        ...

    async def aclose(self) -> None:
        """Let go of connections, once nothing runs any more."""
        ...


@runtime_checkable
class TakesPrompts(Protocol):
    """A model whose rules can be put in other words."""

    def with_prompts(self, words: Mapping[str, PromptWords]) -> LanguageModel:
        """The same model, with other rules for the purposes that `words` names."""
        ...


class Search(Protocol):
    """The index. Raises `SearchFailed`."""

    async def search(self, query: str, limit: int) -> SearchResult: ...

    async def neighbours(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        """The passages just before and after the given ones in their documents."""
        ...

    async def terms(self, query: str, hits: Sequence[Hit], limit: int) -> tuple[str, ...]:
        """Words of the documents that lie near the query, best first."""
        ...

    async def drift(self, before: str, after: str) -> float | None:
        """Cosine distance between two queries, 0 to 2; None without an embedder."""
        ...


class Router(Protocol):
    """Chooses a path on the query alone. May raise anything; the caller has a time limit."""

    async def route(self, query: str) -> RouteGuess: ...


class Toolbox(Protocol):
    """The tools of a site. `run` never raises: what went wrong is the result's `problem`."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def summary(self, call: ToolCall) -> str:
        """What the call would do, in a customer's words, from its arguments alone."""
        ...

    def problem(self, call: ToolCall) -> str:
        """`unknown_tool`, `bad_arguments`, or empty for a call that can be run."""
        ...

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        """Do it. A second run with the same non-empty `key` has no second effect."""
        ...


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How one turn is run. Counts are per turn, times in milliseconds, cost in US dollars.

    `check_order` is `evidence` (a passing chunk wins over a used-up bound) or `budget`, the
    counter-example that the lab shows.
    """

    agentic: bool = True
    max_rewrites: int = 2
    top_k: int = 6
    relevance_threshold: float = 0.15
    min_docs: int = 1
    check_order: str = "evidence"
    topic_check: bool = True
    greeting_check: bool = True
    no_progress_stop: bool = True
    neighbours: bool = True
    max_passes: int = 6
    token_budget: int = 60_000
    cost_budget: float = 0.25
    wall_clock_ms: int = 60_000
    control_timeout_ms: int = 10_000
    ambiguity_check: bool = True
    planning: bool = True
    grounding_check: bool = True
    max_corrections: int = 1
    max_clarifications: int = 2
    pinned_route: Route | None = None
    route_threshold: float = 0.62
    direct_threshold: float = 0.85
    router_timeout_ms: int = 1_000
    final_floor: float = 0.3
    contacts: str = ""
    examples: tuple[str, ...] = ()
    covers: str = ""
    site: SiteRules = SiteRules()


def nobody_answers(_pause: Pause) -> PauseReply:
    """The person's reply where nobody can be asked."""
    return PauseReply(expired=True)


class NoTools:
    """A site without tools."""

    specs: tuple[ToolSpec, ...] = ()

    def summary(self, call: ToolCall) -> str:
        return call.tool

    def problem(self, call: ToolCall) -> str:
        return "unknown_tool"

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        return ToolResult(call=call, text="There is no such tool.", problem="unknown_tool")


class OneShot:
    """The router of a site that has none: everything is searched once."""

    async def route(self, query: str) -> RouteGuess:
        return RouteGuess(route=Route.SINGLE_SHOT, confidence=1.0, why="there is no router")


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything from outside that a node may use. `clock` gives monotonic seconds.

    `ask` gives the person's reply to a pause, however long that takes; one call a node, with
    nothing that has an effect before it. `images` came with the question.
    """

    model: LanguageModel
    search: Search
    clock: Callable[[], float]
    write: Callable[[str], None]
    settings: AgentSettings = field(default_factory=AgentSettings)
    router: Router = field(default_factory=OneShot)
    tools: Toolbox = field(default_factory=NoTools)
    ask: Callable[[Pause], PauseReply] = nobody_answers
    images: tuple[Image, ...] = ()
