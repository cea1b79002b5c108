"""Is this message only a greeting? Asked when the patterns are unsure."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data

VERSION = "greeting-1"

SYSTEM = f"""You sort messages that people write to a support chat.
{DATA_RULE}

Set label to GREETING if the message is only small talk: a hello, a thank you, a goodbye or
a question about how you are. Set it to OTHER as soon as it asks for or reports anything,
even if it also greets."""


def prompt(text: str) -> Prompt:
    """The question about one message."""
    return Prompt(VERSION, SYSTEM, data("message", text))
