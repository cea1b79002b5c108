"""Makes a follow-up understandable without the conversation before it."""

from __future__ import annotations

from collections.abc import Sequence

from chat.agent.prompts.parts import DATA_RULE, Prompt, data, exchanges
from chat.contracts.tasks import Exchange

VERSION = "standalone-1"

LAST = 5  # earlier exchanges that a follow-up may lean on
_ANSWER_LIMIT = 600  # characters of an earlier answer

SYSTEM = f"""You read a conversation with a support chat and its newest message.
{DATA_RULE}

Write the newest message as one question that can be understood alone: put the things that
"it", "that" or "there" stand for in their place. Keep the person's own words and meaning. Add
no fact, no condition and no politeness, and do not answer. If the message can be understood
alone already, or starts a new subject, give it back unchanged. Put the result in question."""


def prompt(question: str, history: Sequence[Exchange]) -> Prompt:
    """The newest message with the last exchanges before it, oldest first."""
    earlier = exchanges(history, LAST, _ANSWER_LIMIT)
    return Prompt(VERSION, SYSTEM, "\n\n".join([*earlier, data("newest message", question)]))
