"""Which way a question went, and why, in words; a router that could not say is not quoted."""

from __future__ import annotations

from typing import Any

import pytest

from admin_tracing.course import course, route
from chat.contracts.events import QuestionRead, RouteTaken
from chat.contracts.verdicts import Route
from tests.traces import QUESTION, Trace, refund_with_one_rewrite

ONCE, DEEP, DIRECT = Route.SINGLE_SHOT, Route.ITERATIVE, Route.DIRECT


def words(**fields: Any) -> tuple[str, str]:
    told = route(RouteTaken(**{"decided": ONCE, "taken": ONCE, **fields}))
    return told["line"], told["why"]


def test_a_sure_router_is_quoted_with_its_confidence() -> None:
    line = "decided single shot 0.71 → taken single shot"
    assert words(confidence=0.71, why="nearest example") == (line, "nearest example")


def test_an_unsure_router_is_said_to_have_gone_up() -> None:
    _, why = words(confidence=0.5, taken=DEEP, why="two are near")
    assert why == "two are near; one level up"


def test_the_model_may_answer_without_a_search() -> None:
    _, why = words(decided=DEEP, confidence=0.9, taken=DIRECT)
    assert why == "answered without a search"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "the router gave no answer: timeout",
            "The router could not say (timeout), so the documents are searched once.",
        ),
        ("pinned", "No router was asked: pinned."),
        ("", ""),
    ],
)
def test_a_router_that_did_not_decide_is_not_quoted(given: str, said: str) -> None:
    assert words(confidence=None, why=given) == ("taken single shot", said)


def test_a_way_that_is_none_of_the_three_went_neither_up_nor_down() -> None:
    assert words(decided=Route.GREETING, confidence=1.0, taken=Route.GREETING)[1] == ""


def test_the_course_has_each_reading_with_its_event() -> None:
    found = course(refund_with_one_rewrite())
    assert [seq for seq, _ in found["route"]] == [20, 85]
    assert found["covered"][0][1] == {QUESTION: False}
    assert found["covered"][-1][1] == {QUESTION: True}


def test_the_question_is_read_in_words() -> None:
    trace = Trace()
    given = {"intent": "follow_up", "mode": "standard", "context_level": "HIGH"}
    trace.tell(QuestionRead(standalone=QUESTION, items=("a", "b"), **given))
    ((_, read),) = course(trace.events)["read"]
    assert read == {
        "standalone": QUESTION,
        "items": ["a", "b"],
        "intent": "follow up",
        "mode": "standard",
        "level": "high",
    }
