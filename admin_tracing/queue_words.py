"""The questions of the two jobs in plain words, with their answers and digits. Pure.

A page, a script and a test read the same rows: the digit of an answer is its place from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chat.contracts.events import Claim


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its digit, its stored value, its word, and what it means in a few more."""

    digit: int
    value: str
    word: str
    means: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One question; `name` is the field of the label that it fills."""

    name: str
    question: str
    choices: tuple[Choice, ...]


def _row(name: str, question: str, *choices: tuple[str, str, str]) -> Row:
    numbered = (Choice(digit, *choice) for digit, choice in enumerate(choices, start=1))
    return Row(name, question, tuple(numbered))


_CANNOT = ("cannot_tell", "Cannot tell", "")
_EXPERT = ("needs_expert", "Needs an expert", "")

NEEDED = _row(
    "needed",
    "Which way did this question need?",
    ("direct", "Direct", "nothing to look up"),
    ("single_shot", "Single shot", "one search"),
    ("iterative", "Iterative", "several searches"),
    ("clarify", "Clarify", "a question back first"),
    ("off_topic", "Off topic", "not ours to answer"),
    _CANNOT,
    _EXPERT,
)
GROUNDED = _row(
    "grounded",
    "Is the answer held by its sources?",
    ("yes", "Yes", "all of it"),
    ("partly", "Partly", "some of it"),
    ("no", "No", ""),
    _CANNOT,
    _EXPERT,
)
CORRECT = _row(
    "correct",
    "Is it right?",
    ("yes", "Yes", ""),
    ("partly", "Partly", ""),
    ("no", "No", ""),
    _CANNOT,
)
ROWS: Mapping[str, Row] = {row.name: row for row in (NEEDED, GROUNDED, CORRECT)}

NO_ANSWER = "There is no answer here that sources could hold, so nothing more is asked."


def word_of(name: str, value: str) -> str:
    """A stored answer in the word of its row, in lower case."""
    return next((c.word.lower() for c in ROWS[name].choices if c.value == value), value)


def said_in_words(said: Mapping[str, str]) -> str:
    """What one person said: `needed single shot; held yes, right partly`."""
    parts = [f"needed {word_of('needed', said['needed'])}"] if said.get("needed") else []
    names = (("grounded", "held"), ("correct", "right"))
    answer = [f"{verb} {word_of(name, said[name])}" for name, verb in names if said.get(name)]
    return "; ".join([*parts, *([", ".join(answer)] if answer else [])])


def check_in_words(claims: Sequence[Claim], *, holds_answer: bool) -> str:
    """What the check made of an answer: `The check said: supported 3 of 3.`"""
    if not holds_answer:
        return ""
    if not claims:
        return "The check said nothing of this answer."
    held = sum(claim.supported is True for claim in claims)
    unsure = sum(claim.supported is None for claim in claims)
    rest = f", {unsure} not checked" if unsure else ""
    return f"The check said: supported {held} of {len(claims)}{rest}."
