"""Replies to the tasks around the search are held against what can be used."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.shapes import Unusable
from chat.adapters.task_shapes import AMBIGUITY, confidence, new_queries, plan_of, step_of, texts
from chat.contracts.tasks import Step
from chat.contracts.verdicts import AmbiguityVerdict, Clarity

QUESTION = "What do A and B cost?"


@pytest.mark.parametrize("given", ["VAGUE ", " vague", "Vague\n", "vague"])
def test_capitals_and_spaces_around_a_label_change_nothing(given: str) -> None:
    verdict = AMBIGUITY.read({"label": given, "question": "What is it about?"})
    assert verdict == AmbiguityVerdict(label=Clarity.VAGUE, question="What is it about?")


@pytest.mark.parametrize("given", ["unclear", "", None, True, "VAGUE or SPECIFIC", ["VAGUE"]])
def test_any_other_label_of_clarity_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable, match="SPECIFIC, VAGUE"):
        AMBIGUITY.read({"label": given, "question": "What is it about?"})


@pytest.mark.parametrize("question", ["", "  ", None, 7, "x" * 1_001])
def test_vague_without_a_question_to_ask_is_unusable(question: Any) -> None:
    with pytest.raises(Unusable, match="question"):
        AMBIGUITY.read({"label": "VAGUE", "question": question})


def test_a_specific_question_brings_no_words_to_ask_with() -> None:
    given = {"label": "specific", "question": "Which plan?", "options": ["A"], "reason": "r"}
    assert AMBIGUITY.read(given) == AmbiguityVerdict(label=Clarity.SPECIFIC, reason="r")


def test_options_are_three_short_different_ones() -> None:
    options = ["Refunds", "refunds ", "x" * 81, 7, "", "Backups", "Domains", "Mail"]
    given = {"label": "VAGUE", "question": "What about?", "options": options}
    assert AMBIGUITY.read(given).options == ("Refunds", "Backups", "Domains")


def test_a_plan_of_several_items_keeps_their_order() -> None:
    given = {"items": ["What does A cost?", " What does B\n cost? ", "what does a cost"]}
    assert plan_of(QUESTION).read(given) == ("What does A cost?", "What does B cost?")


def test_a_plan_of_one_item_is_the_question_in_the_persons_own_words() -> None:
    assert plan_of(QUESTION).read({"items": ["Price of A and B"]}) == (QUESTION,)


@pytest.mark.parametrize(
    "items", [[], None, "", [""], [7], [f"item {n}" for n in range(7)], ["ok", "x" * 1_001]]
)
def test_a_plan_without_fitting_items_is_unusable(items: Any) -> None:
    with pytest.raises(Unusable, match="item"):
        plan_of(QUESTION).read({"items": items})


def test_a_step_in_fields_searches_or_says_how_sure_it_is() -> None:
    shape = step_of(("refund time",))
    searches = shape.read({"why": "w", "queries": ["days", "Refund time!"], "confidence": 0.9})
    assert searches == Step(queries=("days",), why="w")
    assert shape.read({"queries": [], "confidence": 0.9}) == Step(confidence=0.9)


def test_a_step_that_only_repeats_itself_is_unusable() -> None:
    with pytest.raises(Unusable, match="not tried"):
        step_of(("refund time",)).read({"queries": ["Refund  TIME"]})


def test_at_most_three_new_queries_are_taken() -> None:
    wanted = ["a", "A!", "x" * 301, "b", "?", "c", "d"]
    assert new_queries(wanted, ("b",)) == ("a", "c", "d")
    assert new_queries(["a", "b", "c", "d"], ()) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("given", "value"),
    [(0.9, 0.9), (1, 1.0), (0, 0.0), ("0.5", 0.5), (" 0.5 ", 0.5)]
    + [(90, None), (-0.1, None), ("high", None), (True, None), (None, None), ([1], None)]
    + [(float("nan"), None), (10**400, None), ("inf", None)],
)
def test_a_confidence_is_from_nought_to_one_or_it_is_none(given: Any, value: float | None) -> None:
    assert confidence({"confidence": given}) == value


@given(st.lists(st.text(max_size=5) | st.integers()))
def test_texts_are_storable_lines_without_repeats(entries: list[Any]) -> None:
    found = texts({"f": entries}, "f")
    assert all(line and line == " ".join(line.split()) for line in found)
    assert len({tuple(line.casefold().split()) for line in found}) == len(found)
