"""A turn out of its tape is the same turn, event by event but for times, and calls nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, PauseReply, Step, ToolCall
from chat.contracts.verdicts import Level, Route, RouteGuess, TopicLabel, TopicVerdict
from tests.doubles.models import (
    ANSWERS,
    IRRELEVANT,
    OFF_TOPIC,
    ON_TOPIC,
    SPECIFIC,
    SUPPORTS,
    VAGUE,
    Fails,
    Raises,
    ScriptedModel,
)
from tests.doubles.search import ListSearch
from tests.doubles.tools import Tools
from tests.factories import QUESTION, handbook, passage, ports
from tests.unit.taping.equal import plain, twice

TWO = "How long does a refund take, and when are the offices closed?"
UNCLEAR = "How long does it take?"
FOUND = "It takes five to ten business days [1]."
UNSURE = TopicVerdict(label=TopicLabel.RELEVANT, confidence=Level.LOW, options=("Refunds",))
LOOKUP = ToolCall(id="call-1", tool="search_directory", arguments={"kind": "partner", "area": "N"})
TICKET = ToolCall(id="call-2", tool="open_ticket", arguments={"subject": "Refund"})
YES = PauseReply(approved=True, key="the-pause")
NO = PauseReply(key="the-pause")


class Routed:
    """A router that says what a test wrote down."""

    def __init__(self, route: Route) -> None:
        self.said = RouteGuess(route=route, confidence=0.9, why="written down")

    async def route(self, query: str) -> RouteGuess:
        return self.said


def scripted(model: ScriptedModel, search: ListSearch | None = None, **others: Any) -> Ports:
    return ports(model, search, clock=model.clock, others=others)


def answering(*answers: Any, **scripts: Any) -> ScriptedModel:
    given: dict[str, Any] = {"grades": {"refunds#timing": ANSWERS}, "answers": answers or (FOUND,)}
    return ScriptedModel(**(given | scripts))


KINDS: dict[str, tuple[Ports, str, tuple[PauseReply, ...]]] = {
    "answered": (scripted(answering()), QUESTION, ()),
    "greeted": (scripted(ScriptedModel(greetings=(True,))), "hey larkspur folks", ()),
    "off topic": (scripted(ScriptedModel(topics=(OFF_TOPIC,))), "What is the weather?", ()),
    "nothing found": (scripted(ScriptedModel(rewrites=("refund days", "card"))), QUESTION, ()),
    "second pass": (
        scripted(answering(grades={"refunds#timing": [IRRELEVANT, ANSWERS]})),
        QUESTION,
        (),
    ),
    "two parts": (
        scripted(
            answering(
                plans=(("How long does a refund take?", "When are the offices closed?"),),
                grades={"refunds#timing": ANSWERS, "contact#offices": ANSWERS},
            )
        ),
        TWO,
        (),
    ),
    "iterative": (
        scripted(
            answering(steps=(Step(queries=("refund days",)), Step(confidence=1.0))),
            router=Routed(Route.ITERATIVE),
        ),
        QUESTION,
        (),
    ),
    "clarified": (
        scripted(answering(clarities=(VAGUE, SPECIFIC), standalones=(QUESTION,))),
        UNCLEAR,
        (PauseReply(text="Refunds"),),
    ),
    "not answered in time": (
        scripted(answering(clarities=(VAGUE,))),
        UNCLEAR,
        (PauseReply(expired=True),),
    ),
    "a tool": (
        scripted(
            answering(Draft(text="", calls=(LOOKUP,)), "One partner is near you [1]."),
            tools=Tools(found=(passage("tool:search_directory#1", "A partner in the north."),)),
        ),
        "Which partner is near me?",
        (),
    ),
    "an action with a yes": (
        scripted(answering(Draft(text="", calls=(TICKET,)), "It is open."), tools=Tools()),
        "Please open a ticket about this.",
        (YES,),
    ),
    "an action with a no": (
        scripted(answering(Draft(text="", calls=(TICKET,)), "It was not done."), tools=Tools()),
        "Please open a ticket about this.",
        (NO,),
    ),
    "the model breaks off": (scripted(answering(Fails(after="It takes "))), QUESTION, ()),
    "the index is away": (
        scripted(answering(), ListSearch(handbook(), fails_on=(1, 2, 3))),
        QUESTION,
        (),
    ),
    "the index helps with nothing": (
        scripted(answering(), ListSearch(handbook(), helpers_fail=True)),
        QUESTION,
        (),
    ),
    "the judge is away": (
        scripted(answering(checks=(Fails("timeout"),))),
        QUESTION,
        (),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_of_turn_is_the_same_out_of_its_tape(kind: str) -> None:
    given, question, replies = KINDS[kind]
    ran = await twice(given, question, replies)
    assert plain(ran.second.bodies) == plain(ran.first.bodies)
    assert ran.second.termination == ran.first.termination
    assert len(ran.first.pauses) == len(replies) and ran.second.pauses == []
    assert ran.asked == []
    assert all(line["reused"] and not line["cost"] for line in ran.reuse.ledger)


async def test_it_costs_as_much_as_it_did() -> None:
    ran = await twice(*KINDS["second pass"][:2])
    assert ran.second.state["spent_cost"] == ran.first.state["spent_cost"] > 0
    assert ran.second.state["calls"] == ran.first.state["calls"]


async def test_a_defect_is_not_kept_so_that_it_is_called_again() -> None:
    broken = scripted(answering(topics=(Raises(KeyError("a defect")),)))
    ran = await twice(broken, QUESTION)
    assert ran.asked == ["classify_topic"]
    lines = [line for line in ran.reuse.ledger if not line["reused"]]
    assert [(line["kind"], line["purpose"]) for line in lines] == [("model", "topic")]
    assert "a defect" not in repr(ran.calls)


GRADES = st.sampled_from([ANSWERS, SUPPORTS, IRRELEVANT, Fails("timeout"), Fails("invalid")])
WORDS = st.sampled_from(["refund card days", "offices", "payment", "holidays refund", "thirty"])
DRAFTS = st.sampled_from(
    [
        FOUND,
        "It takes seven weeks [1].",
        "Nobody knows [4].",
        "",
        Fails("cut_stream", after="It takes five"),
        Draft(text="Let me look.", calls=(LOOKUP,)),
        Draft(text="", calls=(LOOKUP, TICKET)),
        Draft(text="", calls=(ToolCall(id="9", tool="unknown", arguments={}),)),
    ]
)
STEPS = st.one_of(
    st.builds(Step, queries=st.lists(WORDS, max_size=3, unique=True).map(tuple)),
    st.builds(Step, confidence=st.sampled_from([0.2, 1.0])),
)
MODELS = st.builds(
    ScriptedModel,
    greetings=st.just((False,)),
    topics=st.lists(st.sampled_from([ON_TOPIC, OFF_TOPIC, UNSURE, Fails()]), min_size=1),
    clarities=st.lists(st.sampled_from([SPECIFIC, VAGUE, Fails()]), min_size=1),
    standalones=st.just(()),
    plans=st.sampled_from([(), ((QUESTION, "When are the offices closed?"),), (Fails(),)]),
    steps=st.lists(STEPS, min_size=1, max_size=4),
    grades=st.fixed_dictionaries(
        {p.chunk: st.lists(GRADES, min_size=1, max_size=3) for p in handbook()}
    ),
    rewrites=st.lists(WORDS | st.just(Fails()), min_size=1, max_size=3),
    answers=st.lists(DRAFTS, min_size=1, max_size=3),
    checks=st.sampled_from([((),), (Fails("timeout"),)]),
)
REPLIES = st.lists(
    st.sampled_from([PauseReply(text="Refunds"), PauseReply(expired=True), YES, NO]),
    min_size=8,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(
    model=MODELS,
    replies=REPLIES,
    question=st.sampled_from([QUESTION, TWO, UNCLEAR, "Open a ticket about a refund?"]),
    route=st.sampled_from([Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE]),
    fails_on=st.sets(st.integers(1, 4), max_size=2),
)
def test_whatever_was_said_the_tape_says_it_again(
    model: ScriptedModel, replies: Any, question: str, route: Route, fails_on: Any
) -> None:
    search = ListSearch(handbook(), fails_on=fails_on)
    given = scripted(model, search, router=Routed(route), tools=Tools())
    ran = asyncio.run(twice(given, question, replies))
    assert plain(ran.second.bodies) == plain(ran.first.bodies)
    assert ran.asked == []
