"""The offline model: embeddings and the documents' own words decide; no key, no network, no chance.

Each method puts the rules of `chat.adapters.offline` to work in a thread, so that the event loop
stays free, and gives its verdict with a call that cost nothing. Answers are streamed word by
word, so that a person sees them grow and can stop them.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from chat.adapters.offline import (
    answering,
    asking,
    checking,
    followup,
    grading,
    greetings,
    rewriting,
    smalltalk,
    stepping,
)
from chat.adapters.offline.corpus import Corpus, Documents, Embedder
from chat.adapters.offline.reading import Memory, Reader
from chat.adapters.offline.restricted import RestrictedJudge
from chat.adapters.offline.topic import Examples, TopicJudge
from chat.contracts.events import ModelCall
from chat.contracts.passages import Passage
from chat.contracts.ports import Reply
from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.tasks import AnswerTask, CheckTask, Draft, Exchange, RewriteTask, Step, StepTask
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    ClaimVerdict,
    Grade,
    Level,
    TopicLabel,
    TopicVerdict,
)
from chat.guardrails.questions.parts import parts

T = TypeVar("T")

NAME = checking.NAME
RULES = "rules-5"  # raised when a rule or a weight changes what is answered
PACE = 0.018  # seconds between two words: about 55 a second, quick reading that can be stopped

SMALL_TALK = TopicVerdict(
    label=TopicLabel.RELEVANT, confidence=Level.HIGH, score=1.0, reason="small talk"
)
_WORD = re.compile(r"\s*\S+\s*")


@dataclass(frozen=True)
class _Knowledge:
    """What is known of one state of the documents."""

    documents: Documents
    reader: Reader
    topic: TopicJudge
    restricted: RestrictedJudge
    headings: asking.Headings


class OfflineModel:
    """A `LanguageModel` on this machine; safe to share between turns.

    `examples` teach the topic, `categories` what is not answered; `corpus` gives the documents, and
    `pace` is in seconds between two words of an answer.
    """

    LINE: ClassVar[str] = (
        "Answers are put together by the offline model from the handbook's own sentences."
    )

    def __init__(
        self,
        embedder: Embedder,
        examples: Examples,
        corpus: Corpus,
        *,
        categories: Sequence[RestrictedCategory] = (),
        pace: float = PACE,
    ) -> None:
        self._memory = Memory(embedder)
        self._examples = examples
        self._categories = tuple(categories)
        self._corpus = corpus
        self._pace = pace
        self._known: _Knowledge | None = None
        self._learning = threading.Lock()

    @property
    def name(self) -> str:
        return NAME

    @property
    def prompts(self) -> str:
        """It has rules where others have prompts."""
        return RULES

    def speaker(self, purpose: str) -> str:
        """Its name, and for the topic by which rules of the owner it goes."""
        if purpose != "topic":
            return NAME
        return f"{NAME}, {hashlib.sha256(repr(self._categories).encode()).hexdigest()[:12]}"

    def prepare(self) -> None:
        """Learn the documents now, so that no question waits for it. Called off the loop."""
        self._knowledge()

    async def detect_greeting(self, text: str) -> Reply[bool]:
        """Does the text only greet, thank or take leave?"""
        return await _reply(
            "router", "detect_greeting", lambda: greetings.greets(text, self._reader())
        )

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Reply[str]:
        """The question as it would be typed without the earlier ones.

        "Thank you, that was nice" points at nothing that could be looked up.
        """

        def work() -> str:
            if smalltalk.is_small_talk(question):
                return question
            return followup.standalone(question, history, self._memory)

        return await _reply("main", "standalone", work)

    async def classify_topic(self, question: str) -> Reply[TopicVerdict]:
        """Is the question ours? The score is comparable between questions."""

        def work() -> TopicVerdict:
            if smalltalk.is_small_talk(question):
                return SMALL_TALK
            known = self._knowledge()
            asked = known.reader.question(question)
            verdict = known.topic.verdict(asked)
            more: dict[str, Any] = {"restricted": known.restricted.scores(asked.vector)}
            if verdict.confidence is Level.LOW:
                more["options"] = known.headings.near(asked.vector)
            return verdict.model_copy(update=more)

        return await _reply("router", "classify_topic", work)

    async def detect_ambiguity(
        self, question: str, history: Sequence[Exchange]
    ) -> Reply[AmbiguityVerdict]:
        """Is there a word in the question that can be looked up?"""

        def work() -> AmbiguityVerdict:
            known = self._known or self._knowledge()
            return asking.ambiguity(
                known.reader.question(question),
                history,
                known.reader,
                known.documents,
                known.headings,
            )

        return await _reply("router", "detect_ambiguity", work)

    async def plan(self, question: str) -> Reply[tuple[str, ...]]:
        """The parts that the question asks for."""
        return await _reply("router", "plan", lambda: parts(question))

    async def next_step(self, task: StepTask) -> Reply[Step]:
        """Search what is missing; answer once nothing is."""
        return await _reply("main", "next_step", lambda: stepping.next_step(task, self._reader()))

    async def grade(self, question: str, passage: Passage) -> Reply[Grade]:
        """Does the passage hold what the question asks for? The score is 0 to 1."""

        def work() -> Grade:
            reader = self._reader()
            return grading.grade(reader, reader.question(question), reader.passage(passage))

        return await _reply("grader", "grade", work)

    async def rewrite(self, task: RewriteTask) -> Reply[str]:
        """A query of at most 19 words that was not tried yet."""
        return await _reply("main", "rewrite", lambda: rewriting.rewrite(task, self._reader()))

    async def check(self, task: CheckTask) -> Reply[tuple[ClaimVerdict, ...]]:
        """Each claim that code left open, held against the passages."""
        reply = await _reply("judge", "check", lambda: checking.check(task, self._reader()))
        said = reply.call.model_copy(update={"prompt_version": checking.VERSION})
        return Reply(reply.value, said)

    def support(self, task: CheckTask) -> tuple[float, ...]:
        """What `check` goes by, 0 to 1 for each claim, for measurements. Called off the loop."""
        return checking.support(task, self._reader())

    async def answer(self, task: AnswerTask, write: Callable[[str], None]) -> Reply[Draft]:
        """The answer whole, after it was written word by word; or the tools to call first."""
        started = time.perf_counter()
        draft = await asyncio.to_thread(lambda: answering.draft(task, self._reader()))
        for word in _WORD.findall(draft.text):
            write(word)
            await asyncio.sleep(self._pace)
        return Reply(draft, _call("main", "answer", started))

    def _reader(self) -> Reader:
        """The reader as it was for the topic: the documents are looked at once a turn."""
        return (self._known or self._knowledge()).reader

    async def aclose(self) -> None:
        """There is nothing to let go of."""

    def _knowledge(self) -> _Knowledge:
        """What is known of the documents as they are now; learnt anew when they changed."""
        documents = self._corpus.documents()
        with self._learning:
            if self._known is None or self._known.documents.stamp != documents.stamp:
                self._known = self._learn(documents)
            return self._known

    def _learn(self, documents: Documents) -> _Knowledge:
        reader = Reader(self._memory, documents)
        judge = TopicJudge(self._memory, self._examples, documents)
        headings = asking.Headings(self._memory, documents)
        restricted = self._known.restricted if self._known else self._learn_restricted()
        return _Knowledge(documents, reader, judge, restricted, headings)

    def _learn_restricted(self) -> RestrictedJudge:
        """Learnt once: what may not be answered does not change with the documents."""
        others = (*self._examples.on_topic, *self._examples.off_topic)
        return RestrictedJudge(self._memory, self._categories, others)


Role = Literal["main", "router", "grader", "judge"]


async def _reply(role: Role, purpose: str, work: Callable[[], T]) -> Reply[T]:
    started = time.perf_counter()
    value = await asyncio.to_thread(work)
    return Reply(value, _call(role, purpose, started))


def _call(role: Role, purpose: str, started: float) -> ModelCall:
    ms = (time.perf_counter() - started) * 1000
    return ModelCall(role=role, purpose=purpose, model=NAME, prompt_version=RULES, ms=ms)
