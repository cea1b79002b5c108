"""Ports whose every call is heard first: by who records it, or by who knows it already.

`Hear` gets a call and the way to make it, and gives what the call gives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chat.contracts.passages import Hit, Passage, SearchResult
from chat.contracts.ports import LanguageModel, Reply, Router, Search, Toolbox
from chat.contracts.tasks import (
    AnswerTask,
    CheckTask,
    Draft,
    Exchange,
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
    RouteGuess,
    TopicVerdict,
)
from chat.taping.asked import PURPOSES, Asked
from chat.taping.setting import search_of

Write = Callable[[str], None]


class Hear(Protocol):
    """Takes a call. `make` makes it; `write` is what an answer is shown through."""

    async def __call__(
        self,
        asked: Asked,
        make: Callable[[Write | None], Awaitable[Any]],
        write: Write | None = None,
    ) -> Any: ...


@dataclass(frozen=True, slots=True)
class HeardModel:
    """A `LanguageModel` behind `hear`."""

    model: LanguageModel
    hear: Hear

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def prompts(self) -> str:
        return self.model.prompts

    @property
    def origin(self) -> str:
        return str(getattr(self.model, "origin", ""))

    def speaker(self, purpose: str) -> str:
        """Who is asked for a purpose: what a model says of its roles, or else its name."""
        speaker = getattr(type(self.model), "speaker", None)
        return self.name if speaker is None else str(speaker(self.model, purpose))

    async def detect_greeting(self, text: str) -> Reply[bool]:
        return await self._hear("detect_greeting", text=text)

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]:
        return await self._hear("standalone", question=question, history=history)

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]:
        return await self._hear("classify_topic", question=question)

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]:
        return await self._hear("detect_ambiguity", question=question, history=history)

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        return await self._hear("plan", question=question)

    async def next_step(self, task: StepTask) -> Reply[Step]:
        return await self._hear("next_step", task=task)

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]:
        return await self._hear("grade", question=question, passage=passage)

    async def rewrite(self, task: RewriteTask) -> Reply[str]:
        return await self._hear("rewrite", task=task)

    async def answer(self, task: AnswerTask, write: Write) -> Reply[Draft]:
        async def make(shown: Write | None) -> Reply[Draft]:
            return await self.model.answer(task, shown or write)

        reply: Reply[Draft] = await self.hear(self._asked("answer", {"task": task}), make, write)
        return reply

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        return await self._hear("check", task=task)

    async def aclose(self) -> None:
        await self.model.aclose()

    async def _hear(self, method: str, **inputs: Any) -> Any:
        async def make(_write: Write | None) -> Any:
            return await getattr(self.model, method)(*inputs.values())

        return await self.hear(self._asked(method, inputs), make)

    def _asked(self, method: str, inputs: dict[str, Any]) -> Asked:
        purpose = PURPOSES[method]
        identity = (self.speaker(purpose),)
        return Asked("model", method, purpose, inputs, identity, self.prompts)


@dataclass(frozen=True, slots=True)
class HeardSearch:
    """A `Search` behind `hear`."""

    given: Search
    hear: Hear

    @property
    def mode(self) -> Any:
        return getattr(self.given, "mode", "")

    @property
    def threshold(self) -> Any:
        return getattr(self.given, "threshold", None)

    @property
    def collection(self) -> Any:
        return getattr(self.given, "collection", "")

    async def search(self, query: str, limit: int) -> SearchResult:
        found: SearchResult = await self._hear("search", query=query, limit=limit)
        return found

    async def neighbours(self, chunks: Sequence[str]) -> tuple[Passage, ...]:
        found: tuple[Passage, ...] = await self._hear("neighbours", chunks=chunks)
        return found

    async def terms(self, query: str, hits: Sequence[Hit], limit: int) -> tuple[str, ...]:
        found: tuple[str, ...] = await self._hear("terms", query=query, hits=hits, limit=limit)
        return found

    async def drift(self, before: str, after: str) -> float | None:
        found: float | None = await self._hear("drift", before=before, after=after)
        return found

    async def _hear(self, method: str, **inputs: Any) -> Any:
        async def make(_write: Write | None) -> Any:
            return await getattr(self.given, method)(*inputs.values())

        identity = tuple(search_of(self.given).items())
        return await self.hear(Asked("search", method, method, inputs, identity), make)


@dataclass(frozen=True, slots=True)
class HeardRouter:
    """A `Router` behind `hear`."""

    router: Router
    hear: Hear

    async def version(self) -> str:
        """Which training decides, where the router tells."""
        version = getattr(type(self.router), "version", None)
        return "" if version is None else str(await version(self.router))

    async def route(self, query: str) -> RouteGuess:
        async def make(_write: Write | None) -> RouteGuess:
            return await self.router.route(query)

        identity = (await self.version(),)
        asked = Asked("router", "route", "route", {"query": query}, identity)
        guess: RouteGuess = await self.hear(asked, make)
        return guess


@dataclass(frozen=True, slots=True)
class HeardTools:
    """A `Toolbox` behind `hear`. Whether there was a key is an input, which key it was is not."""

    tools: Toolbox
    hear: Hear

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return self.tools.specs

    def summary(self, call: ToolCall) -> str:
        return self.tools.summary(call)

    def problem(self, call: ToolCall) -> str:
        return self.tools.problem(call)

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        async def make(_write: Write | None) -> ToolResult:
            return await self.tools.run(call, key)

        inputs = {"call": call, "confirmed": bool(key)}
        result: ToolResult = await self.hear(Asked("tool", "run", call.tool, inputs), make)
        return result.model_copy(update={"call": call})
