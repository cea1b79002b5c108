"""What a question asks for, told by its wording."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.expectation import Kind, expected


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How long can I keep a book?", {Kind.DURATION}),
        ("how many days do i have to return it", {Kind.DURATION, Kind.QUANTITY}),
        ("late fee per day", {Kind.MONEY}),
        ("how much is a new card", {Kind.MONEY, Kind.QUANTITY}),
        ("How many books can I borrow?", {Kind.QUANTITY}),
        ("when do you open", {Kind.TIME}),
        ("where is the quiet floor", {Kind.PLACE}),
        ("How do I renew a loan?", {Kind.WAY}),
        ("renew a loan how", {Kind.WAY}),
        ("renew my books", {Kind.WAY}),
        ("why was I charged", {Kind.REASON}),
        ("what happens if I lose a book", {Kind.OUTCOME}),
        ("who can join", {Kind.PERSON}),
        ("which floors are quiet", {Kind.CHOICE}),
        ("coins or card for the lockers", {Kind.CHOICE}),
        ("what is a short loan", {Kind.MEANING}),
        ("Can I renew online?", {Kind.YES_NO}),
        ("are pens or pencils allowed", {Kind.YES_NO}),
        ("card gone, can i get a new one", {Kind.YES_NO}),
        ("membership card", {Kind.ANY}),
    ],
)
def test_the_kind_of_answer_is_told(question: str, kinds: set[Kind]) -> None:
    assert expected(question) == kinds


@given(st.text(max_size=120))
def test_every_text_expects_something(text: str) -> None:
    assert expected(text)
