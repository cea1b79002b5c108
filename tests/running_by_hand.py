"""Turns with events whose figures of running are worked out by hand, in the comments.

All on one day. Every grade costs 0.4, an answer 0.5, a rewrite 0.3 and a topic check 0.1
thousandths of a dollar, with 10 tokens in and 2 out. Sections: T is refunds#timing, E is
refunds#eligibility.

    key      route        ended        ms    passes, and what each lets in   first  calls  cost
    plain    single_shot  answered     1000  1: T                            T      3      1.0
    rescued  single_shot  answered     3000  1: none, 2: T (cited)           E      5      1.7
    more     iterative    caveat       4000  1: E (cited), 2: T (not cited)  E      5      1.7
    nothing  single_shot  no_evidence  5000  1, 2, 3: none                   E      6      1.9
    topic    off_topic    off_topic    200   0                                      1      0.1
    free     single_shot  answered     1000  1: T, by a model without price  T      3      0
    tool     direct       answered     2000  0, and a tool for 2.0                  2      2.6
    lab      as rescued, of the lab

The check of plain passed, that of rescued failed closed; in more the policy missed toxicity and
coverage. Costs by purpose: topic 7 calls 0.6 (one unknown), grade 9 calls 3.2 (one unknown), answer
5 calls 2.0 (one unknown), rewrite 4 calls 1.2, tools 1 call 2.0; in all 9.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from chat.contracts.events import (
    Answer,
    Decision,
    ModelCall,
    Retrieval,
    Rewrite,
    Tool,
    TurnFinished,
    TurnStarted,
    Verdicts,
)
from chat.contracts.passages import Citation
from chat.contracts.turn_facts import facts_of
from chat.contracts.verdicts import Control, Outcome, Termination
from tests import stored
from tests.traces import Trace

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = NOON.date()
T, E = "refunds#timing", "refunds#eligibility"
PRICES = {"grade": 0.0004, "answer": 0.0005, "rewrite": 0.0003, "topic": 0.0001}
PRICED, UNPRICED = "large", "small"


@dataclass(frozen=True)
class Turn:
    """`finds` are what each pass lets in, by pass; `cites` what the answer cites."""

    route: str
    ended: str
    ms: float
    finds: tuple[str, ...] = ()
    first: str = ""
    cites: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    model: str = PRICED
    tool: float = 0.0
    kind: str = "ask"
    question: str = "How long does a refund take?"


TURNS = {
    "plain": Turn("single_shot", "answered", 1000, (T,), T, (T,)),
    "rescued": Turn("single_shot", "answered", 3000, ("", T), E, (T,)),
    "more": Turn(
        *("iterative", "answered_with_caveat", 4000, (E, T), E, (E,)),
        gaps=("the price of add-ons",),
        question="Who gets a refund, and what do add-ons cost?",
    ),
    "nothing": Turn(
        *("single_shot", "no_evidence", 5000, ("", "", ""), E),
        question="Is there a discount for students?",
    ),
    "topic": Turn("off_topic", "off_topic", 200),
    "free": Turn("single_shot", "answered", 1000, (T,), T, (T,), model=UNPRICED),
    "tool": Turn("direct", "answered", 2000, tool=0.002),
    "lab": Turn("single_shot", "answered", 3000, ("", T), E, (T,), kind="lab"),
}
CHECKS = {"plain": Outcome.PASSED, "rescued": Outcome.FAILED_CLOSED}


def store(noon: datetime = NOON, **changed: Any) -> dict[str, Any]:
    """The whole set, a minute apart; `changed` are columns of all of them. By key."""
    return {
        key: one(key, noon + timedelta(minutes=place), **changed) for place, key in enumerate(TURNS)
    }


def one(key: str, at: datetime = NOON, **changed: Any) -> Any:
    """One of the turns, with its record."""
    told = TURNS[key]
    events = _events(key, at)
    end = events[-1].body
    assert isinstance(end, TurnFinished)
    facts = facts_of(events, {})
    given = {
        "kind": told.kind,
        "route_taken": told.route,
        "route_decided": "single_shot",
        "ms": told.ms,
        "gaps": len(told.gaps) or int(told.ended == "no_evidence"),
        "citations": len(told.cites),
        "finished_at": events[-1].at,
    }
    turn = stored.finished_turn(events, **(given | changed))
    stored.record(turn, **facts)
    return turn


def _events(key: str, at: datetime) -> Any:
    told = TURNS[key]
    trace = Trace(uuid4(), at)
    trace.tell(TurnStarted(question=told.question, message=uuid4(), kind="ask"))
    with trace.node("validate_topic", "Checking", ms=100):
        trace.tell(_call("topic", told), _ran(Control.SCOPE, Outcome.PASSED))
    found: list[str] = []
    for number, chunk in enumerate(told.finds, start=1):
        _pass(trace, told, number, chunk, found)
    if told.tool:
        trace.tell(Tool(tool="directory", phase="done", ms=5.0))
    if told.ended.startswith("answered"):
        _answer(trace, key)
    if key == "more":
        trace.tell(_ran(Control.POLICY, Outcome.ACTED, "missing: coverage, toxicity"))
    trace.tell(_finished(trace, told))
    return trace.events


def _pass(trace: Trace, told: Turn, number: int, chunk: str, found: list[str]) -> None:
    if number > 1:
        change = {"pass": number - 1, "before": told.question, "after": "refund card days"}
        trace.tell(_call("rewrite", told), Rewrite.model_validate(change))
    shown = told.first if number == 1 else T
    hit = {"chunk": shown, "document": "refunds", "score": 0.03}
    about = {"pass": number, "query": told.question, "asked": 6, "hits": [hit], "ms": 5}
    with trace.node("retrieve", "Looking", ms=10 * number):
        trace.tell(Retrieval.model_validate(about))
    found += [chunk] if chunk else []
    label = {"chunk": chunk or shown, "label": "ANSWERS" if chunk else "IRRELEVANT"}
    covered = {told.question: bool(found), **dict.fromkeys(told.gaps, False)}
    verdicts = {"pass": number, "chunks": [label], "covered": covered}
    trace.tell(_call("grade", told), Verdicts.model_validate(verdicts))


def _answer(trace: Trace, key: str) -> None:
    told = TURNS[key]
    trace.tell(_call("answer", told))
    if key in CHECKS:
        trace.tell(_ran(Control.GROUNDEDNESS, CHECKS[key]))
    cited = [
        Citation(marker=n, chunk=c, document="refunds", version=1, title="Refunds", passage="It.")
        for n, c in enumerate(told.cites, start=1)
    ]
    trace.tell(Answer(text="Ten days [1].", citations=tuple(cited), gaps=told.gaps))


def _finished(trace: Trace, told: Turn) -> TurnFinished:
    calls = [event.body for event in trace.events if isinstance(event.body, ModelCall)]
    return TurnFinished(
        termination=Termination(told.ended),
        ms=told.ms,
        passes=len(told.finds),
        model_calls=len(calls),
        tokens=calls[0].tokens,
        cost=round(sum(call.cost for call in calls) + told.tool, 6),
    )


def _call(purpose: str, told: Turn) -> ModelCall:
    cost = PRICES[purpose] if told.model == PRICED else 0.0
    tokens = {"input": 10, "output": 2}
    about = {"role": "main", "purpose": purpose, "model": told.model, "cost": cost}
    return ModelCall.model_validate({**about, "tokens": tokens})


def _ran(control: Control, outcome: Outcome, reason: str = "") -> Decision:
    return Decision(control=control, outcome=outcome, reason=reason)
