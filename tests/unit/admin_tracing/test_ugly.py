"""Ugly questions are found by rules, with reasons in words; tidy ones are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.ugly import FRAGMENT, ID, PASTED, TYPING, ugliness
from chat.adapters.offline.spelling import Speller, english_words
from tests.growth import assert_linear

KNOWN = Speller({"refund", "refunds", "invoice", "backup", "ticket", "cancel"}, english_words())

TRACE = """Deploy stops with this:
Traceback (most recent call last):
  File "/app/manage.py", line 22, in <module>
    main()
ConnectionRefusedError: [Errno 111] Connection refused"""
LOGGED = "2026-11-30 09:14:02,113 ERROR backup: disk full\n2026-11-30 09:14:03,001 INFO retrying"


def reasons(question: str) -> tuple[str, ...]:
    return ugliness(question, KNOWN).reasons


def score(question: str) -> int:
    return ugliness(question, KNOWN).score


@pytest.mark.parametrize(
    "question",
    [
        "How long does a refund take?",
        "Can I get a refund for the year 2026, or only since 2026-05-01?",
        "My card was charged $49 twice on 3 May at 10:30. Can I get one of them back?",
        "I need 16GB of memory and 2TB of disk for 10k visitors, is that possible?",
        "Is it open 24/7?",
        "Thanks!",
        "hello",
        "cancel invoice",
        "Why can't I see what's in my backup?",
        "My name is Alejandro Fuentes and I live in Guadalajara, do you serve that?",
        "¿Cuánto tiempo tarda un reembolso en llegar a mi tarjeta de crédito?",
        "退款需要多长时间才能到账",
        "please refund my card [card] and write to [email]",
        "",
    ],
)
def test_a_tidy_question_is_not_ugly(question: str) -> None:
    assert ugliness(question, KNOWN).score == 0
    assert reasons(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        *("851133", "fields.E310", "40P01", "INV-2041-7", "#48213", "TKT-1234"),
        "9f86d081884c7d65",
        "123e4567-e89b-42d3-a456-426614174000",
        "what happened to order 20931184?",
    ],
)
def test_an_id_is_told(question: str) -> None:
    assert ID in reasons(question)


def test_a_placeholder_of_what_was_redacted_is_no_id() -> None:
    assert ID not in reasons("[card]")
    assert ID not in reasons("why was [card_number] refused for [person]?")


@pytest.mark.parametrize("question", ["invoice", "backup disk?", "refunds ???", "[card]"])
def test_a_fragment_names_a_thing_and_says_nothing_of_it(question: str) -> None:
    assert reasons(question) == (FRAGMENT,)


@pytest.mark.parametrize(
    "question",
    [
        "how lng dose a refnd take",
        "wher is my invoce for last month",
        "i cant fnid the backup of yesterday",
        "helloooo can you see my invoice",
        "pls tell me the price",
        "howlong does it take",
        "I want my money back.Where do I ask for it?",
    ],
)
def test_typing_errors_are_told(question: str) -> None:
    assert reasons(question) == (TYPING,)


def test_the_more_words_are_typed_wrongly_the_uglier() -> None:
    one = score("how long does a refnd take to come back to my card")
    three = score("how long dose a refnd taek to coem back to my crad")
    assert 0 < one < three


@pytest.mark.parametrize(
    "question",
    [
        TRACE,
        LOGGED,
        "it says ECONNREFUSED when I connect",
        "HTTP 502 from the status page",
        "error code: 1045 after the update",
        "Exception in thread main NullPointerException\n\tat com.shop.Cart.add(Cart.java:7)",
        "500 internal server error since this morning",
    ],
)
def test_a_pasted_error_is_told(question: str) -> None:
    assert PASTED in reasons(question)


def test_a_trace_is_uglier_than_a_code_in_a_sentence() -> None:
    assert score(TRACE) > score("I get an error code: 1045 after the update")


def test_a_bare_id_is_uglier_than_one_in_a_sentence() -> None:
    assert score("20931184") > score("what happened to my order with the number 20931184?") > 0


def test_reasons_come_heaviest_first() -> None:
    assert reasons("20931184") == (ID, FRAGMENT)


def test_what_the_documents_call_a_thing_is_no_typing_error() -> None:
    bare = Speller(set(), english_words())
    question = "what does a larkspurr plan cost"
    told = Speller({"larkspurr", "larkspur"}, english_words())
    taught = Speller({"larkspur"}, english_words())
    assert ugliness(question, told).score == 0
    assert ugliness(question, taught).reasons == (TYPING,)
    assert ugliness(question, bare).score == 0  # unknown, and near to nothing: a name


@given(st.text(max_size=3_000))
def test_any_text_has_a_score_and_a_reason_for_it(text: str) -> None:
    found = ugliness(text, KNOWN)
    assert 0 <= found.score <= 100
    assert bool(found.reasons) == (found.score > 0)
    assert len(set(found.reasons)) == len(found.reasons)


@pytest.mark.parametrize(
    "part",
    [
        *("a", "1", "a1", "1-", "a-", "a.", ".", "[", "at ", "E", "Error", "[a ", "http://", "x@"),
        *("0x", "12:", "a_", "\\", '"', 'File "', "aaaa bbbb ", "zzzz", "a1b2-", "é", "字"),
    ],
)
def test_a_long_text_takes_no_longer_than_its_length(part: str) -> None:
    assert_linear(lambda text: ugliness(text, KNOWN), part * (20_000 // len(part)))
