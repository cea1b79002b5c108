"""What a model is told of the two tools, and which questions ask for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.contracts.tasks import ToolSpec
from chat.guardrails.questions.intents import wanted_tools
from chat.sample.loader import examples, golden_five
from chat.tools.directory import MANY_AREAS, SearchDirectory
from chat.tools.known import Catalogue, Known
from chat.tools.tickets import OpenTicket

DATA = Path(__file__).parents[2] / "data"
KNOWN = Known(
    kinds=("data centre", "partner"), areas=("Dublin, Ireland", "Online"), attributes=("languages",)
)


def search_spec(known: Known = KNOWN) -> ToolSpec:
    return SearchDirectory(Catalogue(lambda: known)).spec


@pytest.fixture
def known_spec() -> ToolSpec:
    catalogue = Catalogue(lambda: KNOWN)
    catalogue.learn()
    return SearchDirectory(catalogue).spec


def fields(spec: ToolSpec) -> dict[str, Any]:
    found: dict[str, Any] = spec.parameters["properties"]
    return found


def test_kinds_areas_and_attributes_of_the_table_stand_in_the_schema(known_spec: ToolSpec):
    assert fields(known_spec)["kind"]["enum"] == ["", "data centre", "partner"]
    assert fields(known_spec)["area"]["enum"] == ["", "Dublin, Ireland", "Online"]
    assert "Attributes: languages." in fields(known_spec)["filters"]["description"]


def test_before_the_table_was_read_any_text_may_be_given():
    assert "enum" not in fields(search_spec())["kind"]


def test_with_many_areas_only_the_kinds_are_listed():
    catalogue = Catalogue(lambda: Known(("partner",), tuple(map(str, range(MANY_AREAS + 1)))))
    catalogue.learn()
    spec = SearchDirectory(catalogue).spec
    assert "enum" in fields(spec)["kind"]
    assert "enum" not in fields(spec)["area"]


def test_the_search_may_be_repeated_and_the_ticket_may_not(known_spec: ToolSpec):
    ticket = OpenTicket(None).spec
    assert (known_spec.irreversible, ticket.irreversible, ticket.limit) == (False, True, 1)
    assert known_spec.limit > 1


@pytest.mark.parametrize("spec", [search_spec(), OpenTicket(None).spec], ids=lambda s: s.name)
def test_a_schema_is_one_closed_object_with_words_for_each_field(spec: ToolSpec):
    assert spec.parameters["type"] == "object"
    assert spec.parameters["additionalProperties"] is False
    assert all(field["description"] for field in fields(spec).values())
    json.dumps(spec.parameters)
    assert 0 < spec.timeout_ms <= 10_000


# ---- which questions ask for a tool


def wanted(question: str) -> list[str]:
    """The tools that the agent reads out of the question."""
    specs = (search_spec(), OpenTicket(None).spec)
    return list(wanted_tools(question, [(spec.name, spec.hints) for spec in specs]))


@pytest.mark.parametrize("file", sorted(DATA.glob("*.json")), ids=lambda path: path.stem)
def test_no_question_of_the_shipped_sets_asks_for_a_tool(file: Path):
    questions = [row["text"] for row in json.loads(file.read_text("utf-8"))]
    assert questions
    assert {q: wanted(q) for q in questions if wanted(q)} == {}


def test_no_golden_question_and_no_question_that_is_not_ours_asks_for_a_tool():
    shown = examples()
    questions = (*(g.question for g in golden_five()), *shown.shown_questions, *shown.off_topic)
    assert {q: wanted(q) for q in questions if wanted(q)} == {}


def test_examples_about_the_handbook_ask_for_no_tool():
    """Those that do are examples of the directory and of asking for a person, and no more."""
    asking = {q for q in examples().on_topic if wanted(q)}
    about = ("partner", "meet-up", "meetups", "agencies", "human")
    assert {q for q in asking if not any(word in q for word in about)} == set()


@pytest.mark.parametrize(
    "question",
    [
        "Is there a partner in Hamburg?",
        "Which partners speak French?",
        "I need an agency for my shop",
        "is there a meetup in toronto",
        "When is the next meet-up in Dublin?",
        "Who can migrate my shop to you?",
        "Can I visit a data centre?",
    ],
)
def test_who_asks_for_people_and_places_asks_for_the_directory(question: str):
    assert wanted(question) == ["search_directory"]


@pytest.mark.parametrize(
    "question",
    [
        "Please open a ticket: my invoice is wrong",
        "I want to talk to a human",
        "can you raise a case for this",
        "Let me speak with someone",
        "contact support for me please",
    ],
)
def test_who_asks_for_a_person_asks_for_a_ticket(question: str):
    assert wanted(question) == ["open_ticket"]


def test_hints_are_plain_lower_case_phrases_without_doubles():
    for spec in (search_spec(), OpenTicket(None).spec):
        assert len(set(spec.hints)) == len(spec.hints)
        assert all(hint == " ".join(hint.lower().split()) for hint in spec.hints)
