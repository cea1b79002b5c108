"""The ways through the whole graph: direct, iterative, parts, tools, pauses and corrections."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.contracts.events import (
    Answer,
    Claims,
    Decision,
    DraftWithdrawn,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    Tool,
)
from chat.contracts.tasks import Draft, Exchange, PauseReply, Step, ToolCall
from chat.contracts.verdicts import (
    Basis,
    ClaimVerdict,
    Confidence,
    Control,
    Level,
    Outcome,
    Route,
    RouteGuess,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from tests.doubles.models import ANSWERS, ON_TOPIC, VAGUE, ScriptedModel
from tests.doubles.search import ListSearch
from tests.doubles.tools import DIRECTORY, TICKET, Tools
from tests.factories import QUESTION, handbook, passage, ports
from tests.unit.agent.running import Told, run

TIMING, OFFICES = "refunds#timing", "contact#offices"
ASKED = "generate_clarification"


class To:
    """A router that sends everything one way."""

    def __init__(self, route: Route, confidence: float = 0.95) -> None:
        self.guess = RouteGuess(route=route, confidence=confidence)

    async def route(self, query: str) -> RouteGuess:
        return self.guess


def going(route: Route, model: ScriptedModel, **settings: Any) -> Any:
    return ports(model, others={"router": To(route)}, **settings)


def taken(told: Told) -> tuple[Route, Route]:
    last = told.all(RouteTaken)[-1]
    return last.decided, last.taken


def claim(text: str, supported: bool) -> ClaimVerdict:
    return ClaimVerdict(text=text, label=text, basis=Basis.SOURCE, supported=supported, by="judge")


# ---- direct


async def test_small_talk_goes_direct_and_searches_nothing() -> None:
    model = ScriptedModel(answers=["You are welcome. What else can I look up for you?"])
    told = await run(
        going(Route.DIRECT, model, greeting_check=False), "that was really helpful of you"
    )
    assert told.all(Retrieval) == []
    assert told.termination is Termination.ANSWERED
    assert taken(told) == (Route.DIRECT, Route.DIRECT)
    assert told.one(Answer).confidence is Confidence.NONE


async def test_a_direct_draft_that_claims_something_is_withdrawn_and_searched_after_all() -> None:
    said = ["A refund takes 5 days.", "Ten days [1]."]
    model = ScriptedModel(answers=said, grades={TIMING: ANSWERS})
    told = await run(going(Route.DIRECT, model), "please tell me how long a refund takes")
    assert told.path[6:10] == ["generate_response", "check_grounding", "plan_search", "retrieve"]
    assert len(told.all(DraftWithdrawn)) == 1
    assert taken(told) == (Route.DIRECT, Route.SINGLE_SHOT)
    assert told.one(Answer).text == "Ten days [1]."


async def test_a_direct_draft_that_claims_something_and_finds_nothing_says_so() -> None:
    model = ScriptedModel(answers=["A refund takes 5 days."], rewrites=["other words"])
    told = await run(going(Route.DIRECT, model), "please tell me how long a refund takes")
    assert told.termination in (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
    assert "5 days" not in told.one(Answer).text


# ---- iterative


async def test_the_model_searches_until_everything_is_found() -> None:
    model = ScriptedModel(
        plans=[("refund time", "office days")],
        steps=[
            Step(queries=("refund business days", "nothing here")),
            Step(queries=("offices closed",)),
        ],
        grades={TIMING: ANSWERS, OFFICES: ANSWERS},
        rewrites=["holiday offices"],
        answers=["Ten days [1]. Closed on holidays [2]."],
    )
    told = await run(going(Route.ITERATIVE, model), "Compare refund time and office days")
    assert told.path.count("agent") == 2
    assert [r.pass_ for r in told.all(Retrieval)] == [1, 1, 2]
    assert told.termination is Termination.ANSWERED
    assert told.one(Answer).gaps == ()


async def test_a_rewrite_goes_back_to_the_model() -> None:
    model = ScriptedModel(
        steps=[Step(queries=("vacation",)), Step(queries=("business days arrive",))],
        grades={TIMING: ANSWERS},
        rewrites=["working days"],
    )
    told = await run(going(Route.ITERATIVE, model))
    assert told.path[told.path.index("optimize_query") + 1] == "agent"
    second = [a.about for a in model.asked if a.purpose == "next_step"][1]
    assert second.suggested == ("working days",)
    assert told.termination is Termination.ANSWERED


async def test_a_model_that_would_rather_not_search_is_made_to() -> None:
    model = ScriptedModel(steps=[Step(confidence=0.8)], grades={TIMING: ANSWERS})
    told = await run(going(Route.ITERATIVE, model))
    assert [r.query for r in told.all(Retrieval)] == [QUESTION]
    assert taken(told) == (Route.ITERATIVE, Route.ITERATIVE)


async def test_the_iterative_way_ends_in_the_same_order_as_the_other() -> None:
    words = [f"words {n}" for n in range(9)]
    model = ScriptedModel(steps=[Step(queries=(w,)) for w in words], rewrites=words[::-1])
    told = await run(going(Route.ITERATIVE, model, max_rewrites=2, no_progress_stop=False))
    assert (len(told.all(Retrieval)), len(told.all(Rewrite))) == (3, 2)
    assert told.termination is Termination.NO_EVIDENCE


# ---- parts

TWO_PARTS = "Compare the refund business days and moon phase"
PARTS: dict[str, Any] = {"plans": [("refund business days", "moon phase")], "rewrites": ["lunar"]}


async def test_a_part_that_is_missing_is_searched_again_by_name_and_becomes_a_gap() -> None:
    model = ScriptedModel(**PARTS, grades={TIMING: ANSWERS}, answers=["Ten days [1]."])
    told = await run(ports(model, max_rewrites=1), TWO_PARTS)
    queries = [r.query for r in told.all(Retrieval)]
    assert queries == ["refund business days", "moon phase", "lunar"]
    answer = told.one(Answer)
    assert answer.gaps == ("moon phase",)
    assert "moon phase" in answer.text
    assert told.termination is Termination.ANSWERED_WITH_CAVEAT
    assert told.all(QuestionRead)[-1].items == ("refund business days", "moon phase")


async def test_the_writer_is_told_what_is_missing() -> None:
    model = ScriptedModel(**PARTS, grades={TIMING: ANSWERS})
    await run(ports(model, max_rewrites=0), TWO_PARTS)
    (task,) = (asked.about for asked in model.asked if asked.purpose == "answer")
    assert task.gaps == ("moon phase",)


# ---- checking

SUPPORTED, INVENTED = claim("Ten days.", True), claim("It is free.", False)
RETURNS = "Money finds its way back [1]."


async def test_an_unsupported_draft_is_withdrawn_and_written_again() -> None:
    model = ScriptedModel(
        grades={TIMING: ANSWERS},
        answers=[f"{RETURNS} Nothing is kept [1]. Nobody has to ask [1].", RETURNS],
        checks=[(SUPPORTED, INVENTED, INVENTED), (SUPPORTED,)],
    )
    told = await run(ports(model))
    assert told.path.count("generate_response") == 2
    assert len(told.all(DraftWithdrawn)) == 1
    assert (told.termination, told.one(Answer).confidence) == (
        Termination.ANSWERED,
        Confidence.HIGH,
    )
    assert [len(c.claims) for c in told.all(Claims)] == [3, 1]


async def test_a_draft_that_stays_unsupported_goes_out_with_its_caveat() -> None:
    draft = f"{RETURNS} Nothing is kept [1]. Nobody has to ask [1]."
    wrong = (SUPPORTED, INVENTED, INVENTED)
    model = ScriptedModel(grades={TIMING: ANSWERS}, answers=[draft], checks=[wrong])
    told = await run(ports(model, max_corrections=1))
    assert told.path.count("check_grounding") == 2
    assert told.termination is Termination.ANSWERED_WITH_CAVEAT
    assert told.one(Answer).confidence is Confidence.MEDIUM
    assert len(told.one(Answer).caveats) == 2
    assert "Nobody has to ask" in told.one(Answer).caveats[1]


async def test_a_draft_that_nothing_holds_is_searched_for_again() -> None:
    model = ScriptedModel(
        grades={TIMING: ANSWERS},
        rewrites=["fee free"],
        checks=[(INVENTED,), (SUPPORTED,)],
    )
    told = await run(ports(model))
    assert told.path.count("retrieve") == 2
    assert told.termination is Termination.ANSWERED


async def test_a_search_for_a_failed_claim_that_has_no_new_words_sends_the_draft_out() -> None:
    model = ScriptedModel(grades={TIMING: ANSWERS}, rewrites=[QUESTION], checks=[(INVENTED,)])
    told = await run(ports(model))
    assert told.path[told.path.index("optimize_query") + 1] == "finish_answer"
    assert told.termination is Termination.ANSWERED_WITH_CAVEAT


# ---- asking back


async def test_a_vague_question_waits_for_the_person_and_goes_on_with_the_reply() -> None:
    model = ScriptedModel(standalones=[QUESTION], grades={TIMING: ANSWERS})
    told = await run(ports(model), "tell me about it", replies=[PauseReply(text="refunds")])
    assert [pause.kind for pause in told.pauses] == ["clarification"]
    after = told.path[told.path.index(ASKED) + 1 :]
    assert after[:3] == [ASKED, "validate_topic", "detect_ambiguity"]
    assert told.termination is Termination.ANSWERED
    labels = [s.label for s in told.all(Stage) if s.node == ASKED and s.phase == "leave"]
    assert labels == ["You answered “refunds”"]


async def test_a_vague_reply_is_asked_once_more_and_then_searched() -> None:
    model = ScriptedModel(standalones=["tell me about it"], topics=[UNSURE, UNSURE, UNSURE])
    told = await run(ports(model), "tell me about it", replies=[PauseReply(text="that")] * 2)
    assert len(told.pauses) == 2
    assert told.all(Retrieval)


UNSURE = TopicVerdict(label=TopicLabel.IRRELEVANT, confidence=Level.LOW, options=("Refunds",))


async def test_an_unsure_topic_asks_instead_of_turning_away() -> None:
    model = ScriptedModel(
        topics=[UNSURE, ON_TOPIC], standalones=[QUESTION], grades={TIMING: ANSWERS}
    )
    told = await run(ports(model), "returns of goods", replies=[PauseReply(text="Refunds")])
    assert told.pauses[0].options == ("Refunds",)
    assert told.termination is Termination.ANSWERED


async def test_a_conversation_that_was_asked_twice_is_not_asked_again() -> None:
    model = ScriptedModel(clarities=[VAGUE], topics=[UNSURE])
    told = await run(ports(model), "tell me about it", clarifications_before=2)
    assert told.pauses == []
    assert told.all(Retrieval)


async def test_somebody_in_distress_is_never_asked_back() -> None:
    model = ScriptedModel(topics=[UNSURE])
    told = await run(ports(model), "I'm so overwhelmed and crying, please help me")
    assert told.pauses == []


# ---- tools

LOOKUP = ToolCall(id="1", tool=DIRECTORY.name, arguments={"kind": "partner"})
OPEN = ToolCall(id="2", tool=TICKET.name, arguments={"subject": "Down", "description": "It is."})
RECORD = passage("tool:search_directory#1", "Aire Works is a partner in Leeds.")


def tooled(box: Tools, *answers: Any, **settings: Any) -> Any:
    return ports(ScriptedModel(answers=answers), others={"tools": box}, **settings)


async def test_a_lookup_is_answered_from_the_records_it_found() -> None:
    box = Tools(found=(RECORD,))
    given = tooled(box, Draft(text="", calls=(LOOKUP,)), "Aire Works is a partner in Leeds [1].")
    told = await run(given, "Which partners are in Leeds?")
    assert told.path[5:9] == [
        "choose_path",
        "generate_response",
        "tool_execution",
        "generate_response",
    ]
    assert [(t.tool, t.phase) for t in told.all(Tool)] == [(DIRECTORY.name, "done")]
    assert [c.chunk for c in told.one(Answer).citations] == [RECORD.chunk]
    assert told.termination is Termination.ANSWERED


async def test_an_action_waits_for_a_yes_and_is_done_once() -> None:
    box = Tools()
    given = tooled(box, Draft(text="", calls=(OPEN,)), "The ticket was opened for you.")
    told = await run(
        given, "Please open a ticket", replies=[PauseReply(approved=True, key="pause-1")]
    )
    assert [(p.kind, p.tool) for p in told.pauses] == [("action", TICKET.name)]
    assert box.ran == [(TICKET.name, "pause-1")]
    assert told.termination is Termination.ANSWERED


async def test_a_no_does_nothing_and_says_so() -> None:
    box = Tools()
    given = tooled(box, Draft(text="", calls=(OPEN,)), "The ticket was not opened.")
    told = await run(given, "Please open a ticket", replies=[PauseReply(approved=False, key="k")])
    assert box.ran == []
    assert told.termination is Termination.ACTION_DECLINED


async def test_at_the_cap_there_is_one_more_answer_without_tools() -> None:
    box = Tools(found=(RECORD,))
    again = [Draft(text="", calls=(LOOKUP.model_copy(update={"id": str(n)}),)) for n in range(3)]
    given = tooled(box, *again, "Aire Works is a partner in Leeds [1].")
    told = await run(given, "Which partners are in Leeds?")
    assert len(box.ran) == DIRECTORY.limit
    last = [asked.about for asked in given.model.asked if asked.purpose == "answer"][-1]
    assert DIRECTORY not in last.tools
    assert told.one(Answer).text


@pytest.mark.parametrize("problem", ["failed", "timeout"])
async def test_a_tool_that_fails_still_ends_in_an_answer(problem: str) -> None:
    box = Tools(problems={DIRECTORY.name: problem})
    given = tooled(box, Draft(text="", calls=(LOOKUP,)), "The directory cannot be read just now.")
    told = await run(given, "Which partners are in Leeds?")
    assert [t.phase for t in told.all(Tool)] == [problem]
    assert told.one(Answer).text.startswith("The directory cannot be read")


# ---- a follow-up


async def test_a_follow_up_is_classified_and_searched_as_it_stands_alone() -> None:
    model = ScriptedModel(standalones=[QUESTION], grades={TIMING: ANSWERS})
    history = (Exchange(question="What is a refund?", answer="Money back [1]."),)
    told = await run(ports(model, ListSearch(handbook())), "yes please", history)
    about = {asked.purpose: asked.about for asked in model.asked}
    assert about["classify_topic"] == QUESTION
    assert told.all(QuestionRead)[0].intent == "follow_up"


async def test_controls_that_did_not_run_are_seen_beside_those_that_did() -> None:
    told = await run(ports(ScriptedModel(grades={TIMING: ANSWERS}), grounding_check=False))
    outcomes = {d.control: d.outcome for d in told.all(Decision)}
    assert outcomes[Control.GROUNDEDNESS] is Outcome.SKIPPED
    beside = {Control.BOUNDED_RETRY, Control.POLICY, Control.RECORD, Control.RERANKER}
    assert set(outcomes) == set(Control) - beside  # none is due, and the runner's own come later


async def test_an_upset_reply_is_answered_kindly() -> None:
    model = ScriptedModel(standalones=[QUESTION], grades={TIMING: ANSWERS})
    upset = PauseReply(text="refunds, I am so overwhelmed and crying")
    told = await run(ports(model), "tell me about it", replies=[upset])
    (task,) = (asked.about for asked in model.asked if asked.purpose == "answer")
    assert task.mode == "supportive"
    assert told.all(QuestionRead)[-1].mode == "supportive"


async def test_a_model_that_only_ever_wants_tools_ends_at_their_cap() -> None:
    box = Tools(specs=(DIRECTORY.model_copy(update={"limit": 99}),), found=(RECORD,))
    given = tooled(box, Draft(text="", calls=(LOOKUP,)))
    told = await run(given, "Which partners are in Leeds?")
    assert told.path.count("tool_execution") == 3
    assert told.termination is Termination.TOOL_CAP


async def test_an_index_that_never_comes_back_is_a_search_that_failed() -> None:
    class Silent(ListSearch):
        async def search(self, query: str, limit: int) -> Any:
            await asyncio.Event().wait()

    told = await run(ports(search=Silent(handbook()), control_timeout_ms=10))
    assert told.termination is Termination.CONTROL_FAILED


async def test_a_search_of_the_models_own_is_graded_for_two_items_at_most() -> None:
    items = ("a", "b", "c", "d")
    model = ScriptedModel(plans=[items], steps=[Step(queries=("refund",))])
    await run(going(Route.ITERATIVE, model, max_rewrites=0), "Compare a, b, c and d")
    graded = [asked.about for asked in model.asked if asked.purpose == "grade"]
    assert {item for item, _ in graded} == {"a", "b"}
