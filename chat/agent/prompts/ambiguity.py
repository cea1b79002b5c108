"""Is there anything in this question that can be looked up? Asked before any search."""

from __future__ import annotations

from collections.abc import Sequence

from chat.agent.prompts.parts import DATA_RULE, Prompt, data, exchanges
from chat.contracts.tasks import Exchange

VERSION = "ambiguity-1"

MOST_OPTIONS = 3
_LAST = 3
_ANSWER_LIMIT = 400  # characters of an earlier answer

SYSTEM = f"""You decide whether a support chat can search its documents for a question, or has to
ask back first.
{DATA_RULE}

Set label to SPECIFIC if the question names anything that can be looked up: a thing, a task, a
fault, a rule, a price. A search is always better than a question back. That a plan, a product,
a region, a date or an account is not named is never a reason to ask: the documents hold the
cases side by side. If an earlier exchange shows what is meant, the question is SPECIFIC.
Set label to VAGUE only if nothing in it can be looked up, as in "tell me about it" or "it does
not work" with nothing before it.
If it is VAGUE, put one short question in question that asks what it is about, and up to
{MOST_OPTIONS} ready answers of a few words each in options, each something that people ask this
chat about. Else leave question empty and options without entries. Put one short sentence in
reason."""


def prompt(question: str, history: Sequence[Exchange]) -> Prompt:
    """The question with the last exchanges before it, oldest first."""
    earlier = exchanges(history, _LAST, _ANSWER_LIMIT)
    return Prompt(VERSION, SYSTEM, "\n\n".join([*earlier, data("question", question)]))
