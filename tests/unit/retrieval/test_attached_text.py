"""Attached documents become passages that can be cited, and are held against a query's words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.screening import files
from chat.retrieval import attached_text, reader
from chat.retrieval.attached_text import AttachedDocument, passages_of, shares, words
from chat.retrieval.split import PART, WHOLE


def document(text: str, media_type: str = "text/plain", **fields: Any) -> AttachedDocument:
    given: dict[str, Any] = {"id": "7", "name": "plan.txt", "kind": "document"}
    return AttachedDocument(text=text, media_type=media_type, **(given | fields))


def test_the_words_that_two_modules_share_are_the_same() -> None:
    assert attached_text.MARKDOWN == files.MARKDOWN
    assert attached_text.PAGED == files.PDF
    assert attached_text.PAGE_BREAK == reader.PAGE_BREAK


def test_a_short_text_is_one_passage_with_the_name_of_its_file() -> None:
    (passage,) = passages_of(document("Refunds take ten days."))
    assert passage.chunk == "attachment:7#1"
    assert (passage.document, passage.version) == ("attachment:7", 1)
    assert (passage.title, passage.heading, passage.page) == ("plan.txt", "", None)
    assert passage.text == "Refunds take ten days."


def test_a_long_text_is_cut_as_the_index_cuts() -> None:
    text = "\n\n".join(f"Paragraph {number} " + "word " * 50 for number in range(10))
    found = passages_of(document(text))
    assert [passage.ordinal for passage in found] == list(range(len(found)))
    assert all(len(passage.text.split()) <= PART for passage in found)
    assert " ".join(passage.text for passage in found).split() == text.split()


def test_the_passages_of_a_pdf_carry_their_page() -> None:
    found = passages_of(document("One\f\fThree", "application/pdf"))
    assert [(passage.page, passage.text) for passage in found] == [(1, "One"), (3, "Three")]
    assert [passage.chunk for passage in found] == ["attachment:7#1", "attachment:7#2"]


def test_a_long_page_is_cut_and_each_part_has_its_page() -> None:
    found = passages_of(document("word " * 3 * WHOLE + "\fend", "application/pdf"))
    assert [passage.page for passage in found] == [1] * (len(found) - 1) + [2]
    assert len(found) > 3


def test_the_passages_of_markdown_carry_their_heading() -> None:
    text = "Before\n# Plan\nOne\n## Fees ##\nTwo\n#### Not cut\nStill two\n#no heading"
    found = passages_of(document(text, "text/markdown"))
    assert [(passage.heading, passage.text) for passage in found] == [
        ("", "Before"),
        ("Plan", "One"),
        ("Fees", "Two\n#### Not cut\nStill two\n#no heading"),
    ]


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_comment_in_a_code_block_is_no_heading(fence: str) -> None:
    text = f"# Shell\n{fence}sh\n# not a heading\nls\n{fence}\n# Next\nEnd"
    found = passages_of(document(text, "text/markdown"))
    assert [passage.heading for passage in found] == ["Shell", "Next"]
    assert "# not a heading" in found[0].text


def test_a_text_without_markdown_keeps_its_number_signs() -> None:
    (passage,) = passages_of(document("# 4711\nnot a heading"))
    assert (passage.heading, passage.text) == ("", "# 4711\nnot a heading")


def test_a_heading_without_text_is_found_too() -> None:
    found = passages_of(document("# Fees\n## Monthly\nTen", "text/markdown"))
    assert [(each.heading, each.text) for each in found] == [("Fees", "Fees"), ("Monthly", "Ten")]


pieces = st.text(alphabet="ab #`~\n\f", max_size=300)


@given(pieces, st.sampled_from([files.TEXT, files.PDF]))
def test_no_word_is_lost_or_moved(text: str, kind: str) -> None:
    assert " ".join(each.text for each in passages_of(document(text, kind))).split() == text.split()


@given(pieces)
def test_no_word_of_markdown_is_lost(text: str) -> None:
    found = passages_of(document(text, files.MARKDOWN))
    said = words(" ".join(f"{each.heading} {each.text}" for each in found))
    assert set(words(text)) == set(said)


@given(pieces, st.sampled_from(list(files.TYPE_OF.values())))
def test_every_passage_has_a_key_and_a_place_of_its_own(text: str, kind: str) -> None:
    found = passages_of(document(text, kind))
    assert len({passage.chunk for passage in found}) == len(found)
    assert [passage.ordinal for passage in found] == list(range(len(found)))


def test_a_text_that_holds_more_of_the_query_has_the_higher_share() -> None:
    both, one, none = shares("refund fee", ["The refund has a fee.", "A refund.", "Hello."])
    assert both is not None and one is not None
    assert both > one
    assert none is None


def test_a_rare_word_counts_for_more() -> None:
    texts = ["the plan", "the plan", "the plan", "the invoice"]
    plan, _, _, invoice = shares("plan invoice", texts)
    assert plan is not None and invoice is not None
    assert invoice > plan


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("refunds", "a refund"),
        ("cancelling", "cancelled"),
        ("invoice 4711", "No. 4711"),
        ("GRÖSSE", "Größe"),
        ("7", "clause 7"),
    ],
)
def test_forms_numbers_and_case_do_not_matter(query: str, text: str) -> None:
    assert shares(query, [text])[0] is not None


def test_a_query_without_words_matches_nothing() -> None:
    assert shares("? a !", ["a text"]) == [None]
    assert shares("refund", []) == []


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_a_share_is_over_0_to_1(query: str, texts: list[str]) -> None:
    found = shares(query, texts)
    assert len(found) == len(texts)
    assert all(share is None or 0 < share <= 1 for share in found)


def test_a_word_is_a_run_of_letters_and_digits() -> None:
    assert words("Don't pay a €5 fee, 价 !") == ["don", "pay", "5", "fee", "价"]
