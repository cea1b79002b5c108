"""Somebody who is upset is heard; a calm question with one strong word in it is not upset."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.screening.crisis import crisis, distressed
from chat.guardrails.screening.feelings import STRONG_FEELINGS, TEARS, WEAK_FEELINGS
from chat.guardrails.screening.phrases import CRISIS_FAMILIES

UPSET = """\
I am so stressed, my site is down and I will lose everything
I'm completely overwhelmed by all of these settings
I have been crying all night
I feel like crying
i'm in tears
I'm desperate, please help
I am panicking, all my data is gone
I'm having a panic attack
I am so worried about my backups
I'm terrified that the data is gone
I can't cope with this any more
I can't take it anymore
I am at my wits' end
this is a nightmare
I feel so helpless
I'm so frustrated with this
I'm furious
I am fed up with waiting
this is ridiculous, I want my money
I feel so stupid
I hate this
everything is gone 😭
😢
HELP ME!!! EVERYTHING IS GONE
please help, it is urgent
all my files are gone, nobody answers, please help
I will lose my job over this
I am sick and tired of these errors"""

CALM = """\
How long does a refund take?
my site is down
How do I recover from a kernel panic
what does the panic button do
How do I hide the crying emoji in the editor
for crying out loud
is there a depth-first search option, or desperate seeking
where is the emergency number
how do I make an urgent ticket
what happens to everything I have uploaded
how do I cancel immediately
does the upset endpoint take JSON
what is the worst case for a restore
what does the stress test do
how do I stress test my server
is this a stupid question
tell me a joke
what is my gross margin
when does the garbage collector run
what is the support for lost passwords
how do I avoid losing data
AUDIT_TYPES
can I mute alerts on sad paths"""


@pytest.mark.parametrize("text", UPSET.split("\n"))
def test_somebody_who_is_upset_is_heard(text: str) -> None:
    assert distressed(text)


@pytest.mark.parametrize("text", CALM.split("\n"))
def test_a_calm_question_is_not_upset(text: str) -> None:
    assert not distressed(text)


@pytest.mark.parametrize("text", UPSET.split("\n"))
def test_being_upset_is_no_crisis(text: str) -> None:
    assert not crisis(text)


@pytest.mark.parametrize(
    "text",
    ["I'm not worried about the price", "I am not angry, just curious", "he was never furious"],
)
def test_what_is_denied_is_no_distress(text: str) -> None:
    assert not distressed(text)


def test_one_plea_alone_is_none_and_two_are() -> None:
    assert not distressed("please help me with the export")
    assert distressed("please help me with the export, it is urgent")


def test_shouting_counts_with_a_plea_and_not_alone() -> None:
    assert not distressed("HOW LONG DOES A REFUND TAKE")
    assert not distressed("I like it!!")
    assert distressed("MY FILES ARE GONE")
    assert distressed("my files are gone!!")


@given(question=st.sampled_from(CALM.split("\n")), tear=st.sampled_from(TEARS))
def test_a_tear_is_enough_with_any_text(question: str, tear: str) -> None:
    assert distressed(f"{question} {tear}")


@given(before=st.sampled_from(CALM.split("\n")), said=st.sampled_from(UPSET.split("\n")))
def test_a_calm_sentence_before_it_hides_nothing(before: str, said: str) -> None:
    assert distressed(f"{before}. {said}")


@pytest.mark.parametrize("row", [*CRISIS_FAMILIES, *STRONG_FEELINGS, *WEAK_FEELINGS])
def test_every_family_says_what_has_to_stand_in_the_text(row: tuple[str, ...]) -> None:
    needs = row[0].split("|")
    assert all(needs)
    assert row[0] == row[0].casefold()


@pytest.mark.skipif("EVAL_DATA" not in os.environ, reason="EVAL_DATA names no folder")
def test_on_the_public_set_neutral_messages_set_it_off_rarely() -> None:
    file = Path(os.environ["EVAL_DATA"]) / "distress" / "messages.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    neutral = [row["text"] for row in rows if row["label"] == "neutral"]
    assert sum(map(distressed, neutral)) / len(neutral) <= 0.04
