"""Stand-ins for the golden set: topic, grades and rewrites are known beforehand.

The answer is written by the real model; every other call is counted as if a model had made
it, so that the arithmetic of the loop can be read off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from chat.contracts.events import ModelCall
from chat.contracts.passages import Passage
from chat.contracts.ports import LanguageModel, Reply
from chat.contracts.tasks import AnswerTask, CheckTask, Draft, Exchange, RewriteTask, Step, StepTask
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    ClaimVerdict,
    Grade,
    GradeLabel,
    Level,
    TopicLabel,
    TopicVerdict,
)
from chat.sample.loader import Golden

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldenModel:
    """Speaks for one golden question; `writer` writes the answer."""

    golden: Golden
    writer: LanguageModel
    name: str = "golden"
    prompts: str = "golden"

    @property
    def origin(self) -> str:
        """Whose stand-in speaks, for the setting of a tape."""
        return f"golden:{self.golden.id}"

    async def detect_greeting(self, text: str) -> Reply[bool]:
        return _reply(False, "router", "detect_greeting")

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]:
        return _reply(question, "router", "standalone")

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]:
        verdict = TopicVerdict(label=TopicLabel(self.golden.topic), confidence=Level.HIGH)
        return _reply(verdict, "router", "classify_topic")

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]:
        passes = passage.chunk in self.golden.answer_chunks
        label = GradeLabel.ANSWERS if passes else GradeLabel.IRRELEVANT
        return _reply(Grade(label=label, reason="golden label"), "grader", "grade")

    async def rewrite(self, task: RewriteTask) -> Reply[str]:
        return _reply(self.golden.rewrites[len(task.tried) - 1], "main", "rewrite")

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]:
        return await self.writer.detect_ambiguity(question, history)

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        return await self.writer.plan(question)

    async def next_step(self, task: StepTask) -> Reply[Step]:
        return await self.writer.next_step(task)

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[Draft]:
        return await self.writer.answer(task, write)

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        return await self.writer.check(task)

    async def aclose(self) -> None:
        """The writer is somebody else's to close."""


def _reply(value: T, role: Literal["main", "router", "grader"], purpose: str) -> Reply[T]:
    return Reply(value, ModelCall(role=role, purpose=purpose, model="golden"))
