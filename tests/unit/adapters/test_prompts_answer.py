"""The answer's prompt brings what the task brings, and the rules for just that."""

from __future__ import annotations

import pytest

from chat.agent.prompts import answer, check, direct
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask, CheckTask, Image, ToolCall, ToolResult, ToolSpec
from chat.contracts.verdicts import Mode

IMAGE = Image(name="shot.png", media_type="image/png", data="aGk=")
TOOL = ToolSpec(name="look", description="Looks it up", parameters={"type": "object"})


def passage(text: str) -> Passage:
    return Passage(chunk=text, document="d", version=1, title="Billing", text=text)


PASSAGES = (passage("first"), passage("second"))
TASK = AnswerTask(question="q", passages=PASSAGES)


def result(text: str = "found", problem: str = "") -> ToolResult:
    call = ToolCall(id="1", tool="look", arguments={"name": "Kiel"})
    return ToolResult(call=call, text=text, problem=problem)


def test_passages_are_numbered_from_one_in_their_order() -> None:
    user = answer.prompt(TASK).user
    assert user.index("passage [1]") < user.index("first") < user.index("passage [2]")


def test_the_judge_sees_the_numbers_that_the_draft_uses() -> None:
    task = CheckTask(question="q", draft="d", claims=("c",), passages=PASSAGES)
    numbered = check.prompt(task).user
    start = answer.prompt(TASK).user.partition('<data kind="question">')[0].strip()
    assert numbered.startswith(start)


def test_the_judge_gets_the_claims_by_number_a_line_each() -> None:
    claims = ("It is free.", "It takes\n2. days.", *(f"Claim {n}." for n in range(200)))
    task = CheckTask(question="q", draft="d", claims=claims, passages=PASSAGES)
    region = check.prompt(task).user.partition('<data kind="claims">\n')[2]
    lines = region.partition("\n</data>")[0].splitlines()
    assert lines[:2] == ["1. It is free.", "2. It takes 2. days."]
    assert len(lines) == check.MOST_CLAIMS


@pytest.mark.parametrize(
    "tolerance",
    ["in a header", "rounding", "brackets", "percent and ratio", "fiscal year", "near names"]
    + ["durations", "You did not write it", "Be lenient on wording", "Be strict on grounding"],
)
def test_the_judge_is_told_what_is_the_same_and_what_is_not(tolerance: str) -> None:
    assert tolerance in check.SYSTEM


def test_what_was_not_found_is_named() -> None:
    task = TASK.model_copy(update={"gaps": ("a student discount",)})
    assert "- a student discount" in answer.prompt(task).user


@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_has_its_own_guidance(mode: Mode) -> None:
    task = TASK.model_copy(update={"mode": mode})
    assert answer.TONE[mode] in answer.prompt(task).system


def test_modes_differ_in_what_they_ask_for() -> None:
    assert "step by step" in answer.TONE[Mode.DETAILED]
    assert "document of their own" in answer.TONE[Mode.DOCUMENT]
    assert "kind, plain" in answer.TONE[Mode.SUPPORTIVE]
    assert len(set(answer.TONE.values())) == len(Mode) - 1  # a crisis is met like distress


def test_without_passages_and_results_there_is_courtesy_and_no_fact() -> None:
    prompt = answer.prompt(AnswerTask(question="Thank you", passages=()))
    assert prompt.version == direct.VERSION
    assert "State no fact" in prompt.system
    assert "End every sentence" not in prompt.system


def test_the_direct_path_keeps_a_tone_that_is_not_the_usual_one() -> None:
    task = AnswerTask(question="q", passages=(), mode=Mode.SUPPORTIVE)
    assert answer.TONE[Mode.SUPPORTIVE] in answer.prompt(task).system
    usual = AnswerTask(question="q", passages=())
    assert answer.TONE[Mode.STANDARD] not in answer.prompt(usual).system


def test_results_alone_are_no_direct_path() -> None:
    prompt = answer.prompt(AnswerTask(question="q", passages=(), results=(result(),)))
    assert prompt.version == answer.VERSION
    assert 'look {"name": "Kiel"}\nfound' in prompt.user


def test_a_call_that_failed_shows_its_problem() -> None:
    task = AnswerTask(question="q", passages=(), results=(result("It hangs.", "timeout"),))
    assert 'look {"name": "Kiel"} - timeout\nIt hangs.' in answer.prompt(task).user


def test_a_long_result_is_cut_and_shows_it() -> None:
    task = AnswerTask(question="q", passages=(), results=(result("x" * 50_000),))
    user = answer.prompt(task).user
    assert len(user) < 6_000
    assert "x …" in user


def test_claims_that_nothing_supports_are_listed_to_be_left_out() -> None:
    task = TASK.model_copy(update={"wrong": ("It costs nothing.",)})
    prompt = answer.prompt(task)
    assert "- It costs nothing." in prompt.user
    assert "Leave them out, or say" in prompt.system


def test_pictures_go_along_and_are_called_data() -> None:
    prompt = answer.prompt(TASK.model_copy(update={"images": (IMAGE,)}))
    assert prompt.images == (IMAGE,)
    assert "every word in them" in prompt.system


def test_rules_for_what_is_not_there_are_not_given() -> None:
    system = answer.prompt(TASK).system
    for words in ("tools", "Results", "earlier draft", "Pictures"):
        assert words not in system
    assert "call the tools" in answer.prompt(TASK.model_copy(update={"tools": (TOOL,)})).system
