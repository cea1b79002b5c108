"""The things and names of a short text are found without a grammar."""

from __future__ import annotations

import pytest

from chat.adapters.offline.followup_topics import (
    doing,
    names,
    owner,
    people,
    phrases,
    singular,
    topic,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What are the pros and cons of electric cars?", ["the pros", "cons", "electric cars"]),
        ("How do I renew a loan?", ["a loan"]),
        ("is it free?", []),
        ("Who taught the people of Old Harbour?", ["the people", "Old Harbour"]),
    ],
)
def test_things_stand_between_the_words_that_hold_a_sentence(text: str, found: list[str]) -> None:
    assert [phrase.text for phrase in phrases(text)] == found


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What are the pros and cons of electric cars?", "electric cars"),
        ("How does the lending desk work?", "the lending desk"),
        ("What are lung fever's symptoms?", "lung fever"),
        ("I lost my card. What does a new card cost?", "a new card"),
        ("why?", None),
    ],
)
def test_a_question_is_about_the_thing_that_it_asks_something_of(
    question: str, thing: str | None
) -> None:
    found = topic(question)

    assert (found.text if found else None) == thing


def test_names_are_capitals_in_a_row_and_no_word_that_opens_a_sentence() -> None:
    assert names("Was Ada Finch in the Bay of Biscay?") == ("Ada Finch", "Bay of Biscay")
    assert names("Where is the desk? Opening hours vary.") == ()
    assert names("Finch was born there.") == ("Finch",)


def test_a_text_in_capitals_names_nobody() -> None:
    assert names("WHERE CAN I GET A NEW CARD") == ()


def test_a_name_after_a_place_word_is_no_person() -> None:
    assert people("Did Ada Finch study at Harbour College?") == ("Ada Finch",)
    assert people("The desk of Mr Grey Owl", acting=True) == ()


def test_words_change_their_endings() -> None:
    assert [singular(word) for word in ("classes", "parties", "types", "bus")] == [
        "class",
        "party",
        "type",
        "bus",
    ]
    assert [owner(text) for text in ("Ada", "grey owls", "Ada's")] == [
        "Ada's",
        "grey owls'",
        "Ada's",
    ]
    assert [doing(text) for text in ("renew a loan", "cancel it", "use it", "get it", "Ada")] == [
        "renewing a loan",
        "cancelling it",
        "using it",
        "getting it",
        "Ada",
    ]
