"""A label is trimmed and case-folded, then it is in the table or it is unusable."""

from __future__ import annotations

from typing import Any

import pytest

from chat.adapters import shapes
from chat.adapters.shapes import Unusable
from chat.contracts.tasks import RewriteTask
from chat.contracts.verdicts import Grade, GradeLabel, Level, TopicLabel, TopicVerdict

TASK = RewriteTask(question="How long does a refund take?", tried=("refund time",), hits=())


@pytest.mark.parametrize("given", ["yes", "Yes", " yes", "YES\n", "ANSWERS", "answers "])
def test_the_capital_y_does_not_send_good_evidence_to_a_rewrite(given: str) -> None:
    assert shapes.GRADE.read({"label": given}).label is GradeLabel.ANSWERS


@pytest.mark.parametrize(
    ("given", "label"),
    [("no", GradeLabel.IRRELEVANT), ("Supports", GradeLabel.SUPPORTS)],
)
def test_other_labels_map_by_the_same_table(given: str, label: GradeLabel) -> None:
    assert shapes.GRADE.read({"label": given}).label is label


@pytest.mark.parametrize(
    "given", ["maybe", "", "relevant", "UNGRADED", "yes and no", None, True, 1, ["yes"], {}]
)
def test_any_other_label_is_unusable_and_no_branch(given: Any) -> None:
    with pytest.raises(Unusable, match="ANSWERS, SUPPORTS, IRRELEVANT"):
        shapes.GRADE.read({"label": given})


def test_a_reason_is_one_short_storable_line() -> None:
    grade = shapes.GRADE.read({"label": "no", "reason": "one\n two\0 \ud83d" + "x" * 999})
    assert grade.reason.startswith("one two \ufffdxxx")
    assert len(grade.reason) == 300


def test_a_missing_reason_does_not_void_a_grade() -> None:
    assert shapes.GRADE.read({"label": "no", "reason": 7}) == Grade(label=GradeLabel.IRRELEVANT)


def test_a_topic_needs_both_of_its_labels() -> None:
    whole = {"label": "Relevant", "confidence": "low", "reason": "short"}
    assert shapes.TOPIC.read(whole) == TopicVerdict(
        label=TopicLabel.RELEVANT, confidence=Level.LOW, reason="short"
    )
    with pytest.raises(Unusable):
        shapes.TOPIC.read({"label": "RELEVANT"})


@pytest.mark.parametrize("question", ["", " \n", None, "x" * 1_001])
def test_a_question_without_fitting_text_is_unusable(question: Any) -> None:
    with pytest.raises(Unusable):
        shapes.STANDALONE.read({"question": question})


@pytest.mark.parametrize(
    "query",
    ["", "word " * 20, "refund time", "Refund  TIME!", "how long does a refund take"],
    ids=["empty", "too long", "tried", "tried in other dress", "the question itself"],
)
def test_a_rewrite_must_be_short_and_new(query: str) -> None:
    with pytest.raises(Unusable):
        shapes.rewrite_of(TASK).read({"query": query})


def test_a_rewrite_of_nineteen_new_words_is_taken() -> None:
    query = " ".join(f"word{n}" for n in range(19))
    assert shapes.rewrite_of(TASK).read({"query": query}) == query


@pytest.mark.parametrize("shape", [shapes.GRADE, shapes.TOPIC, shapes.GREETING, shapes.PROBE])
def test_every_label_in_a_schema_can_be_read(shape: shapes.Shape[Any]) -> None:
    filled = {name: rule.get("enum", ["text"]) for name, rule in shape.fields.items()}
    for name, labels in filled.items():
        for label in labels:
            shape.read({key: values[0] for key, values in filled.items()} | {name: label})


def test_a_schema_asks_for_all_fields_and_no_others() -> None:
    schema = shapes.TOPIC.schema
    assert schema["required"] == ["reason", "label", "confidence"]
    assert schema["additionalProperties"] is False
