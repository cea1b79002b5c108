"""The language model behind any endpoint that speaks the OpenAI API.

Chooses prompt, model and shape for each task of the port, and accounts for every call,
failed ones included. Knows no Django: settings come in as one value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args
from urllib.parse import urlsplit

import httpx2

from chat.adapters import openai_steps, shapes, task_shapes
from chat.adapters.check_shape import check_of
from chat.adapters.openai_client import Client, Target, Timing
from chat.adapters.openai_faults import Failed
from chat.adapters.openai_request import request_of
from chat.adapters.openai_transport import MergingTransport
from chat.adapters.openai_usage import Meter, Prices, cost
from chat.adapters.structured import Mode, Structured
from chat.agent.prompts import (
    ambiguity,
    answer,
    check,
    grading,
    greeting,
    plan,
    rewrite,
    standalone,
    step,
    topic,
)
from chat.agent.prompts.parts import Prompt
from chat.agent.prompts.versions import line, worded
from chat.contracts.events import ModelCall
from chat.contracts.passages import Passage
from chat.contracts.ports import ModelFault, Reply
from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.tasks import (
    AnswerTask,
    CheckTask,
    Draft,
    Exchange,
    PromptWords,
    RewriteTask,
    Step,
    StepTask,
    ToolCall,
)
from chat.contracts.verdicts import AmbiguityVerdict, ClaimVerdict, Grade, TopicVerdict

T = TypeVar("T")
Role = Literal["main", "router", "grader", "judge"]
Outcome = Literal["ok", "repaired", "invalid", "timeout", "failed", "cancelled"]

ROLE_OF: Mapping[str, Role] = {
    **dict.fromkeys(("greeting", "standalone", "topic", "ambiguity", "plan"), "router"),
    **dict.fromkeys(("step", "rewrite", "answer"), "main"),
    "grade": "grader",
    "check": "judge",
}
"""Which model answers for a purpose."""

OPENAI = "https://api.openai.com/v1"

_SENTENCE_END = re.compile(r"[.!?](?:\s?\[\d+\])*(?=\s|$)")


@dataclass(frozen=True, slots=True)
class OpenAiSettings:
    """The endpoint and its models; an empty role uses `main`, an empty `base_url` OpenAI.

    `timeout_ms` bounds a whole structured reply, and of a stream the time to the first token
    and between tokens. `prices` are US dollars per million tokens, by model: input,
    cached_input, output. `covers` describes the scope of the chat, `categories` the questions that
    are not answered. `mode` fixes the way to structured output; None finds it by a probe.
    """

    main: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    router: str = ""
    grader: str = ""
    judge: str = ""
    timeout_ms: int = 10_000
    prices: Prices = field(default_factory=dict)
    covers: str = ""
    categories: tuple[RestrictedCategory, ...] = ()
    mode: Mode | None = None

    def model(self, role: Role) -> str:
        """The model's name for a role."""
        named = {"router": self.router, "grader": self.grader, "judge": self.judge}
        return named.get(role) or self.main


class OpenAiModel:
    """The port `LanguageModel`. One value serves all turns of a process."""

    def __init__(
        self,
        settings: OpenAiSettings,
        *,
        timing: Timing | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._settings = settings
        self._timing = timing or Timing()
        target = Target(
            base_url=settings.base_url or OPENAI,
            models=frozenset(settings.model(role) for role in get_args(Role)),
            timeout=settings.timeout_ms / 1000,
            api_key=settings.api_key,
        )
        self._client = Client(target, transport or MergingTransport(), self._timing)
        self._structured = Structured(self._client, settings.mode)
        self._words: dict[str, PromptWords] = {}

    @property
    def name(self) -> str:
        return f"{self._settings.main} at {self._host}"

    @property
    def _host(self) -> str | None:
        return urlsplit(self._settings.base_url or OPENAI).hostname

    @property
    def prompts(self) -> str:
        return line(self._words)

    def speaker(self, purpose: str) -> str:
        """Which model answers for a purpose, and for the topic by which scope it goes."""
        said = f"{self._settings.model(ROLE_OF[purpose])} at {self._host}"
        if purpose != "topic":
            return said
        scope = topic.prompt("", self._settings.covers, self._settings.categories).system
        return f"{said}, {hashlib.sha256(scope.encode()).hexdigest()[:12]}"

    def with_prompts(self, words: Mapping[str, PromptWords]) -> OpenAiModel:
        """The same endpoint and connections, with other rules for the purposes of `words`."""
        other = copy(self)
        other._words = dict(words)
        return other

    async def aclose(self) -> None:
        """Close the connections, once nothing runs any more."""
        await self._client.aclose()

    async def detect_greeting(self, text: str) -> Reply[bool]:
        return await self._ask("greeting", greeting.prompt(text), shapes.GREETING)

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]:
        prompt = standalone.prompt(question, history)
        return await self._ask("standalone", prompt, shapes.STANDALONE)

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]:
        categories = self._settings.categories
        prompt = topic.prompt(question, self._settings.covers, categories)
        shape = shapes.topic_of([category.name for category in categories])
        return await self._ask("topic", prompt, shape)

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]:
        prompt = ambiguity.prompt(question, history)
        return await self._ask("ambiguity", prompt, task_shapes.AMBIGUITY)

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        shape = task_shapes.plan_of(question)
        return await self._ask("plan", plan.prompt(question), shape)

    async def next_step(self, task: StepTask) -> Reply[Step]:
        """The search is offered as a tool; queries of several calls come as one step."""
        model = self._settings.model("main")

        async def work(meter: Meter) -> Step:
            return await openai_steps.next_step(self._client, self._structured, model, task, meter)

        return await self._accounted("main", "step", step.by_tool(task), work)

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        return await self._ask("check", check.prompt(task), check_of(task))

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]:
        prompt = grading.prompt(question, passage)
        return await self._ask("grade", prompt, shapes.GRADE)

    async def rewrite(self, task: RewriteTask) -> Reply[str]:
        return await self._ask("rewrite", rewrite.prompt(task), shapes.rewrite_of(task))

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[Draft]:
        """Streams through `write`, one call a merged chunk.

        The text is what was written, but for a reply that the model's own length limit cut
        short: that one ends with its last whole sentence, since half a figure is a wrong one.
        Text may stand before tool calls too, and has been written then.
        """
        model = self._settings.model("main")
        prompt = worded(answer.prompt(task), self._words)
        offered = task.tools if self._may_call(model) else ()

        async def work(meter: Meter) -> Draft:
            texts: list[str] = []
            calls: list[ToolCall] = []
            request = replace(request_of(model, prompt), tools=offered)
            async with aclosing(self._client.stream(request, meter)) as stream:
                async for piece in stream:
                    if isinstance(piece, ToolCall):
                        calls.append(piece)
                        continue
                    texts.append(piece)
                    write(piece)
            return _draft("".join(texts), calls if offered else [], meter)

        return await self._accounted("main", "answer", prompt, work)

    def _may_call(self, model: str) -> bool:
        """Whether the model may have tools, as far as is known: an answer waits for no probe."""
        known = self._structured.known(model)
        return known not in openai_steps.TOOLLESS and self._client.takes_tools(model)

    async def _ask(self, purpose: str, prompt: Prompt, shape: shapes.Shape[T]) -> Reply[T]:
        role = ROLE_OF[purpose]
        model, said = self._settings.model(role), worded(prompt, self._words)

        async def work(meter: Meter) -> T:
            return await self._structured.ask(model, said, shape, meter)

        return await self._accounted(role, purpose, said, work)

    async def _accounted(
        self, role: Role, purpose: str, prompt: Prompt, work: Callable[[Meter], Awaitable[T]]
    ) -> Reply[T]:
        """The work's value with its call; a failure with the same account of it."""
        model, meter, start = self._settings.model(role), Meter(), self._timing.clock()

        def call(outcome: Outcome) -> ModelCall:
            return ModelCall(
                role=role,
                purpose=purpose,
                model=model,
                prompt_version=prompt.version,
                tokens=meter.tokens,
                cost=cost(meter.tokens, model, self._settings.prices),
                ms=(self._timing.clock() - start) * 1000,
                outcome=outcome,
            )

        try:
            value = await work(meter)
        except Failed as failed:
            raise ModelFault(failed.reason, call(_outcome(failed))) from failed
        return Reply(value, call("repaired" if meter.repaired else "ok"))


def _outcome(failed: Failed) -> Outcome:
    outcomes: dict[str, Outcome] = {"timeout": "timeout", "invalid": "invalid"}
    return outcomes.get(failed.reason, "failed")


def _draft(text: str, calls: Sequence[ToolCall], meter: Meter) -> Draft:
    """Raises `Failed` if there is nothing in it."""
    if not text and not calls:  # it called for a tool although it was offered none
        raise Failed("invalid")
    whole = _whole_sentences(text) if meter.cut_short and not calls else text
    return Draft(text=whole, calls=tuple(calls))


def _whole_sentences(text: str) -> str:
    """The text up to its last whole sentence. Raises `Failed` if it has none."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if not ends:
        raise Failed("cut_stream")
    return text[: ends[-1]]
