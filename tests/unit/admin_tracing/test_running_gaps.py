"""Gaps as groups: their names, counts, examples, what was found instead, and words tried."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.running.gaps import LINKED, Lack, gaps
from admin_tracing.running.lacking import lacks_of

START = datetime(2026, 11, 20, tzinfo=UTC)


def lack(number: int, asked: str, **fields: object) -> Lack:
    given_ = {"question": asked, "answered": False} | fields
    return Lack(UUID(int=number), START + timedelta(hours=number), asked=asked, **given_)  # type: ignore[arg-type]


STUDENTS = [
    lack(1, "Is there a discount for students?", section="pricing#plans", tried=("campus rebate",)),
    lack(2, "student discounts", section="pricing#plans", tried=("campus price", "rebate")),
    lack(3, "Student discount?", section="refunds#timing", answered=True),
]


def test_a_group_has_its_turns_newest_first():
    (group,) = gaps(STUDENTS)
    assert group.turns == (UUID(int=3), UUID(int=2), UUID(int=1))
    assert (group.n, group.unanswered) == (3, 2)
    assert (group.first, group.last) == (STUDENTS[0].at, STUDENTS[2].at)


def test_it_is_named_by_the_words_that_its_questions_share():
    (group,) = gaps(STUDENTS)
    assert group.name == "student discount"


def test_it_says_what_was_found_instead_and_how_often():
    (group,) = gaps(STUDENTS)
    assert (group.section, group.near) == ("pricing#plans", 2)


def test_it_says_which_words_were_tried_that_the_question_did_not_have():
    (group,) = gaps(STUDENTS)
    assert group.tried == ("campus", "rebate", "price")


def test_three_examples_are_shown_and_none_twice():
    many = [*STUDENTS, lack(4, "STUDENT DISCOUNT?"), lack(5, "a student discount, please")]
    (group,) = gaps(many)
    assert [example.question for example in group.examples] == [
        "a student discount, please",
        "STUDENT DISCOUNT?",
        "student discounts",
    ]


def test_a_turn_that_lacks_two_things_is_in_both_groups_and_counts_once_in_each():
    told = [lack(1, "opening hours"), lack(1, "parking space"), lack(2, "opening hours today")]
    assert [(group.name, group.n) for group in gaps(told)] == [
        ("opening hours today", 2),
        ("parking space", 1),
    ]


def test_a_link_names_a_hundred_turns_at_most():
    (group,) = gaps([lack(number, "opening hours") for number in range(LINKED + 1)])
    assert group.linked.count(",") == LINKED - 1
    assert group.is_cut


def test_without_a_gap_there_is_no_group():
    assert gaps([]) == []


ASKED = st.lists(
    st.tuples(st.integers(0, 30), st.lists(st.sampled_from("disk key mail plan tax".split()))),
    max_size=20,
)


@given(ASKED, st.randoms(use_true_random=False))
def test_the_order_in_which_they_come_does_not_matter(
    told: list[tuple[int, list[str]]], chance: random.Random
):
    given_ = [lack(number, " ".join(words)) for number, words in told]
    shuffled = list(given_)
    chance.shuffle(shuffled)
    assert gaps(shuffled) == gaps(given_)


@given(ASKED)
def test_every_turn_is_in_a_group(told: list[tuple[int, list[str]]]):
    given_ = [lack(number, " ".join(words)) for number, words in told]
    found = {turn for group in gaps(given_) for turn in group.turns}
    assert found == {each.turn for each in given_}


# ---- what a turn lacks


def of(**parts: list[object]) -> list[Lack]:
    return list(lacks_of(UUID(int=1), START, "What of A and B?", parts))


def test_an_answer_says_itself_what_it_lacks():
    (one,) = of(answer=[["B"]], verdicts=[{"A": True, "B": False}])
    assert (one.asked, one.answered) == ("B", True)


def test_without_an_answer_it_is_what_was_not_covered_at_last():
    found = of(verdicts=[{"A": False, "B": False}, {"A": True, "B": False}])
    assert [(one.asked, one.answered) for one in found] == [("B", False)]


def test_without_any_verdict_it_is_the_question():
    assert [one.asked for one in of()] == ["What of A and B?"]


def test_the_section_is_that_of_the_first_search_that_found_any():
    (one,) = of(retrieval=[None, "a#1", "b#2"], rewrite=["more words", None])
    assert (one.section, one.tried) == ("a#1", ("more words",))
