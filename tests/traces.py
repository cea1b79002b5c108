"""Turns written by hand: events as a real turn would give them, for pages and pure code.

`Trace` numbers and times the bodies it is given; the functions below tell whole stories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from chat.contracts.events import (
    Answer,
    Body,
    Decision,
    Event,
    HitLine,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    Tokens,
    TurnFinished,
    TurnStarted,
    Verdicts,
)
from chat.contracts.passages import Citation
from chat.contracts.verdicts import Confidence, Control, Outcome, Route, Supports, Termination

START = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
QUESTION = "I cancelled yesterday. How long until the refund is on my card?"
REWRITE = "refund business days card payment method"
ANSWER = "Refunds reach the card within 5 to 10 business days [1]. The status page is not needed."
BOUNDARIES = {
    "screen_input": "input",
    "detect_greeting": "input",
    "enhance_query": "input",
    "validate_topic": "input",
    "plan_search": "evidence",
    "retrieve": "evidence",
    "assess_relevance": "evidence",
    "optimize_query": "evidence",
    "generate_response": "generation",
    "finish_answer": "output",
    "final_gate": "output",
    "deliver": "output",
}
FIRST_HITS = ("refunds#eligibility", "refunds#annual-plans", "cancelling#steps")
SECOND_HITS = ("refunds#refund-timing", "refunds#eligibility", "billing#payment-methods")


class Trace:
    """The events of one turn while it is told. `ms` moves its clock on."""

    def __init__(self, turn: UUID | None = None, start: datetime = START) -> None:
        self.turn = turn or uuid4()
        self.now = start
        self.events: list[Event] = []

    def tell(self, *bodies: Body, ms: float = 1.0) -> None:
        for body in bodies:
            self.now += timedelta(milliseconds=ms)
            self.events.append(Event(self.turn, len(self.events) + 1, self.now, body))

    @contextmanager
    def node(self, name: str, label: str, ms: float = 2.0) -> Iterator[None]:
        """A stay in a node around whatever is told inside."""
        self.tell(Stage(node=name, phase="enter", label=label))
        yield
        self.now += timedelta(milliseconds=ms)
        self.tell(Stage(node=name, phase="leave", label=label, ms=ms))


def refund_with_one_rewrite(turn: UUID | None = None, *, start: datetime = START) -> list[Event]:
    """Eligibility is found first, not timing; other words find the answer in pass 2."""
    trace = Trace(turn, start)
    trace.tell(TurnStarted(question=QUESTION, message=uuid4(), kind="ask"))
    _intake(trace)
    _first_pass(trace)
    _second_pass(trace)
    _ending(trace)
    return trace.events


def one_search(count: int = 3, *, turn: UUID | None = None) -> list[Event]:
    """A short turn with one pass that keeps the first of `count` hits."""
    trace = Trace(turn)
    trace.tell(TurnStarted(question=QUESTION, message=uuid4(), kind="ask"))
    hits = tuple(f"refunds#section-{number}" for number in range(count))
    _pass(trace, 1, QUESTION, hits, ("ANSWERS", *["IRRELEVANT"] * (count - 1)))
    return trace.events


def long_turn(steps: int) -> list[Event]:
    """A turn of about `steps` events, most of them model calls and tokens."""
    trace = Trace()
    trace.tell(TurnStarted(question=QUESTION, message=uuid4(), kind="ask"))
    with trace.node("generate_response", "Writing"):
        for number in range((steps - 3) // 2):
            trace.tell(_call("grader", "grade", 3.0))
            trace.tell(Token(offset=number * 5, text="word "))
    return trace.events


def _intake(trace: Trace) -> None:
    with trace.node("screen_input", "Reading the question"):
        trace.tell(_diff("screen_input", question=QUESTION, redactions={}))
        trace.tell(_ran(Control.REDACTION, Outcome.PASSED, "nothing to take out"))
    with trace.node("detect_greeting", "Reading the question"):
        trace.tell(_diff("detect_greeting", is_greeting=False))
    with trace.node("enhance_query", "Reading the question"):
        trace.tell(
            _diff("enhance_query", standalone=QUESTION, passes=0, rewrites=0),
            QuestionRead(standalone=QUESTION, items=(QUESTION,)),
        )
    with trace.node("validate_topic", "Checking the topic", ms=6):
        trace.tell(
            _call("router", "classify_topic", 5.1),
            _diff("validate_topic", topic={"label": "RELEVANT", "confidence": "HIGH"}),
            _ran(Control.SCOPE, Outcome.PASSED, "RELEVANT, HIGH"),
        )
    with trace.node("plan_search", "Planning the search"):
        trace.tell(
            _diff("plan_search", items=[QUESTION], query=QUESTION, route="single_shot"),
            RouteTaken(
                decided=Route.SINGLE_SHOT, confidence=0.71, taken=Route.SINGLE_SHOT, why="one item"
            ),
        )


def _first_pass(trace: Trace) -> None:
    _pass(trace, 1, QUESTION, FIRST_HITS, ("SUPPORTS", "IRRELEVANT", "IRRELEVANT"))
    with trace.node("optimize_query", "Looking for other words", ms=8):
        change = {"pass": 1, "before": QUESTION, "after": REWRITE, "drift": 0.21}
        trace.tell(
            _diff("optimize_query", query=REWRITE, rewrites=1, terms=["business", "days", "card"]),
            _call("main", "rewrite", 7.4),
            Rewrite.model_validate(change),
            _ran(Control.BOUNDED_RETRY, Outcome.PASSED, "rewrite 1 of 2"),
        )


def _second_pass(trace: Trace) -> None:
    _pass(trace, 2, REWRITE, SECOND_HITS, ("ANSWERS", "SUPPORTS", "IRRELEVANT"))


def _ending(trace: Trace) -> None:
    with trace.node("generate_response", "Writing", ms=120):
        trace.tell(*_spoken(ANSWER), ms=9)
        trace.tell(_diff("generate_response", draft=ANSWER), _call("main", "answer", 130.0))
    with trace.node("finish_answer", "Checking against 1 passage"):
        trace.tell(
            _diff("finish_answer", text=ANSWER, confidence="high", route=None),
            _ran(Control.CITATION_BINDING, Outcome.PASSED, "1 marker"),
        )
    with trace.node("final_gate", "Last check"):
        trace.tell(
            _diff("final_gate", blocked=False), _ran(Control.FINAL_GATE, Outcome.PASSED, "fit")
        )
    with trace.node("deliver", "Done"):
        trace.tell(_diff("deliver", termination="answered"))
    trace.tell(_answer(), RouteTaken(decided=Route.SINGLE_SHOT, taken=Route.SINGLE_SHOT))
    trace.tell(_finished(trace))


def _pass(
    trace: Trace, number: int, query: str, chunks: Sequence[str], labels: Iterable[str]
) -> None:
    hits = tuple(
        HitLine(
            chunk=chunk,
            document=chunk.partition("#")[0],
            score=0.0328 - rank * 0.0004,
            cosine=0.71 - rank * 0.06,
            vector_rank=rank + 1,
            text_rank=None if rank == 1 else rank + 2,
        )
        for rank, chunk in enumerate(chunks)
    )
    grades = list(zip(chunks, labels, strict=True))
    with trace.node("retrieve", "Looking in the handbook", ms=11):
        found = {"pass": number, "query": query, "asked": 6, "hits": hits, "ms": 10.6}
        trace.tell(
            _diff("retrieve", passes=number, hits=list(chunks), tried=[QUESTION, query][:number]),
            Retrieval.model_validate(found),
        )
    with trace.node("assess_relevance", f"Reading {len(chunks)} passages", ms=9):
        kept = [chunk for chunk, label in grades if label == "ANSWERS"]
        verdicts = [
            {"chunk": chunk, "label": label, "reason": "a duration about the refund"}
            for chunk, label in grades
        ]
        trace.tell(
            _diff("assess_relevance", accepted=kept, covered={QUESTION: bool(kept)}),
            *(_call("grader", "grade", 2.6) for _ in chunks),
            Verdicts.model_validate(
                {"pass": number, "chunks": verdicts, "covered": {QUESTION: bool(kept)}}
            ),
            _ran(Control.RELEVANCE, Outcome.ACTED, f"{len(kept)} of {len(chunks)} answer"),
        )


def _answer() -> Answer:
    passage = "Refunds reach the card within 5 to 10 business days after we approve them."
    citation = Citation(
        marker=1,
        chunk="refunds#refund-timing",
        document="refunds",
        version=1,
        title="Refunds",
        passage=passage,
        supports=Supports.YES,
    )
    return Answer(text=ANSWER, citations=(citation,), confidence=Confidence.HIGH)


def _finished(trace: Trace) -> TurnFinished:
    calls = sum(isinstance(event.body, ModelCall) for event in trace.events)
    ms = (trace.now - trace.events[0].at).total_seconds() * 1000
    return TurnFinished(
        termination=Termination.ANSWERED,
        ms=round(ms, 2),
        passes=2,
        model_calls=calls,
        tokens=Tokens(input=1_830, output=212),
        cost=0.003,
    )


def _spoken(text: str) -> list[Token]:
    pieces = [f"{word} " for word in text.split(" ")]
    offsets = [sum(map(len, pieces[:index])) for index in range(len(pieces))]
    return [Token(offset=at, text=piece) for at, piece in zip(offsets, pieces, strict=True)]


def _diff(node: str, **changed: object) -> StateDiff:
    return StateDiff(node=node, changed=changed)


def _ran(control: Control, outcome: Outcome, reason: str) -> Decision:
    return Decision(control=control, outcome=outcome, reason=reason)


def _call(role: str, purpose: str, ms: float) -> ModelCall:
    return ModelCall.model_validate(
        {
            "role": role,
            "purpose": purpose,
            "model": "offline",
            "prompt_version": "1",
            "tokens": {"input": 180, "output": 12},
            "cost": 0.0003,
            "ms": ms,
        }
    )
