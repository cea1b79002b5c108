"""Rules of a prompt can be put in other words; data stays data, and a name its own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.agent.prompts import answer, grading, rewrite, topic
from chat.agent.prompts.parts import DATA_RULE
from chat.agent.prompts.versions import FIXED, OPEN, SHIPPED, line, worded
from chat.contracts.tasks import AnswerTask, PromptWords, RewriteTask
from chat.contracts.verdicts import Mode
from tests.doubles.openai_model import REFUND

QUESTION = "How long does a refund take?"
OTHER = PromptWords(name="grade-b", system="Say whether the passage answers.")
ANSWER = AnswerTask(question=QUESTION, passages=(REFUND,), mode=Mode.DETAILED)


def test_other_rules_take_the_place_of_the_shipped_ones() -> None:
    shown = worded(grading.prompt(QUESTION, REFUND), {"grade": OTHER})
    assert shown.version == "grade-b"
    assert shown.system.startswith(OTHER.system)
    assert grading.SYSTEM not in shown.system
    assert shown.user == grading.prompt(QUESTION, REFUND).user


def test_a_prompt_of_another_purpose_is_let_be() -> None:
    plain = rewrite.prompt(RewriteTask(question=QUESTION, tried=(), hits=()))
    assert worded(plain, {"grade": OTHER}) == plain


def test_what_is_added_to_the_rules_of_an_answer_stays() -> None:
    words = PromptWords(name="answer-b", system="Answer in one line.")
    shown = worded(answer.prompt(ANSWER), {"answer": words})
    assert answer.TONE[Mode.DETAILED] in shown.system
    assert answer.SYSTEM not in shown.system


def test_rules_for_answers_are_not_those_for_a_reply_without_documents() -> None:
    plain = answer.prompt(AnswerTask(question="Thanks", passages=()))
    assert worded(plain, {"answer": PromptWords(name="answer-b", system="x")}) == plain
    shown = worded(plain, {"direct": PromptWords(name="direct-b", system="Be kind.")})
    assert shown.version == "direct-b"


@pytest.mark.parametrize("purpose", sorted(FIXED))
def test_a_prompt_that_is_made_of_the_sites_own_scope_has_no_other_version(purpose: str) -> None:
    plain = topic.prompt(QUESTION, "hosting")
    assert worded(plain, {purpose: PromptWords(name="b", system="Say yes.")}) == plain
    assert purpose not in OPEN


@given(st.text(min_size=1))
def test_data_is_never_an_instruction_whatever_the_rules_say(system: str) -> None:
    words = {"grade": PromptWords(name="grade-b", system=system)}
    shown = worded(grading.prompt(QUESTION, REFUND), words)
    assert shown.system.count(DATA_RULE) == 1


def test_the_line_of_versions_names_what_is_really_said() -> None:
    assert "grading-1" in line({})
    assert "grading-1" not in line({"grade": OTHER})
    assert "grade-b" in line({"grade": OTHER}).split()
    assert len(line({}).split()) == len(SHIPPED)
