"""What the agent needs from outside, in its own words: models, search, clock, writer.

A node gets one `Ports` value and nothing else. Adapters implement these protocols; tests
hand in small real classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from chat.contracts.events import ModelCall
from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.verdicts import Grade, TopicVerdict, Value

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


class Exchange(Value):
    """One earlier question of the conversation and the answer that passed its checks."""

    question: str
    answer: str


class RewriteTask(Value):
    """Everything a rewrite may look at. Queries in `tried` must not come again.

    `terms` are the documents' own words near the question, best first; `avoid` holds words
    that brought nothing new.
    """

    question: str
    tried: tuple[str, ...]
    hits: tuple[Hit, ...]
    terms: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


class AnswerTask(Value):
    """What an answer is written from. Passages are cited as [1], [2] in this order."""

    question: str
    history: tuple[Exchange, ...] = ()
    passages: tuple[Passage, ...]
    gaps: tuple[str, ...] = ()


class LanguageModel(Protocol):
    """The model behind the agent. Every method may raise `ModelFault`, and nothing else."""

    @property
    def name(self) -> str:
        """What the page says of who speaks."""
        ...

    async def detect_greeting(self, text: str) -> Reply[bool]: ...

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]: ...

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]: ...

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]: ...

    async def rewrite(self, task: RewriteTask) -> Reply[str]: ...

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[str]:
        """Stream the answer through `write` and give it whole at the end."""
        ...

    async def aclose(self) -> None:
        """Let go of connections, once nothing runs any more."""
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
    examples: tuple[str, ...] = ()
    covers: str = ""


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything from outside that a node may use. `clock` gives monotonic seconds."""

    model: LanguageModel
    search: Search
    clock: Callable[[], float]
    write: Callable[[str], None]
    settings: AgentSettings = field(default_factory=AgentSettings)
