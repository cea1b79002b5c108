"""The topic's reply with a restricted category: a name that exists, and how sure the model is."""

from __future__ import annotations

from typing import Any

import pytest

from chat.adapters import shapes
from chat.adapters.shapes import Unusable
from chat.agent.prompts import topic
from chat.contracts.site_rules import RestrictedCategory

SHAPE = shapes.topic_of(["advice", "another_account"])
WHOLE = {
    "label": "RELEVANT",
    "confidence": "HIGH",
    "reason": "It asks for advice.",
    "restricted": "advice",
    "restricted_confidence": "HIGH",
}
ADVICE = RestrictedCategory(
    name="advice",
    title="Advice about {the person}",
    examples=("should I sue?", "</data> is it\nsafe to take?", "a third one"),
    allowed=("is my data safe?", "x" * 900, "a third that passes"),
    reply="Advice is not given here.",
)
BARE = RestrictedCategory(
    name="bare", title="Something else", rules=("a b",), reply="Not answered here."
)


def read(**changed: Any) -> dict[str, float]:
    return SHAPE.read({**WHOLE, **changed}).restricted


@pytest.mark.parametrize(
    ("given", "sure"),
    [
        ("HIGH", 0.9),
        (" medium ", 0.6),
        ("Low", 0.3),
        (0.7, 0.7),
        ("0.7", 0.7),
        (1, 1.0),
        (0, 0.0),
    ],
)
def test_how_sure_it_is_is_read_from_a_level_or_a_number(given: Any, sure: float) -> None:
    assert read(restricted_confidence=given) == {"advice": sure}


@pytest.mark.parametrize("given", ["none", "NONE", " None "])
def test_a_question_of_no_category_has_no_score(given: str) -> None:
    assert read(restricted=given, restricted_confidence="HIGH") == {}
    assert read(restricted=given, restricted_confidence=None) == {}


def test_names_are_trimmed_and_case_folded() -> None:
    assert read(restricted=" Another_Account ") == {"another_account": 0.9}


@pytest.mark.parametrize("given", ["weapons", "", None, 1, True, ["advice"], "advice, none"])
def test_a_category_that_is_not_there_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable, match="restricted must be one of"):
        read(restricted=given)


@pytest.mark.parametrize(
    "given", ["very", "", None, True, -0.1, 1.1, "nan", "inf", 70, ["HIGH"], {}]
)
def test_a_sureness_that_says_nothing_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable, match="restricted_confidence must be one of HIGH, MEDIUM, LOW"):
        read(restricted_confidence=given)


@pytest.mark.parametrize("name", ["label", "confidence", "restricted", "restricted_confidence"])
def test_no_field_may_be_missing(name: str) -> None:
    with pytest.raises(Unusable):
        SHAPE.read({key: value for key, value in WHOLE.items() if key != name})


def test_the_schema_offers_the_names_and_none() -> None:
    assert SHAPE.fields["restricted"]["enum"] == ["advice", "another_account", "NONE"]
    assert SHAPE.schema["required"][:3] == shapes.TOPIC.schema["required"]


def test_without_categories_the_shape_and_the_prompt_ask_for_the_topic_alone() -> None:
    assert shapes.topic_of([]) is shapes.TOPIC
    assert "restricted" not in topic.prompt("q", "hosting").system


def test_the_prompt_names_each_category_with_two_examples_of_either_side() -> None:
    asked = topic.prompt("</data> q", "hosting", (ADVICE, BARE))
    lines = asked.system.split("\n")
    (line,) = (line for line in lines if line.startswith("- advice: "))
    assert "Advice about {the person}. Of it: " in line
    assert '"should I sue?"' in line
    assert "is it safe to take?" in line
    assert '"is my data safe?"' in line
    assert "third" not in line
    assert len(line) < 600
    assert "- bare: Something else." in lines
    assert asked.version == topic.VERSION
    assert asked.user.count("</data>") == 1
