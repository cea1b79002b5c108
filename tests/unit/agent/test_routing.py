"""Where a turn goes, as tables; what no branch knows raises instead of choosing one."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent import routing
from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Level, Termination, TopicLabel, TopicVerdict
from tests.factories import passage

ON, OFF = TopicLabel.RELEVANT, TopicLabel.IRRELEVANT


def state(**changed: Any) -> Any:
    """A state after one pass that found nothing, with rewrites left."""
    limits = AgentSettings(**changed.pop("limits", {}))
    base = {
        "limits": limits,
        "covered": {"item": False},
        "accepted": (),
        "rewrites": 0,
        "passes": 1,
        "no_progress": 0,
        "search_failed": False,
        "budget_hit": None,
        "query": "new words",
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
        (None, "plan_search"),  # the check is off or could not run
        (topic(ON, Level.HIGH), "plan_search"),
        (topic(ON, Level.MEDIUM), "plan_search"),
        (topic(ON, Level.LOW), "plan_search"),
        (topic(OFF, Level.HIGH), "handle_off_topic"),
        (topic(OFF, Level.MEDIUM), "handle_off_topic"),
        (topic(OFF, Level.LOW), "plan_search"),
    ],
    ids=str,
)
def test_after_validate_topic(verdict: TopicVerdict | None, then: str) -> None:
    assert routing.after_topic(state(topic=verdict)) == then


def test_low_confidence_is_searched_and_not_refused() -> None:
    assert routing.after_topic(state(topic=topic(OFF, Level.LOW))) == "plan_search"


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


@pytest.mark.parametrize(
    ("query", "then"),
    [("new words", "retrieve"), ("old words", "handle_no_results")],
)
def test_after_optimize_query(query: str, then: str) -> None:
    assert routing.after_rewrite(state(query=query)) == then


def test_a_refused_rewrite_does_not_throw_accepted_evidence_away() -> None:
    found = state(query="old words", accepted=(passage(),))
    assert routing.after_rewrite(found) == "generate_response"


@pytest.mark.parametrize(("reason", "then"), [("", "finish_answer"), ("timeout", "final_gate")])
def test_after_generate_response(reason: str, then: str) -> None:
    assert routing.after_draft(state(model_failed=reason)) == then


@pytest.mark.parametrize(("blocked", "then"), [(True, "fallback"), (False, "deliver")])
def test_after_final_gate(blocked: bool, then: str) -> None:
    assert routing.after_gate(state(blocked=blocked)) == then


@pytest.mark.parametrize("label", ["MAYBE", "relevant", "", None])
def test_an_unknown_topic_raises(label: Any) -> None:
    with pytest.raises(ValueError, match="no branch"):
        routing.after_topic(state(topic=topic(label, Level.HIGH)))


def test_an_unknown_check_order_raises() -> None:
    with pytest.raises(ValueError, match="no branch"):
        routing.after_grades(state(limits={"check_order": "luck"}))
