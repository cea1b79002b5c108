"""What a question asks for, item by item; names, set phrases and everything unsure stay whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chat.guardrails.questions.part_words import FIXED_PHRASES
from chat.guardrails.questions.parts import LONGEST, MOST, needs_planning, parts
from tests.growth import assert_linear

DATA = Path(__file__).parents[2] / "data"
SAMPLE = Path(__file__).parents[3] / "chat" / "sample"


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "compare Starter, Team and Scale on price",
            ("Starter price", "Team price", "Scale price"),
        ),
        (
            "Can you compare the price of Starter, Team, and Scale?",
            ("Starter price", "Team price", "Scale price"),
        ),
        (
            "compare the Starter and Team plans on price and memory",
            (
                *("Starter plans price", "Starter plans memory"),
                *("Team plans price", "Team plans memory"),
            ),
        ),
        ("Compare Starter with Team", ("Starter", "Team")),
        (
            "Compare the cost of backups and of an extra region",
            ("backups cost", "extra region cost"),
        ),
        ("Starter vs Team price", ("Starter price", "Team price")),
        ("Starter versus Team", ("Starter", "Team")),
        ("Which is cheaper, Starter or Team?", ("Starter price", "Team price")),
        ("How do Starter and Team differ?", ("Starter", "Team")),
        (
            "what is the difference between a server and a managed app",
            ("server", "managed app"),
        ),
    ],
)
def test_what_is_compared_is_asked_for_by_name(question: str, items: tuple[str, ...]) -> None:
    assert parts(question) == items


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "what is the fee and the rate for a late book",
            ("what is the fee for a late book", "what is the rate for a late book"),
        ),
        (
            "What are the fee and the deposit for a room?",
            ("What is the fee for a room", "What is the deposit for a room"),
        ),
        (
            "price and memory of the Small plan",
            ("price of the Small plan", "memory of the Small plan"),
        ),
    ],
)
def test_two_aspects_of_one_thing_are_two_items(question: str, items: tuple[str, ...]) -> None:
    assert parts(question) == items


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "how do I export data and close my account?",
            ("how do I export data?", "how do I close my account?"),
        ),
        (
            "How do I rename a server, add a volume and open a port?",
            ("How do I rename a server?", "How do I add a volume?", "How do I open a port?"),
        ),
        (
            "I want to cancel my plan and get my money back",
            ("I want to cancel my plan", "I want to get my money back"),
        ),
    ],
)
def test_steps_with_an_object_each_are_items(question: str, items: tuple[str, ...]) -> None:
    assert parts(question) == items


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "What is a snapshot? How long does a refund take?",
            ("What is a snapshot?", "How long does a refund take?"),
        ),
        (
            "how much is Sprig and how much is Stem",
            ("how much is Sprig?", "how much is Stem?"),
        ),
        (
            "how do I add a card, and when will I be charged?",
            ("how do I add a card?", "when will I be charged?"),
        ),
        (
            "what do Starter and Team cost",
            ("what does Starter cost", "what does Team cost"),
        ),
        (
            "price of Starter, Team and Scale",
            ("price of Starter", "price of Team", "price of Scale"),
        ),
    ],
)
def test_questions_that_are_joined_are_items(question: str, items: tuple[str, ...]) -> None:
    assert parts(question) == items


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("How do I export my data and what does it cost?", "what does data cost?"),
        ("is there premium support and what does it cost", "what does premium support cost?"),
        ("What plans do you have and what do they cost?", "what do plans cost?"),
        ("what is a snapshot? what is its price?", "what is snapshot's price?"),
    ],
)
def test_what_points_back_is_put_in_by_name(question: str, last: str) -> None:
    assert parts(question)[-1] == last


def test_what_points_back_to_several_things_stays_with_them() -> None:
    question = "How much do Sprig, Stem and Branch cost and how much memory do they have?"

    assert parts(question) == (question,)


WHOLE = """what are the terms and conditions of the trial
how do I do a backup and restore of a server
does it need read and write access|pros and cons of managed apps|it goes back and forth, why
a command and control server|price of Marks and Spencer shares|flights to Trinidad and Tobago
how do I download and install the app|how do I stop and delete a server|can I try and fix it
how do I cancel and get a refund|can I change plan and keep my data|rock and roll
how do I move a server and keep its address|what is the distance between London and Paris
is support 24/7 or only office hours|postgres or mysql for apps|monthly or yearly
tell me when and where to send it|what happens if my card is declined and what can I do?
which plan is cheap and does the job|delete my account and all my data|how do I set up dns and mail
my server is down and how do I fix it|My server is frozen. How do I reboot it?|I paid, then what
I talked to Anna, Bob and Carl|who was Smith, Jones and Partners|how long is it, in days
what should I do if I lose my phone and change my number|3 and 4 weeks|more and more traffic, why?
can I get a refund? I paid yesterday.|hello, how do I pay?|do you protect against ddos and bots
How do I pay? Thanks!|username and password for the panel|what is R&D|so, what now?||and|?|? ?|,"""


@pytest.mark.parametrize("question", WHOLE.replace("\n", "|").split("|"))
def test_names_set_phrases_and_the_unsure_stay_whole(question: str) -> None:
    assert parts(question) == (question,)


@pytest.mark.parametrize("name", ["further_questions", "offline_development_questions"])
def test_ordinary_questions_stay_whole(name: str) -> None:
    rows = json.loads((DATA / f"{name}.json").read_text("utf-8"))

    assert [row["text"] for row in rows if len(parts(row["text"])) > 1] == []


def test_the_golden_questions_and_their_rewrites_stay_whole() -> None:
    rows = json.loads((SAMPLE / "golden.json").read_text("utf-8"))
    texts = [text for row in rows for text in (row["question"], *row["rewrites"])]

    assert [text for text in texts if len(parts(text)) > 1] == []


def test_no_more_than_six_items_and_none_is_lost() -> None:
    items = parts("compare A, B, C, D, E, F, G and H on price")

    assert len(items) == MOST
    assert all(f"{name} price" in " ".join(items) for name in "ABCDEFGH")


def test_many_names_on_many_aspects_are_asked_by_name_alone() -> None:
    items = parts("compare Sprig, Stem, Branch and Grove on price and memory")

    assert items == tuple(
        f"{name} price and memory" for name in ("Sprig", "Stem", "Branch", "Grove")
    )


def test_a_story_is_not_taken_apart() -> None:
    story = "How do I pay? " * 60

    assert len(story) > LONGEST
    assert parts(story) == (story,)


@pytest.mark.parametrize(
    "question", ["How long does a refund take?", "student discount", "", "pricing", "server down"]
)
def test_a_plain_question_needs_no_model(question: str) -> None:
    assert not needs_planning(question)


@pytest.mark.parametrize(
    "question",
    ["compare plans", "a and b", "this or that", "a, b", "A versus B", "What? Why?", "A vs B"],
)
def test_signs_of_several_things_ask_for_a_model(question: str) -> None:
    assert needs_planning(question)


PIECES = st.sampled_from(
    "how do I|compare|and|or|,|?|Starter|Team|the price|of|it|export data|close my account|versus"
    "|what is|the|between|they|on|\n|\x00|cost|terms and conditions|😀|'|\"".split("|")
)


@given(st.lists(PIECES, max_size=30).map(" ".join))
@example("and" * 200)
@example("how do I " + "export data and " * 30)
@example("what is \x00 , how do I")
def test_any_text_gives_one_to_six_items_and_the_same_ones_each_time(text: str) -> None:
    items = parts(text)

    assert items == parts(text)
    assert 1 <= len(items) <= MOST
    assert len(set(items)) == len(items)
    if len(items) > 1:
        assert needs_planning(text)
        assert all(item.strip() for item in items)


@given(st.text(max_size=300))
def test_any_characters_at_all_are_read(text: str) -> None:
    assert parts(text)


@given(st.sampled_from(["how do I set up", "what are the", "tell me about", "price of"]), st.data())
def test_a_set_phrase_is_never_split(opening: str, data: st.DataObject) -> None:
    known = [p for p in FIXED_PHRASES if " and " in p and not set("(?\\[") & set(p)]
    phrase = data.draw(st.sampled_from(known))
    question = f"{opening} {phrase} for my plan"

    assert parts(question) == (question,)


@pytest.mark.parametrize(
    ("opening", "piece"),
    [("how do I ", "add, and "), ("compare ", "A, "), ("what is the ", "x and ")],
)
def test_the_time_grows_with_the_length_and_not_faster(opening: str, piece: str) -> None:
    assert_linear(parts, opening + piece * 700)
