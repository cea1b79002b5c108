"""A model that says what a test wrote down, and a clock that a test moves.

Both are small real classes: `ScriptedModel` is a `LanguageModel` like the adapters, counts
its calls in the same way, and remembers what it was asked.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from chat.contracts.events import ModelCall, Tokens
from chat.contracts.passages import Passage
from chat.contracts.ports import ModelFault, Reply
from chat.contracts.tasks import AnswerTask, CheckTask, Draft, Exchange, RewriteTask, Step, StepTask
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    Basis,
    ClaimVerdict,
    Clarity,
    Grade,
    GradeLabel,
    Level,
    TopicLabel,
    TopicVerdict,
)

WORDS = re.compile(r"\s*\S+\s*")  # the pieces in which an answer is streamed

Role = Literal["main", "router", "grader", "judge"]

ON_TOPIC = TopicVerdict(label=TopicLabel.RELEVANT, confidence=Level.HIGH)
OFF_TOPIC = TopicVerdict(label=TopicLabel.IRRELEVANT, confidence=Level.HIGH)
SPECIFIC = AmbiguityVerdict(label=Clarity.SPECIFIC)
VAGUE = AmbiguityVerdict(
    label=Clarity.VAGUE, question="What is it about?", options=("Refunds", "Backups")
)
ANSWERS = Grade(label=GradeLabel.ANSWERS)
SUPPORTS = Grade(label=GradeLabel.SUPPORTS)
IRRELEVANT = Grade(label=GradeLabel.IRRELEVANT)


class FixedClock:
    """Monotonic seconds that stand still until `move` is called."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True, slots=True)
class Fails:
    """The endpoint gives no answer. `after` is what it streams before it breaks off."""

    reason: str = "server_error"
    after: str = ""


@dataclass(frozen=True, slots=True)
class Raises:
    """A defect: something that no adapter may raise."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Hangs:
    """Never answers; only a time limit or a stop ends it."""


@dataclass(frozen=True, slots=True)
class Takes:
    """Answers after the clock has moved on by `seconds`; no test waits for it."""

    seconds: float
    value: Any


@dataclass(frozen=True, slots=True)
class Waits:
    """Answers when the test opens the gate. `first` is streamed before that."""

    gate: asyncio.Event
    value: Any
    first: str = ""


def held(claim: str) -> ClaimVerdict:
    """A judge's yes, resting on the first passage."""
    return ClaimVerdict(
        text=claim,
        label="what it says",
        basis=Basis.SOURCE,
        supported=True,
        by="judge",
        passages=(1,),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """One call as the model got it: the purpose, and what it was about."""

    purpose: str
    about: Any


Scripts = Sequence[Any]


@dataclass(slots=True)
class ScriptedModel:
    """A `LanguageModel` that answers from scripts, each entry once and the last for ever.

    An entry is a value or one of `Fails`, `Raises`, `Hangs`, `Takes`, `Waits`. `grades` maps a
    chunk to its scripts; a chunk that is not named is IRRELEVANT. An empty `standalones` gives
    the question back, and so does an empty `plans`. An answer is a text or a `Draft`. Every
    call uses `tokens` and costs `cost` US dollars.
    """

    greetings: Scripts = (False,)
    standalones: Scripts = ()
    topics: Scripts = (ON_TOPIC,)
    grades: Mapping[str, Any] = field(default_factory=dict)
    rewrites: Scripts = ("other words",)
    clarities: Scripts = (SPECIFIC,)
    plans: Scripts = ()
    steps: Scripts = (Step(confidence=1.0),)
    checks: Scripts = ((),)
    answers: Scripts = ("It says so in the handbook [1].",)
    clock: FixedClock = field(default_factory=FixedClock)
    tokens: Tokens = Tokens(input=100, output=10)
    cost: float = 0.001
    asked: list[Asked] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def prompts(self) -> str:
        return "scripted-1"

    def purposes(self) -> list[str]:
        """What was asked for, call by call."""
        return [asked.purpose for asked in self.asked]

    async def detect_greeting(self, text: str) -> Reply[bool]:
        return await self._say("detect_greeting", "router", text, self.greetings)

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]:
        scripts = self.standalones or (question,)
        return await self._say("standalone", "main", (question, tuple(history)), scripts)

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]:
        return await self._say("classify_topic", "router", question, self.topics)

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]:
        scripts = self.grades.get(passage.chunk, IRRELEVANT)
        about = (question, passage.chunk)
        return await self._say("grade", "grader", about, _as_scripts(scripts), key=passage.chunk)

    async def rewrite(self, task: RewriteTask) -> Reply[str]:
        return await self._say("rewrite", "main", task, self.rewrites)

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]:
        about = (question, tuple(history))
        return await self._say("detect_ambiguity", "router", about, self.clarities)

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        scripts = self.plans or ((question,),)
        return await self._say("plan", "router", question, scripts)

    async def next_step(self, task: StepTask) -> Reply[Step]:
        return await self._say("next_step", "main", task, self.steps)

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        """The script's verdicts for the first claims; the others rest on the first passage."""
        reply = await self._say("check", "judge", task, self.checks)
        if not isinstance(reply.value, tuple):
            return reply
        rest = tuple(held(claim) for claim in task.claims[len(reply.value) :])
        return Reply((*reply.value[: len(task.claims)], *rest), reply.call)

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[Draft]:
        entry = self._next("answer", task, self.answers)
        if isinstance(entry, Fails | Waits):
            write(entry.after if isinstance(entry, Fails) else entry.first)
        reply = await self._reply("answer", "main", entry)
        spoken = entry.first if isinstance(entry, Waits) else ""
        draft = reply.value if isinstance(reply.value, Draft) else Draft(text=reply.value)
        for word in WORDS.findall(draft.text[len(spoken) :]):
            write(word)
        return Reply(draft, reply.call)

    async def aclose(self) -> None:
        """There is nothing to let go of."""

    async def _say(
        self, purpose: str, role: Role, about: Any, scripts: Scripts, key: str = ""
    ) -> Reply[Any]:
        return await self._reply(purpose, role, self._next(purpose, about, scripts, key))

    def _next(self, purpose: str, about: Any, scripts: Scripts, key: str = "") -> Any:
        before = [a for a in self.asked if a.purpose == purpose and (not key or key == a.about[1])]
        self.asked.append(Asked(purpose, about))
        return scripts[min(len(before), len(scripts) - 1)]

    async def _reply(self, purpose: str, role: Role, entry: Any) -> Reply[Any]:
        match entry:
            case Raises():
                raise entry.error
            case Fails():
                raise ModelFault(entry.reason, self._call(purpose, role, "failed"))
            case Hangs():
                await asyncio.Event().wait()
            case Takes():
                self.clock.move(entry.seconds)
                return Reply(entry.value, self._call(purpose, role))
            case Waits():
                await entry.gate.wait()
                return Reply(entry.value, self._call(purpose, role))
        return Reply(entry, self._call(purpose, role))

    def _call(self, purpose: str, role: Role, outcome: Literal["ok", "failed"] = "ok") -> ModelCall:
        return ModelCall(
            role=role,
            purpose=purpose,
            model="scripted",
            prompt_version="1",
            tokens=self.tokens,
            cost=self.cost,
            ms=1.0,
            outcome=outcome,
        )


def _as_scripts(scripts: Any) -> Scripts:
    return scripts if isinstance(scripts, list | tuple) else (scripts,)
