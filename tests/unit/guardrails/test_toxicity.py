"""What must not be said to anybody is found; what only looks like it is let pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.rude_shapes import OF_A_GROUP, OF_ANYBODY
from chat.guardrails.toxicity import Toxicity, toxic
from tests.growth import assert_linear

FOUND = [
    ("hate", "Immigrants are vermin."),
    ("hate", "All of those black people are absolute scum."),
    ("hate", "I hate gay people."),
    ("hate", "I can't stand Muslims."),
    ("hate", "Disabled people disgust me."),
    ("hate", "Women are a plague."),
    ("hate", "Trans lives are worth nothing."),
    ("hate", "No refugee can ever be an honest neighbour."),
    ("hate", "Jews are not human."),
    ("hate", "Only women can be that stupid."),
    ("hate", "Fuck all Muslims."),
    ("hate", "I have met many immigrants and I hate them."),
    ("hate", "Some refugees live here. They are nothing but trash."),
    ("hate", "Is it not clear that gay people are disgusting?"),
    ("hate", "I h4te women."),
    ("hate", "Gay people are d i s g u s t i n g."),
    ("threat", "We should kill all immigrants."),
    ("threat", "Somebody ought to shoot those Muslims."),
    ("threat", "Gay people deserve to die."),
    ("threat", "I will hurt you."),
    ("threat", "Death to all refugees."),
    ("threat", "I hope you die."),
    ("threat", "Kill yourself."),
    ("insult", "You are an idiot."),
    ("insult", "You are really stupid."),
    ("insult", "Fuck you."),
    ("insult", "Go to hell."),
    ("insult", "I despise you."),
    ("insult", "Halt die Fresse."),
    ("slur", "You are nothing but a faggot."),
    ("slur", "He is a dyke."),
    ("sexual", "Send me nudes."),
    ("sexual", "I want to fuck you."),
]  # fmt: skip

PASSES = [
    # denied
    "I do not hate immigrants.",
    "Gay people are not disgusting.",
    "We must never let refugees suffer.",
    "Women are the very opposite of stupid.",
    # told and called wrong
    "Calling gay people vermin is hateful.",
    'He wrote "immigrants are scum", which is unacceptable.',
    "Posts that say that women are stupid are against our rules.",
    "Threatening to kill Muslims is illegal.",
    'The message "kill yourself" was reported.',
    # about things
    "I hate long queues.",
    "The old plan is the worst.",
    "Let us eradicate that bug.",
    "Kill the process and its children.",
    "This error is stupid.",
    "The disk is dying.",
    "Execute the script, then shoot the screenshot.",
    # words that have another meaning
    "A dyke protects the land from the sea.",
    "There is a chink in the wall.",
    "The drug retards growth.",
    "Dogs and pigs are animals.",
    # of people, without contempt
    "Disabled people can ask for a larger text.",
    "Pregnant women are at risk of a rare disease.",
    "Black people are more likely to have this disease.",
    "Old people should be vaccinated against the virus.",
    "The account of a disabled user cannot be opened.",
    "Women were considered inferior at that time.",
    "Muslims are welcome here.",
    "Foreign customers are billed in euros.",
    # support
    "You are signed in.",
    "You are using the worst case figure.",
    "You are being moved to a poor connection.",
    "Two-step sign-in is dead simple.",
    "Refunds never take longer than ten days.",
    "The parasite drag of a wing is a threat to range.",
    "",
]


@pytest.mark.parametrize(("reason", "text"), FOUND)
def test_abuse_is_found_and_told_by_kind(reason: str, text: str) -> None:
    assert toxic(text) == Toxicity(True, reason)


@pytest.mark.parametrize("text", PASSES)
def test_what_only_looks_like_it_passes(text: str) -> None:
    assert toxic(text) == Toxicity(False)


@pytest.mark.parametrize(("reason", "text"), FOUND[::4])
def test_it_is_found_in_the_middle_of_an_answer(reason: str, text: str) -> None:
    answer = f"Refunds take ten days [1].\n\n- Ask for one in the panel.\n- {text}\n\nThat is all."
    assert toxic(answer) == Toxicity(True, reason)


def test_they_is_nobody_where_no_group_was_named() -> None:
    assert not toxic("The invoices came late. They are nothing but trash.").found
    assert toxic("The refugees came late. They are nothing but trash.").found


@given(st.text(max_size=400))
def test_any_text_is_read_and_gives_the_same_twice(text: str) -> None:
    assert toxic(text) == toxic(text)


@given(st.text(max_size=200))
def test_no_reason_without_a_finding(text: str) -> None:
    said = toxic(text)
    assert bool(said.reason) == said.found


@pytest.mark.parametrize(
    "piece",
    [
        "women ",
        "i will kill the ",
        "you are a very ",
        "they are ",
        "not ",
        "a ",
        "fuck ",
        '"',
        ". ",
    ],
)
def test_the_time_grows_with_the_length_and_not_faster(piece: str) -> None:
    assert_linear(toxic, f"women {(piece * 20_000)[:20_000]}")


def test_every_kind_has_its_shapes_and_all_that_name_a_group_stand_together() -> None:
    reasons = {reason for reason, _, _ in (*OF_A_GROUP, *OF_ANYBODY)}
    assert reasons == {"hate", "threat", "insult", "slur", "sexual"}
    assert {reason for reason, _, _ in OF_A_GROUP} == {"hate", "threat"}
