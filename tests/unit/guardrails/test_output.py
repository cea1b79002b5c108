"""The final gate lets nothing empty out, and fixed replies say what can be done next."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Termination
from chat.guardrails import output

COVERS = "plans and prices, billing, and servers"
EXAMPLES = ("How do I restore a backup?", "How much does the smallest server cost?", "A third?")
CAUSES = [
    Termination.GATE_BLOCKED,
    Termination.MODEL_FAILED,
    Termination.CONTROL_FAILED,
    Termination.TIME_CAP,
    Termination.TOKEN_CAP,
    Termination.COST_CAP,
    Termination.PASS_CAP,
    Termination.TOOL_CAP,
    Termination.STEP_LIMIT,
    Termination.INTERRUPTED,
]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "missing"),
        ("", "blank"),
        (" \n\t\u00a0", "blank"),
        ("\u200b\ufeff\u2060", "blank"),
        ("Yes. [1]", "too_short"),
        ("  123456789  ", "too_short"),
        ("1234567890", ""),
        ("Refunds take 5 to 10 days [1].", ""),
    ],
)
def test_the_gate_blocks_what_is_missing_blank_or_a_scrap(text: str | None, reason: str) -> None:
    verdict = output.final_gate(text)
    assert verdict.reason == reason
    assert verdict.passed is (reason == "")


@given(st.one_of(st.none(), st.text()))
def test_the_gate_cannot_fail(text: str | None) -> None:
    assert output.final_gate(text).passed is (output.final_gate(text).reason == "")


def replies() -> dict[str, str]:
    fixed = {
        "greeting": output.greeting_reply(COVERS, EXAMPLES),
        "off topic": output.off_topic_reply(COVERS, EXAMPLES),
        "no results": output.no_results_reply("student discount", ("price cut",), COVERS, EXAMPLES),
    }
    return fixed | {c.value: output.fallback_reply(c, COVERS, EXAMPLES) for c in CAUSES}


@pytest.mark.parametrize("name", list(replies()))
def test_every_reply_is_calm_says_what_is_covered_and_names_two_questions(name: str) -> None:
    text = replies()[name]
    assert COVERS in text
    assert EXAMPLES[0] in text
    assert EXAMPLES[1] in text
    assert EXAMPLES[2] not in text
    assert "!" not in text
    assert not re.search(r"\b(sorry|apolog|unfortunately|oops|error)", text, re.IGNORECASE)
    assert output.final_gate(text).passed


def test_each_cause_has_words_of_its_own() -> None:
    assert len({output.fallback_reply(cause, "") for cause in CAUSES}) == len(CAUSES)


def test_a_cause_without_words_gets_the_plainest_ones() -> None:
    assert output.fallback_reply(Termination.USER_STOP, "") == output.fallback_reply(
        Termination.GATE_BLOCKED, ""
    )


def test_no_results_names_what_was_looked_for_once_each() -> None:
    text = output.no_results_reply(
        "Is there a student discount?",
        ("is there a student discount?", "price reduction", "Price reduction", "education plan"),
        COVERS,
    )
    assert "“Is there a student discount?”, also as “price reduction”, “education plan”." in text
    assert "You could ask" not in text


def test_a_question_that_found_nothing_is_not_offered_again() -> None:
    text = output.no_results_reply(EXAMPLES[0].upper(), (), COVERS, EXAMPLES)
    assert f"- {EXAMPLES[0]}" not in text
    assert EXAMPLES[1] in text
    assert EXAMPLES[2] in text


def test_what_a_person_typed_is_shown_as_they_typed_it() -> None:
    text = output.no_results_reply("**a** [1](https://x.example)\n\n# <b>", (), "")
    assert r"“\*\*a\*\* \[1\](https://x.example) \# \<b\>”" in text


def test_a_long_question_is_cut() -> None:
    text = output.no_results_reply("why " * 400, (), "")
    assert len(text) < 400
    assert "…”" in text


def test_without_anything_to_cover_the_reply_is_the_sentence_alone() -> None:
    assert output.greeting_reply("") == output.GREETING


@pytest.mark.parametrize(
    ("text", "soft"),
    [
        ("Unfortunately, refunds take a week.", "Currently, refunds take a week."),
        ("It is unfortunately so, sadly.", "It is currently so, currently."),
        ("The unfortunate case.", "The unfortunate case."),
    ],
)
def test_words_that_only_colour_are_put_plainly(text: str, soft: str) -> None:
    assert output.soften(text) == soft
