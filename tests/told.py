"""Turns that the real graph told over doubles, with times as a model behind an endpoint has them.

`STORIES` names them. `tests.traces` has turns written by hand; these have every event that a
real turn has, pauses of hours among them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from chat.contracts.events import (
    Body,
    Event,
    ModelCall,
    Retrieval,
    Stage,
    Token,
    Tokens,
    Tool,
    TurnStarted,
)
from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, Pause, PauseReply, Step, ToolCall
from chat.contracts.turn_facts import finished
from chat.contracts.verdicts import Basis, ClaimVerdict, Route, RouteGuess, Termination
from chat.pauses import asking
from chat.runtime.checkpoint import TurnCheckpoint
from chat.runtime.compile import parts
from chat.runtime.translate import Translator, asked
from tests.doubles.models import ANSWERS, SPECIFIC, SUPPORTS, VAGUE, ScriptedModel
from tests.doubles.search import ListSearch
from tests.doubles.tools import Tools
from tests.factories import QUESTION, handbook, passage, ports, start_state

START = datetime.fromisoformat("2026-11-29T10:00:00+00:00")
THOUGHT = timedelta(hours=3, minutes=5)  # of a person who was asked something

TIMING, ELIGIBILITY, ANNUAL = "refunds#timing", "refunds#eligibility", "refunds#annual-plans"
INDEX = [
    *handbook(),
    passage(ANNUAL, "Annual plans are refunded for unused months.", ordinal=2),
    passage("domains#moving", "Domain transfer moves names in seven working hours.", ordinal=0),
    passage("domains#renewal", "Renewal of domain names costs what registries ask.", ordinal=1),
]
TWO_PARTS = "How long does a refund take, and which fee has a domain transfer?"
PARTS = ("How long does a refund take?", "Which fee has domain transfer?")
VAGUE_QUESTION = "How long does it take?"
ASKS_TICKET = "Please open a ticket: my refund is late"
ASKS_PARTNERS = "Which partner in Leeds builds shops?"
ANSWER = "A refund takes five to ten business days to arrive on the card [1]."
BARE = "Refunds are quick. They cost nothing at all."

MS = {
    **{"classify_topic": 180.0, "detect_ambiguity": 160.0, "plan": 240.0, "next_step": 420.0},
    **{"grade": 130.0, "rewrite": 310.0, "answer": 880.0, "check": 520.0, "standalone": 260.0},
}
TOKENS = {"answer": Tokens(input=2_140, output=96), "check": Tokens(input=1_720, output=60)}


class Guesses:
    """A router that is sure of one path, or so unsure that another is taken."""

    def __init__(self, route: Route, confidence: float, why: str = "nearest example") -> None:
        self.guess = RouteGuess(route=route, confidence=confidence, why=why)

    async def route(self, query: str) -> RouteGuess:
        return self.guess


class Silent:
    """A router that never answers."""

    async def route(self, query: str) -> RouteGuess:
        await asyncio.Event().wait()
        raise AssertionError("it never comes back")


async def told(
    given: Ports, question: str = QUESTION, replies: Iterable[PauseReply] = ()
) -> list[Event]:
    """The events of one turn from its question to its end, with a pause for each reply."""
    bodies: list[Body] = [TurnStarted(question=question, message=uuid4(), kind="ask")]
    checkpoint, left = TurnCheckpoint(), iter(replies)
    begin: Any = start_state(given, question)
    termination = Termination.INTERRUPTED
    while begin is not None:
        reply = begin if isinstance(begin, PauseReply) else None
        translator, pause = Translator(given.clock, reply=reply), None
        async for mode, part in parts(begin, given, checkpoint):
            if mode == "tasks":
                pause = pause or asked(part)
                termination = (part.get("result") or {}).get("termination", termination)
            bodies.extend(translator.bodies(mode, part))
        begin = _reply(pause, next(left, None), bodies, checkpoint) if pause else None
    return _ended(timed(bodies), termination)


def _reply(
    pause: Pause, reply: PauseReply | None, bodies: list[Body], checkpoint: TurnCheckpoint
) -> PauseReply:
    bodies.append(asking(pause, {}, 0.0, ()).body())
    return reply or PauseReply(expired=True)


def _ended(events: list[Event], termination: Termination) -> list[Event]:
    last = events[-1]
    ms = (last.at - events[0].at).total_seconds() * 1000
    body = finished(events, termination, ms % (THOUGHT / timedelta(milliseconds=1)))
    return [*events, Event(last.turn, last.seq + 1, last.at + timedelta(milliseconds=2), body)]


def timed(bodies: Sequence[Body], turn: UUID | None = None, start: datetime = START) -> list[Event]:
    """Bodies as events at times that such work takes; a pause takes `THOUGHT`."""
    now, entered, events = start, start, list[Event]()
    for number, body in enumerate(bodies):
        before = bodies[number - 1] if number else None
        told_by_person = before is not None and before.TYPE in ("clarification", "action")
        now += THOUGHT if told_by_person else timedelta(milliseconds=_takes(body, before))
        if isinstance(body, Stage) and body.phase == "enter":
            entered = now
        events.append(Event(turn or UUID(int=1), number + 1, now, _dressed(body, now - entered)))
    whole = turn or uuid4()
    return [Event(whole, event.seq, event.at, event.body) for event in events]


def _takes(body: Body, before: Body | None) -> float:
    """How long after the event before it a body comes. Grades run side by side."""
    if isinstance(body, Token):
        return 14.0 if isinstance(before, Token) else 310.0
    if isinstance(body, ModelCall):
        return 2.0 if isinstance(before, ModelCall) else MS.get(body.purpose, 100.0) / 2
    if isinstance(body, Retrieval):
        return 12.0
    return 38.0 if isinstance(body, Tool) else 0.4


def _dressed(body: Body, stay: timedelta) -> Body:
    """A body with the figures that a double leaves at nothing."""
    if isinstance(body, Stage) and body.phase == "leave":
        return body.model_copy(update={"ms": round(stay / timedelta(milliseconds=1), 2)})
    if isinstance(body, ModelCall):
        used = TOKENS.get(body.purpose, Tokens(input=310, output=14))
        figures = {"ms": MS.get(body.purpose, 100.0), "tokens": used}
        return body.model_copy(update=figures)
    return body


def claim(label: str, supported: bool | None, basis: Basis = Basis.SOURCE) -> ClaimVerdict:
    return ClaimVerdict(text=f"{label}.", label=label, basis=basis, supported=supported, by="judge")


HELD = claim("how long a refund takes", True, Basis.QUOTATION)
LOOSE = claim("that a refund costs nothing", False, Basis.NONE)
GRADES = {TIMING: ANSWERS, ELIGIBILITY: SUPPORTS}


def _site(model: ScriptedModel, **others: Any) -> Ports:
    routed = {"router": Guesses(Route.SINGLE_SHOT, 0.71), **others.pop("others", {})}
    return ports(model, ListSearch(INDEX), others=routed, **others)


def parts_and_a_gap() -> Awaitable[list[Event]]:
    """Two items: the first is found at once, the second after two rewrites still not."""
    model = ScriptedModel(
        plans=[PARTS],
        grades={**GRADES, "domains#moving": SUPPORTS},
        rewrites=["domain renewal costs", "working hours transfer price"],
        answers=[ANSWER],
        checks=[(HELD,)],
    )
    return told(_site(model), TWO_PARTS)


def iterative_with_a_correction() -> Awaitable[list[Event]]:
    """The model searches by itself; its first draft is withdrawn and written again."""
    model = ScriptedModel(
        steps=[Step(queries=("refund card", "refund annual plans")), Step(confidence=0.9)],
        grades={TIMING: ANSWERS},
        answers=[f"{ANSWER} {BARE}", ANSWER],
        checks=[(LOOSE, LOOSE)],
    )
    return told(_site(model, others={"router": Guesses(Route.SINGLE_SHOT, 0.55)}))


def a_question_back() -> Awaitable[list[Event]]:
    """Too vague to look up; the person answers after three hours."""
    model = ScriptedModel(
        clarities=[VAGUE, SPECIFIC], standalones=[QUESTION], grades=GRADES, answers=[ANSWER]
    )
    return told(_site(model), VAGUE_QUESTION, [PauseReply(text="Refunds", key="k")])


def a_ticket(approved: bool = True) -> Awaitable[list[Event]]:
    """What cannot be undone waits for a yes, which comes after three hours."""
    call = ToolCall(id="1", tool="open_ticket", arguments={"subject": "Late refund"})
    model = ScriptedModel(
        answers=[Draft(text="I will open one.", calls=(call,)), "The ticket is open."]
    )
    given = _site(model, others={"tools": Tools()})
    return told(given, ASKS_TICKET, [PauseReply(approved=approved, key="k")])


def paid_look_ups() -> Awaitable[list[Event]]:
    """Two calls of a tool that costs something, and a third over its limit."""
    calls = tuple(
        ToolCall(id=str(n), tool="search_directory", arguments={"area": area})
        for n, area in enumerate(("Leeds", "York", "Hull"))
    )
    found = passage("directory#leeds", "Bright & Sons in Leeds build shops.")
    model = ScriptedModel(answers=[Draft(text="", calls=calls), "Bright & Sons do [1]."])
    return told(_site(model, others={"tools": Tools(found=(found,))}), ASKS_PARTNERS)


def a_budget_used_up() -> Awaitable[list[Event]]:
    """Nothing is found, and the money ends before the rewrites do."""
    model = ScriptedModel(rewrites=["annual plans months unused"], cost=0.003)
    return told(_site(model, cost_budget=0.012, max_rewrites=4))


def a_router_that_cannot_say() -> Awaitable[list[Event]]:
    """The router does not answer in time, so the question is searched once."""
    model = ScriptedModel(grades=GRADES, answers=[ANSWER], checks=[(HELD,)])
    return told(_site(model, others={"router": Silent()}, router_timeout_ms=1))


STORIES: dict[str, Callable[[], Awaitable[list[Event]]]] = {
    "parts and a gap": parts_and_a_gap,
    "iterative with a correction": iterative_with_a_correction,
    "a question back": a_question_back,
    "a ticket": a_ticket,
    "a ticket declined": lambda: a_ticket(approved=False),
    "paid look-ups": paid_look_ups,
    "a budget used up": a_budget_used_up,
    "a router that cannot say": a_router_that_cannot_say,
}
