"""Where a turn goes, as tables; what no branch knows raises instead of choosing one."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent import routing
from chat.agent.graph import ROUTES
from chat.agent.state import fresh
from chat.contracts.ports import AgentSettings
from chat.contracts.tasks import ToolCall
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    Clarity,
    Intent,
    Level,
    Mode,
    Route,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from tests.factories import passage

ON, OFF = TopicLabel.RELEVANT, TopicLabel.IRRELEVANT


def state(**changed: Any) -> Any:
    """A state after one pass that found nothing, with rewrites left."""
    limits = AgentSettings(**changed.pop("limits", {}))
    base = {
        **fresh(),
        "limits": limits,
        "mode": Mode.STANDARD,
        "intent": Intent.QUESTION,
        "route": Route.SINGLE_SHOT,
        "clarifications_before": 0,
        "covered": {"item": False},
        "accepted": (),
        "rewrites": 0,
        "passes": 1,
        "no_progress": 0,
        "search_failed": False,
        "budget_hit": None,
        "queries": {"item": "new words"},
        "tried": ("old words",),
        "model_failed": "",
        "blocked": False,
    }
    return base | changed


def topic(label: Any, confidence: Level) -> TopicVerdict:
    return TopicVerdict.model_construct(label=label, confidence=confidence, score=None, reason="")


@pytest.mark.parametrize(
    ("is_greeting", "then"), [(True, "greeting_response"), (False, "enhance_query")]
)
def test_after_detect_greeting(is_greeting: bool, then: str) -> None:
    assert routing.after_greeting(state(is_greeting=is_greeting)) == then


@pytest.mark.parametrize(
    ("verdict", "then"),
    [
        (None, "detect_ambiguity"),  # the check is off or could not run
        (topic(ON, Level.HIGH), "detect_ambiguity"),
        (topic(ON, Level.MEDIUM), "detect_ambiguity"),
        (topic(ON, Level.LOW), "detect_ambiguity"),
        (topic(OFF, Level.HIGH), "handle_off_topic"),
        (topic(OFF, Level.MEDIUM), "handle_off_topic"),
        (topic(OFF, Level.LOW), "generate_clarification"),
    ],
    ids=str,
)
def test_after_validate_topic(verdict: TopicVerdict | None, then: str) -> None:
    assert routing.after_topic(state(topic=verdict)) == then


NEVER_ASKED: list[dict[str, Any]] = [
    {"mode": Mode.SUPPORTIVE},
    {"clarifications_before": 2},
    {"clarifications_before": 1, "clarifications": 1},
    {"clarifications": 2},
    {"limits": {"agentic": False}},
    {"limits": {"max_clarifications": 0}},
    {"budget_hit": Termination.TIME_CAP},
]


@pytest.mark.parametrize("changed", NEVER_ASKED, ids=str)
def test_where_nobody_may_be_asked_an_unsure_topic_is_searched(changed: dict[str, Any]) -> None:
    unsure = state(topic=topic(OFF, Level.LOW), **changed)
    assert routing.after_topic(unsure) == "detect_ambiguity"


@pytest.mark.parametrize(
    ("mode", "intent", "then"),
    [
        (Mode.CRISIS, Intent.CRISIS, "crisis_response"),
        (Mode.DOCUMENT, Intent.DOCUMENT, "plan_search"),
        (Mode.STANDARD, Intent.QUESTION, "detect_greeting"),
        (Mode.SUPPORTIVE, Intent.QUESTION, "detect_greeting"),
    ],
)
def test_after_screen_input(mode: Mode, intent: Intent, then: str) -> None:
    assert routing.after_screening(state(mode=mode, intent=intent)) == then


@pytest.mark.parametrize(
    ("label", "then"),
    [
        (None, "choose_path"),  # the check is off or could not run
        (Clarity.SPECIFIC, "choose_path"),
        (Clarity.VAGUE, "generate_clarification"),
    ],
)
def test_after_detect_ambiguity(label: Clarity | None, then: str) -> None:
    clarity = None if label is None else AmbiguityVerdict(label=label)
    assert routing.after_ambiguity(state(clarity=clarity)) == then


@pytest.mark.parametrize("changed", NEVER_ASKED, ids=str)
def test_where_nobody_may_be_asked_a_vague_question_is_searched(changed: dict[str, Any]) -> None:
    vague = state(clarity=AmbiguityVerdict(label=Clarity.VAGUE), **changed)
    assert routing.after_ambiguity(vague) == "choose_path"


@pytest.mark.parametrize(
    ("changed", "then"),
    [
        ({}, "validate_topic"),
        ({"clarification_expired": True}, "final_gate"),
        ({"mode": Mode.CRISIS}, "final_gate"),
    ],
    ids=str,
)
def test_after_generate_clarification(changed: dict[str, Any], then: str) -> None:
    assert routing.after_clarification(state(**changed)) == then


@pytest.mark.parametrize(
    ("route", "then"),
    [
        (Route.DIRECT, "generate_response"),
        (Route.SINGLE_SHOT, "plan_search"),
        (Route.BASIC, "plan_search"),
        (Route.ITERATIVE, "agent"),
    ],
)
def test_after_choose_path(route: Route, then: str) -> None:
    assert routing.after_choice(state(route=route)) == then


@pytest.mark.parametrize("route", [Route.GREETING, Route.CRISIS, Route.CLARIFY, "other"])
def test_a_route_that_nobody_chooses_raises(route: Any) -> None:
    with pytest.raises(ValueError, match="no branch"):
        routing.after_choice(state(route=route))


@pytest.mark.parametrize(
    ("changed", "then"),
    [
        ({"step_queries": ("words",)}, "retrieve"),
        ({"step_queries": ("words",), "accepted": (passage(),)}, "retrieve"),
        ({"step_queries": ("words",), "budget_hit": Termination.TIME_CAP}, "handle_no_results"),
        (
            {
                "step_queries": ("words",),
                "accepted": (passage(),),
                "budget_hit": Termination.TOKEN_CAP,
            },
            "generate_response",
        ),
        ({"accepted": (passage(),)}, "generate_response"),
        ({"passes": 0}, "generate_response"),  # sure enough to answer without a search
        ({"passes": 0, "budget_hit": Termination.TIME_CAP}, "handle_no_results"),
        ({"passes": 1}, "handle_no_results"),
    ],
    ids=str,
)
def test_after_agent(changed: dict[str, Any], then: str) -> None:
    assert routing.after_step(state(**changed)) == then


COVERED: dict[str, Any] = {"covered": {"item": True}, "accepted": (passage(),)}
SOME: dict[str, Any] = {"accepted": (passage(),)}
USED_UP: dict[str, Any] = {"rewrites": 2, "passes": 3}

GRADES: list[tuple[str, dict[str, Any], str, str]] = [
    # what was found                evidence first          budget first
    ("covered", COVERED, "generate_response", "generate_response"),
    ("covered on the last pass", COVERED | USED_UP, "generate_response", "handle_no_results"),
    ("nothing yet", {}, "optimize_query", "optimize_query"),
    ("nothing and used up", USED_UP, "handle_no_results", "handle_no_results"),
    ("something", SOME, "optimize_query", "optimize_query"),
    ("something and used up", SOME | USED_UP, "generate_response", "handle_no_results"),
    (
        "one of two items and used up",
        {**SOME, **USED_UP, "covered": {"a": True, "b": False}},
        "generate_response",
        "handle_no_results",
    ),
    (
        "one of two items",
        {**SOME, "covered": {"a": True, "b": False}},
        "optimize_query",
        "optimize_query",
    ),
    (
        "a budget ended it",
        {"budget_hit": Termination.TIME_CAP},
        "handle_no_results",
        "handle_no_results",
    ),
    (
        "a budget ended it with something",
        {**SOME, "budget_hit": Termination.COST_CAP},
        "generate_response",
        "handle_no_results",
    ),
    ("the search failed", {"search_failed": True}, "handle_no_results", "handle_no_results"),
    (
        "the search failed later",
        {**SOME, "search_failed": True},
        "generate_response",
        "handle_no_results",
    ),
    ("no progress once", {"no_progress": 1}, "optimize_query", "optimize_query"),
    ("no progress twice", {"no_progress": 2}, "handle_no_results", "handle_no_results"),
    (
        "no progress twice, the stop is off",
        {"no_progress": 2, "limits": {"no_progress_stop": False}},
        "optimize_query",
        "optimize_query",
    ),
    ("the plain path", {"limits": {"agentic": False}}, "handle_no_results", "handle_no_results"),
    (
        "no rewrites allowed",
        {"limits": {"max_rewrites": 0}},
        "handle_no_results",
        "handle_no_results",
    ),
]


@pytest.mark.parametrize(
    ("changed", "evidence_first", "budget_first"),
    [case[1:] for case in GRADES],
    ids=[case[0] for case in GRADES],
)
def test_after_assess_relevance(
    changed: dict[str, Any], evidence_first: str, budget_first: str
) -> None:
    limits = changed.get("limits", {})
    for order, then in (("evidence", evidence_first), ("budget", budget_first)):
        given = state(**{**changed, "limits": {**limits, "check_order": order}})
        assert routing.after_grades(given) == then, order


def test_a_hit_on_the_last_retrieval_is_still_answered() -> None:
    assert routing.after_grades(state(**COVERED, **USED_UP)) == "generate_response"


OLD: dict[str, Any] = {"queries": {"item": "old words"}}


@pytest.mark.parametrize(
    ("changed", "then"),
    [
        ({}, "retrieve"),
        ({"queries": {"a": "old words", "b": "new words"}}, "retrieve"),
        ({"route": Route.ITERATIVE}, "agent"),
        (OLD, "handle_no_results"),
        (OLD | {"route": Route.ITERATIVE}, "handle_no_results"),
        (OLD | SOME, "generate_response"),
        (OLD | SOME | {"draft": "A draft [1]."}, "finish_answer"),
        ({"budget_hit": Termination.TIME_CAP}, "handle_no_results"),
        (SOME | {"budget_hit": Termination.TIME_CAP}, "generate_response"),
        ({"budget_hit": Termination.TIME_CAP, "draft": "A draft [1]."}, "finish_answer"),
    ],
    ids=str,
)
def test_after_optimize_query(changed: dict[str, Any], then: str) -> None:
    assert routing.after_rewrite(state(**changed)) == then


CALLS: dict[str, Any] = {"tool_calls": (ToolCall(id="1", tool="search_directory"),)}


@pytest.mark.parametrize(
    ("changed", "then"),
    [
        ({}, "check_grounding"),
        ({"model_failed": "timeout"}, "final_gate"),
        ({"model_failed": "timeout", **CALLS}, "final_gate"),
        (CALLS, "tool_execution"),
        ({**CALLS, "pending_action": "Open a ticket"}, "confirm_action"),
        ({**CALLS, "budget_hit": Termination.COST_CAP}, "final_gate"),
    ],
    ids=str,
)
def test_after_generate_response(changed: dict[str, Any], then: str) -> None:
    assert routing.after_draft(state(**changed)) == then


@pytest.mark.parametrize(
    ("declined", "then"), [(True, "generate_response"), (False, "tool_execution")]
)
def test_after_confirm_action(declined: bool, then: str) -> None:
    assert routing.after_confirmation(state(declined=declined)) == then


@pytest.mark.parametrize(
    ("correction", "then"),
    [
        ("", "finish_answer"),
        ("write", "generate_response"),
        ("search", "optimize_query"),
        ("plan", "plan_search"),
    ],
)
def test_after_check_grounding(correction: str, then: str) -> None:
    assert routing.after_check(state(correction=correction)) == then


def test_an_unknown_correction_raises() -> None:
    with pytest.raises(KeyError):
        routing.after_check(state(correction="shrug"))


def test_every_router_has_a_table_here() -> None:
    tables = {name.removeprefix("test_after_") for name in globals() if "test_after_" in name}
    assert tables == set(ROUTES)


@pytest.mark.parametrize(("blocked", "then"), [(True, "fallback"), (False, "deliver")])
def test_after_final_gate(blocked: bool, then: str) -> None:
    assert routing.after_gate(state(blocked=blocked)) == then


@pytest.mark.parametrize("label", ["MAYBE", "vague", "", None])
def test_an_unknown_clarity_raises(label: Any) -> None:
    verdict = AmbiguityVerdict.model_construct(label=label)
    with pytest.raises(ValueError, match="no branch"):
        routing.after_ambiguity(state(clarity=verdict))


@pytest.mark.parametrize("label", ["MAYBE", "relevant", "", None])
def test_an_unknown_topic_raises(label: Any) -> None:
    with pytest.raises(ValueError, match="no branch"):
        routing.after_topic(state(topic=topic(label, Level.HIGH)))


def test_an_unknown_check_order_raises() -> None:
    with pytest.raises(ValueError, match="no branch"):
        routing.after_grades(state(limits={"check_order": "luck"}))
