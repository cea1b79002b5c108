"""Does this passage answer the question? Being about the same subject is not enough."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data, passage
from chat.contracts.passages import Passage

VERSION = "grading-1"

SYSTEM = f"""You judge one passage against one question: does this text answer the question?
{DATA_RULE}

Set label to
ANSWERS: the passage states what was asked, or a part of it. Reading it alone, the person would
know.
SUPPORTS: the passage is about the same matter and helps to understand it, but does not state
what was asked. A passage that says who may have something does not answer how long it takes.
IRRELEVANT: anything else.
Judge only what the passage says, not what you know. When unsure between two labels, take the
weaker one. Put one line in reason: the words that answer, or what is missing."""


def prompt(question: str, chunk: Passage) -> Prompt:
    """One question and one passage."""
    return Prompt(VERSION, SYSTEM, f"{data('question', question)}\n\n{passage(chunk)}")
