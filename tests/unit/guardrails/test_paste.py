"""A document needs structure and length; a story told in one's own words is never one."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.screening.paste import LONG, MANY, SHORTEST, Paste, pasted

SENTENCE = "The tenant pays the rent on the first working day of each month by bank transfer. "
STORY = (
    "I have been with you for three years and I never had a problem, but last night my site went "
    "down and I lost the whole shop. I called my partner and we tried everything. I cannot sleep, "
    "my customers write to me every hour, and I do not know what to tell them. "
)

MARKDOWN = f"# Rental agreement\n\n{SENTENCE * 3}\n\n## Deposit\n\n{SENTENCE * 3}"
PAIRS = (
    "Name: Ada Finch\nYear Group: 4\nSchool: Hill Primary\nDate of plan: 3 May\n"
    f"Area of need: reading and writing\nTarget: reads twenty words\nNotes: {SENTENCE * 3}"
)
MAIL = (
    f"From: Billing\nTo: Ada\nSubject: Your invoice 4411\nDate: 3 May\n\nDear customer,\n"
    f"{SENTENCE * 4}\n\nKind regards"
)
TABLE = (
    "| Item | Value |\n|---|---|\n"
    + "| Smallest plan | 5 dollars a month |\n| Largest plan | 90 dollars a month |\n" * 5
)
CLAUSES = "\n".join(f"{n}. {SENTENCE * 2}" for n in range(1, 12))
SECTIONS = f"Section 1: Rent\n{SENTENCE * 2}\nSection 2: Deposit\n{SENTENCE * 2}"
LOG = "\n".join(
    f"2026-03-01 10:15:{n % 60:02} ERROR worker {n} lost the database" for n in range(45)
)
TITLE = f"Terms of the largest plan\n\n{SENTENCE * 3}\n\n{SENTENCE * 3}"

DOCUMENTS = {
    "headings": MARKDOWN,
    "field_pairs": PAIRS,
    "mail_header": MAIL,
    "table": TABLE,
    "numbered_clauses": CLAUSES,
    "log": LOG,
    "title": TITLE,
}


@pytest.mark.parametrize("signal", list(DOCUMENTS))
def test_each_sign_of_structure_is_told_by_its_word(signal: str) -> None:
    found = pasted(DOCUMENTS[signal])
    assert found == Paste("", DOCUMENTS[signal].strip(), signal)


def test_numbered_sections_are_headings() -> None:
    found = pasted(SECTIONS)
    assert found is not None
    assert found.signal == "headings"


def test_pairs_between_commas_count_too() -> None:
    text = f"Name: Ada Finch, Year Group: 4, School: Hill Primary\n{SENTENCE * 4}"
    found = pasted(text)
    assert found is not None
    assert found.signal == "field_pairs"


@pytest.mark.parametrize(
    "lead",
    [
        "Here is our contract, please check the notice period.",
        "Here's the letter I got. Can you explain it.",
        "Below is the report, summarise it.",
    ],
)
def test_words_that_show_a_document_and_ask_about_it_are_the_persons_own(lead: str) -> None:
    found = pasted(f"{lead}\n\n{CLAUSES}")
    assert found is not None
    assert (found.lead, found.body) == (lead, CLAUSES.strip())


def test_words_that_show_and_ask_nothing_may_be_the_documents_own() -> None:
    found = pasted(f"Here are the minutes of the meeting.\n\n{CLAUSES}")
    assert found is not None
    assert found.lead == ""


@pytest.mark.parametrize("times", [1, 4, 10, 30])
def test_a_long_story_without_structure_never_counts(times: int) -> None:
    assert pasted(STORY * times) is None


@pytest.mark.parametrize("join", ["\n", "\n\n"])
def test_paragraphs_do_not_make_a_story_a_document(join: str) -> None:
    assert pasted(join.join([STORY] * 12)) is None
    assert pasted(join.join(STORY.split(". ") * 20)) is None


@pytest.mark.parametrize(
    "opener", ["Help needed", "My situation", "Please read all of this", "What happened to me"]
)
def test_a_title_over_a_story_does_not_make_it_a_document(opener: str) -> None:
    assert pasted(f"{opener}\n\n{STORY * 4}\n\n{STORY}") is None


def test_steps_that_a_person_took_are_a_message() -> None:
    steps = "\n".join(
        f"{n}. I restarted the server and my site was still down" for n in range(1, 12)
    )
    assert pasted(f"{STORY}\n{steps}\n{STORY * 5}") is None


def test_one_colon_makes_no_field_pairs() -> None:
    assert pasted(f"Question: {STORY * 6}") is None
    assert pasted(f"My problem: it fails\n{STORY * 6}") is None


def test_prose_without_any_sign_is_a_message_however_long() -> None:
    assert pasted(SENTENCE * 60) is None


def test_three_hundred_characters_are_enough_with_a_header_alone() -> None:
    short = "# Rent\n\n".ljust(SHORTEST, "x")
    assert pasted(short) is not None
    assert pasted(short[:-1]) is None
    clauses = "\n".join(f"{n}. Pay the rent." for n in range(1, 25))
    assert SHORTEST < len(clauses) < LONG
    assert pasted(clauses) is None


def test_forty_lines_or_fifteen_hundred_characters_are_enough_with_any_sign() -> None:
    assert pasted("\n".join(f"{n}. Pay." for n in range(MANY))) is not None
    assert pasted("\n".join(f"{n}. Pay." for n in range(MANY - 1))) is None
    long = "\n".join(f"{n}. {SENTENCE}" for n in range(20))
    assert len(long) >= LONG
    assert pasted(long) is not None


@pytest.mark.parametrize(
    "document", [MARKDOWN, MAIL, CLAUSES, LOG], ids=("md", "mail", "no", "log")
)
@pytest.mark.parametrize(
    "lead",
    [
        "What does this clause mean?",
        "Can you explain the following:",
        "Please summarise this",
        "Hi, I got this letter. Do I have to pay?",
    ],
)
def test_the_persons_own_words_are_kept_apart(document: str, lead: str) -> None:
    before, after = pasted(f"{lead}\n\n{document}"), pasted(f"{document}\n\n{lead}")
    assert before is not None and after is not None
    assert before.lead == after.lead == lead
    assert before.body == after.body == document.strip()


def test_words_on_both_sides_are_put_together() -> None:
    found = pasted(f"I got this letter:\n\n{MAIL}\n\nWhat does this mean?")
    assert found is not None
    assert found.lead == "I got this letter:\nWhat does this mean?"
    assert found.body == MAIL


@pytest.mark.parametrize(
    "closing", ["Please contact our support team.", "See the page on deposits for more."]
)
def test_the_last_words_of_a_document_stay_in_it(closing: str) -> None:
    found = pasted(f"{MARKDOWN}\n\n{closing}")
    assert found is not None
    assert found.lead == ""
    assert found.body.endswith(closing)


def test_a_message_with_a_short_quotation_in_it_stays_a_message() -> None:
    assert pasted(f"{STORY * 2}\n\nWhat does it mean?\n\nThe plan has ended.") is None


PIECES = st.sampled_from(
    [
        "# Rent",
        "Name: Ada",
        "1. Pay",
        "- a",
        "| a | b |",
        "From: me",
        "10:15:22 x",
        "",
        "What is it?",
    ]
)


def _letters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


@given(st.lists(st.one_of(PIECES, st.text(max_size=120)), max_size=60).map("\n".join))
def test_no_character_is_lost_and_nothing_short_is_a_document(text: str) -> None:
    found = pasted(text)
    if found is not None:
        assert _letters(found.lead + found.body) == _letters(text)
        assert len(text) >= SHORTEST


@given(st.text(max_size=SHORTEST - 1))
def test_no_message_under_three_hundred_characters_is_a_document(text: str) -> None:
    assert pasted(text) is None


@given(st.sampled_from(list(DOCUMENTS.values())), st.sampled_from(["\n", "\r\n", "\r"]))
def test_line_ends_of_any_kind_are_read(document: str, end: str) -> None:
    assert pasted(document.replace("\n", end)) == pasted(document)


@pytest.mark.skipif("EVAL_DATA" not in os.environ, reason="EVAL_DATA names no folder")
def test_on_the_public_set_no_message_is_taken_for_a_document() -> None:
    file = Path(os.environ["EVAL_DATA"]) / "doc_paste" / "texts.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    taken = {
        label: [pasted(row["text"]) is not None for row in rows if row["label"] == label]
        for label in ("message", "document")
    }
    assert not any(taken["message"])
    assert sum(taken["document"]) / len(taken["document"]) >= 0.9
