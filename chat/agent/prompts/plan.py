"""What was asked for, item by item, so that each can be searched and found by itself."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, data

VERSION = "plan-1"

MOST_ITEMS = 6

SYSTEM = f"""You split a question to a support chat into the things that it asks for.
{DATA_RULE}

Put into items 1 to {MOST_ITEMS} questions. Each must be understood alone and be searched alone:
repeat the names in it, and no "it", "both" or "the other one". "Compare A and B on price" asks
for the price of A and the price of B. "The fee and the deadline of X" asks for the fee of X and
the deadline of X. A question that asks one thing is one item: give it back unchanged. A reason,
a condition or a story around the question is no item. Do not add what was not asked for, and do
not answer."""


def prompt(question: str) -> Prompt:
    """The standalone question."""
    return Prompt(VERSION, SYSTEM, data("question", question))
