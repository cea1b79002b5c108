"""Turns as a site has them, for a store of many: how they go and what their events say. Pure.

Each story is told anew with other times, sections and questions; rows repeat the told ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from chat.contracts.events import (
    Answer,
    Body,
    Decision,
    Event,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    TurnFinished,
    TurnStarted,
    Verdicts,
)
from chat.contracts.passages import Citation
from chat.contracts.turn_facts import facts_of, finished
from chat.contracts.verdicts import Confidence, Control, Outcome, Route, Supports, Termination

NOBODY = UUID(int=0)
START = datetime(2026, 1, 1, tzinfo=UTC)
MODEL = "large-1"
HITS = 6
SECTIONS = tuple(
    f"{slug}#{part}"
    for slug in "apps billing cancelling incidents network pricing refunds regions security".split()
    for part in "overview limits timing steps exceptions".split()
)
THINGS = "invoice backup domain snapshot volume certificate gateway region node token".split()
ASKS = (
    "How do I change the {0} of my {1}?",
    "Why was my {0} charged twice in {1}?",
    "Is there a limit on {0} per {1}?",
    "Can I move a {0} to another {1} without downtime?",
    "My {0} shows an error after I renewed the {1}, what now?",
)
PASSAGE = "Changes reach every machine within 5 to 10 minutes after they were approved. " * 3


@dataclass(frozen=True, slots=True)
class Story:
    """How a turn goes. `finds` says of each pass whether it lets something in."""

    name: str
    weight: float
    route: Route
    end: Termination
    finds: tuple[bool, ...] = ()
    gaps: int = 0


STORIES = (
    Story("first", 44, Route.SINGLE_SHOT, Termination.ANSWERED, (True,)),
    Story("rescued", 8, Route.SINGLE_SHOT, Termination.ANSWERED, (False, True)),
    Story("rescued late", 2, Route.ITERATIVE, Termination.ANSWERED, (False, False, True)),
    Story("improved", 5, Route.ITERATIVE, Termination.ANSWERED, (True, True)),
    Story("gap", 5, Route.SINGLE_SHOT, Termination.ANSWERED_WITH_CAVEAT, (True, False), 1),
    Story("nothing", 7, Route.SINGLE_SHOT, Termination.NO_EVIDENCE, (False, False, False)),
    Story("no progress", 2, Route.SINGLE_SHOT, Termination.NO_PROGRESS, (False, False)),
    Story("off topic", 7, Route.OFF_TOPIC, Termination.OFF_TOPIC),
    Story("restricted", 2, Route.OFF_TOPIC, Termination.RESTRICTED),
    Story("greeting", 6, Route.GREETING, Termination.GREETED),
    Story("direct", 7, Route.DIRECT, Termination.ANSWERED),
    Story("expired", 3, Route.CLARIFY, Termination.CLARIFICATION_EXPIRED),
    Story("stopped", 1, Route.SINGLE_SHOT, Termination.USER_STOP, (True,)),
    Story("slow", 1, Route.ITERATIVE, Termination.TIME_CAP, (False, False)),
)


@dataclass(frozen=True, slots=True)
class Told:
    """A turn that was told: its question, its events from `START` on, its facts."""

    story: Story
    question: str
    events: tuple[Event, ...]
    facts: Mapping[str, Any]

    @property
    def end(self) -> TurnFinished:
        last = self.events[-1].body
        assert isinstance(last, TurnFinished)
        return last


class Teller:
    """Tells one turn. `random` decides times and what is asked."""

    def __init__(self, story: Story, chance: random.Random) -> None:
        self.story, self.chance = story, chance
        self.now = START
        self.events: list[Event] = []
        words = chance.sample(THINGS, 2)
        self.question = chance.choice(ASKS).format(*words)
        self.items = [self.question, f"the price of a {words[0]}"][: 1 + (story.gaps > 0)]
        self.accepted: list[str] = []

    def told(self) -> Told:
        self._intake()
        if self.story.route not in (Route.OFF_TOPIC, Route.GREETING, Route.CLARIFY):
            for number, finds in enumerate(self.story.finds, start=1):
                self._pass(number, finds)
            self._writing()
        self._ending()
        return Told(self.story, self.question, tuple(self.events), facts_of(self.events, {}))

    def _tell(self, *bodies: Body) -> None:
        for body in bodies:
            self.now += timedelta(milliseconds=1)
            self.events.append(Event(NOBODY, len(self.events) + 1, self.now, body))

    def _stay(self, node: str, ms: float, *bodies: Body) -> None:
        took = round(self.chance.lognormvariate(0, 0.5) * ms, 2)
        self._tell(Stage(node=node, phase="enter", label="Working"), *bodies)
        self.now += timedelta(milliseconds=took)
        self._tell(Stage(node=node, phase="leave", label="Working", ms=took))

    def _intake(self) -> None:
        self._tell(TurnStarted(question=self.question, message=NOBODY, kind="ask"))
        self._stay("screen_input", 1, self._ran(Control.REDACTION))
        if self.story.route is Route.GREETING:
            return
        scope = self._ran(Control.SCOPE, acted=self.story.route is Route.OFF_TOPIC)
        self._stay("validate_topic", 300, self._call("router", "topic", 320, 12), scope)
        if self.story.route is Route.OFF_TOPIC:
            return
        self._stay("detect_ambiguity", 250, self._call("router", "ambiguity", 280, 10))
        self._tell(QuestionRead(standalone=self.question, items=tuple(self.items)))
        route = Route.SINGLE_SHOT if self.story.route is Route.CLARIFY else self.story.route
        self._tell(RouteTaken(decided=route, confidence=0.7, taken=route, why="one item"))

    def _pass(self, number: int, finds: bool) -> None:
        if number > 1:
            change = {"pass": number - 1, "before": self.question, "drift": 0.2}
            after = f"{self.question} {self.chance.choice(THINGS)} handbook"
            rewrite = Rewrite.model_validate({**change, "after": after})
            self._stay("optimize_query", 700, self._call("main", "rewrite", 600, 30), rewrite)
        chunks = self.chance.sample(SECTIONS, HITS)
        hits = [self._hit(chunk, place) for place, chunk in enumerate(chunks)]
        found = {"pass": number, "query": self.question, "asked": HITS, "hits": hits, "ms": 9.0}
        self._stay("retrieve", 12, Retrieval.model_validate(found))
        self.accepted += chunks[:1] if finds else []
        grades = [self._call("grader", "grade", 420, 25) for _ in range(3)]
        self._stay("assess_relevance", 600, *grades, *self._graded(number, chunks, finds))

    def _graded(self, number: int, chunks: Sequence[str], finds: bool) -> tuple[Body, ...]:
        labels = ["ANSWERS" if finds and not place else "IRRELEVANT" for place in range(HITS)]
        told = [
            {"chunk": chunk, "label": label, "reason": "it is about something else"}
            for chunk, label in zip(chunks, labels, strict=True)
        ]
        covered = {item: bool(self.accepted) and not place for place, item in enumerate(self.items)}
        verdicts = Verdicts.model_validate({"pass": number, "chunks": told, "covered": covered})
        as_labels = dict.fromkeys(self.accepted, "ANSWERS")
        diff = StateDiff(node="assess_relevance", changed={"accepted_as": as_labels})
        return diff, verdicts, self._ran(Control.RELEVANCE, acted=True)

    def _writing(self) -> None:
        if self.story.end not in (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT):
            return
        text = PASSAGE[:160]
        draft = [Token(offset=at, text=text[at : at + 40]) for at in range(0, 160, 40)]
        self._stay("generate_response", 1500, self._call("main", "answer", 1800, 160), *draft)
        judge = self._call("judge", "check", 900, 60)
        self._stay("check_grounding", 900, judge, self._ran(Control.GROUNDEDNESS, risky=True))
        bound = self._ran(Control.CITATION_BINDING), self._ran(Control.CONFIDENCE)
        self._stay("finish_answer", 2, *bound)
        gaps = tuple(self.items[1:])
        cited = tuple(self._cited(chunk, n) for n, chunk in enumerate(self.accepted, start=1))
        band = Confidence.LOW if gaps else Confidence.HIGH
        self._stay("final_gate", 1, self._ran(Control.FINAL_GATE), self._ran(Control.TOXICITY))
        self._tell(Answer(text=text, citations=cited, confidence=band, gaps=gaps))

    def _ending(self) -> None:
        taken = self.story.route
        self._tell(RouteTaken(decided=taken, taken=taken), self._ran(Control.POLICY))
        ms = (self.now - START).total_seconds() * 1000
        self._tell(finished(self.events, self.story.end, ms))

    def _ran(self, control: Control, *, acted: bool = False, risky: bool = False) -> Decision:
        outcome = Outcome.ACTED if acted else Outcome.PASSED
        if risky and self.chance.random() < 0.02:
            return Decision(control=control, outcome=Outcome.FAILED_CLOSED, reason="timeout")
        return Decision(control=control, outcome=outcome)

    def _call(self, role: str, purpose: str, tokens: int, output: int) -> ModelCall:
        size = max(1, int(self.chance.lognormvariate(0, 0.3) * tokens))
        return ModelCall.model_validate(
            {
                **{"role": role, "purpose": purpose, "model": MODEL, "prompt_version": "1"},
                "tokens": {"input": size, "output": output},
                "cost": round((size * 0.4 + output * 1.6) / 1e6, 8),
                "ms": round(self.chance.lognormvariate(0, 0.4) * 300, 1),
            }
        )

    def _hit(self, chunk: str, place: int) -> dict[str, Any]:
        document = chunk.partition("#")[0]
        ranks = {"vector_rank": place + 1, "text_rank": place + 2}
        return {"chunk": chunk, "document": document, "score": 0.03, "cosine": 0.6, **ranks}

    def _cited(self, chunk: str, marker: int) -> Citation:
        document = chunk.partition("#")[0]
        return Citation(
            marker=marker,
            chunk=chunk,
            document=document,
            version=1,
            title=document.title(),
            passage=PASSAGE,
            supports=Supports.YES,
        )


def tell(each: int, seed: int = 5) -> list[Told]:
    """So many tellings of every story; the same for the same seed."""
    chance = random.Random(seed)
    return [Teller(story, chance).told() for story in STORIES for _ in range(each)]
