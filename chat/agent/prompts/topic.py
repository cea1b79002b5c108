"""Does this question belong here at all? Asked before any search."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data

VERSION = "topic-2"

_ANYTHING = "the products and services that the documents of this chat describe"

SYSTEM = """You decide whether a question belongs to a support chat.
{rule}

The chat covers: {covers}

Set label to RELEVANT if a customer could reasonably expect this chat to help with the
question, even if you do not know whether the documents answer it. Set it to IRRELEVANT if it
is about something else altogether. Thanks, small talk with the assistant and questions about the
assistant itself are RELEVANT. Set confidence to HIGH, MEDIUM or LOW: LOW if the question
is too short or too unclear to tell. Put one short sentence in reason."""


def prompt(question: str, covers: str) -> Prompt:
    """The question against the scope; `covers` is the operator's own description."""
    system = SYSTEM.format(rule=DATA_RULE, covers=covers.strip() or _ANYTHING)
    return Prompt(VERSION, system, data("question", question))
