"""The final gate lets nothing empty out, and fixed replies say what can be done next."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Termination
from chat.guardrails import output
from chat.site_rules import site_rules
from config.variables import Settings

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
    Termination.CLARIFICATION_EXPIRED,
    Termination.ACTION_DECLINED,
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


def test_a_heap_of_search_words_is_not_shown_to_a_person() -> None:
    heap = "refund welcome approved sent reviewed payment deleted"
    text = output.no_results_reply("Is there a discount?", (heap,), COVERS)
    assert "“Is there a discount?”, also in other words." in text
    assert "welcome approved" not in text


def test_missing_words_stand_as_they_were_typed_and_say_something() -> None:
    text = output.no_results_reply("What do you have in Leeds?", (), COVERS)
    told = output.with_missing_words(text, ("what", "have", "leeds"))
    assert "Nothing that was found speaks of “Leeds”." in told


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
    assert output.soften(text, site_rules().soften) == soft


def test_without_words_of_its_own_a_site_keeps_the_text() -> None:
    assert output.soften("Unfortunately not.", {}) == "Unfortunately not."


def test_a_longer_phrase_is_put_plainly_before_the_words_in_it() -> None:
    softer = {"very": "", "very much": "much"}
    assert output.soften("Very much so.", softer) == "Much so."


CONTACTS = "In an emergency call 112. Helplines: https://findahelpline.com"


def test_the_reply_to_a_crisis_is_fixed_and_names_the_contacts() -> None:
    text = output.crisis_reply(CONTACTS)
    assert "call 112. Helplines: <https://findahelpline.com>" in text
    assert text == output.crisis_reply(CONTACTS)
    assert len(text) < 900
    assert output.final_gate(text).passed


@pytest.mark.parametrize(
    ("contacts", "shown"),
    [
        ("See https://help.example/a. Or call 1.", "See <https://help.example/a>. Or call 1."),
        ("See <https://help.example>", "See <https://help.example>"),
        ("[Help](https://help.example)", "[Help](https://help.example)"),
        ("Call 112", "Call 112"),
    ],
)
def test_an_address_of_help_is_a_link_to_press(contacts: str, shown: str) -> None:
    assert shown in output.crisis_reply(contacts).split("\n\n")


@pytest.mark.parametrize("contacts", [CONTACTS, "", "  \n "])
def test_the_reply_to_a_crisis_is_calm_and_about_the_person(contacts: str) -> None:
    text = output.crisis_reply(contacts)
    assert "!" not in text
    assert "\n\n\n" not in text
    assert "emergency number" in text
    assert not re.search(
        r"\b(document|source|search|answer|covered|question|sorry|unfortunately)", text, re.I
    )


def test_the_contacts_of_the_settings_name_numbers_and_helplines() -> None:
    contacts = Settings().crisis_contacts
    for known in ("112", "911", "999", "findahelpline.com"):
        assert known in contacts


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("What does this clause mean?", "What does this clause mean?"),
        ("I got this:\nWhat is it?", "I got this: What is it?"),
        ("", "What does this document say?"),
        (" \n", "What does this document say?"),
    ],
)
def test_a_paste_stands_for_a_question(lead: str, question: str) -> None:
    assert output.paste_question(lead) == question


@pytest.mark.parametrize(
    ("gaps", "line"),
    [
        ((), ""),
        (("", " ?"), ""),
        (("the loan rate",), "Nothing was found about: the loan rate."),
        (
            ("What is the fee?", "the loan rate.", "What is the fee?"),
            "Nothing was found about: What is the fee; the loan rate.",
        ),
        (("a\nb",), "Nothing was found about: a b."),
        (("*x*",), r"Nothing was found about: \*x\*."),
    ],
)
def test_gaps_are_named_in_one_sentence(gaps: tuple[str, ...], line: str) -> None:
    assert output.gap_line(gaps) == line


RATE = "What is the rate on my personal loan?"


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 99 dollars [1]. Nothing was found about the rate on your personal loan.",
        "The documents do not give the personal loan rate.",
        "The fee is 99 dollars [1].\n\nPersonal loan rate: not found in the documents",
        "It isn't said what is the rate on my personal loan.",
    ],
)
def test_a_gap_is_named_where_a_sentence_says_it_is_missing(text: str) -> None:
    assert output.names_every(text, (RATE,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The rate on your personal loan is about 9 percent.",
        "The fee is 99 dollars [1]. There is no other fee.",
        "No fee is charged. The rate on your personal loan is about 9 percent.",
        "Nothing was found about the loan.",
    ],
)
def test_an_answer_about_the_thing_names_no_gap(text: str) -> None:
    assert not output.names_every(text, (RATE,))


def test_every_gap_has_to_be_named() -> None:
    text = "Nothing was found about: the fee."
    assert output.names_every(text, ())
    assert output.names_every(text, ("the fee",))
    assert not output.names_every(text, ("the fee", "the rate"))


WORDS = st.text(st.characters(categories=("Ll", "Lu", "Nd", "Po", "Zs")), min_size=1, max_size=40)


@given(st.lists(WORDS, max_size=5))
def test_the_line_of_gaps_names_each_of_them(gaps: list[str]) -> None:
    named = [gap for gap in gaps if output.gap_line([gap])]
    assert output.names_every(f"An answer [1].\n\n{output.gap_line(gaps)}", named)


def test_words_that_no_passage_holds_are_named_after_what_was_looked_for() -> None:
    reply = output.no_results_reply("student discount", (), COVERS, EXAMPLES)
    text = output.with_missing_words(reply, ("student", "discount", "student"))
    opening, rest = reply.split("\n\n", 1)
    assert text == f"{opening} Nothing that was found speaks of “student”, “discount”.\n\n{rest}"
    assert output.with_missing_words(reply, ()) == reply
    assert output.with_missing_words(reply, (" ",)) == reply


def test_swearing_and_words_that_only_ask_are_not_said_back() -> None:
    words = ("long", "fucking", "take", "morons", "voucher")
    text = output.with_missing_words("Nothing here.", words)
    assert text == "Nothing here. Nothing that was found speaks of “voucher”."
    assert output.with_missing_words("Nothing here.", words[:4]) == "Nothing here."


def test_what_tells_of_somebodys_health_is_not_said_back() -> None:
    asked = "I was diagnosed with cancer and my voucher is lost"
    reply = output.no_results_reply(asked, (asked, "lost voucher"), COVERS)
    text = output.with_missing_words(reply, ("diagnosed", "cancer", "voucher"))
    assert text == reply
    assert "cancer" not in text
    assert text.startswith(f"{output.NO_RESULTS} {output.NO_RESULTS_NEXT}")
    assert COVERS in text


def test_at_most_five_missing_words_are_named() -> None:
    text = output.with_missing_words("Nothing here.", [f"word{n}" for n in range(9)])
    assert "“word4”." in text
    assert "word5" not in text


def test_an_unsure_topic_is_asked_about_in_one_plain_question() -> None:
    assert output.UNSURE_TOPIC.endswith("?")
    assert output.UNSURE_TOPIC.count("?") == 1


def test_a_cap_says_which_one_it_was_and_what_helps() -> None:
    caps = [cause for cause in Termination if cause.value.endswith("_cap")]
    assert len(caps) == 5
    for cap in caps:
        assert cap in output.FALLBACKS
        assert re.search(r"\b(ask|narrower|other words)\b", output.FALLBACKS[cap], re.IGNORECASE)


def test_a_letter_that_only_looks_like_the_words_own_breaks_nothing() -> None:
    assert output.soften("The ınfo is here.", {"info": "text"}) == "The ınfo is here."
