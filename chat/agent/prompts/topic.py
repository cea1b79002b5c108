"""Does this question belong here at all, and may it be answered? Asked before any search."""

from __future__ import annotations

from collections.abc import Sequence

from chat.agent.prompts.parts import DATA_RULE, Prompt, bullets, cut, data
from chat.contracts.site_rules import RestrictedCategory

VERSION = "topic-3"
SHOWN = 2  # examples of a category, and as many of what it is not
_LONGEST = 200  # characters of an example

_ANYTHING = "the products and services that the documents of this chat describe"

SYSTEM = """You decide whether a question belongs to a support chat.
{rule}

The chat covers: {covers}

Set label to RELEVANT if a customer could reasonably expect this chat to help with the
question, even if you do not know whether the documents answer it. Set it to IRRELEVANT if it
is about something else altogether. Thanks, small talk with the assistant and questions about the
assistant itself are RELEVANT. Set confidence to HIGH, MEDIUM or LOW: LOW if the question
is too short or too unclear to tell. Put one short sentence in reason."""

RESTRICTED = """

Some questions must not be answered, on topic or not. They are told by what the person wants, and
not by a word that occurs:
{categories}
Set restricted to the name of the category that the question is of, or to NONE. Set
restricted_confidence to HIGH, MEDIUM or LOW: how sure you are of that."""


def prompt(question: str, covers: str, categories: Sequence[RestrictedCategory] = ()) -> Prompt:
    """The question against the scope; `covers` is the operator's own description.

    With `categories` of questions that are not answered, the reply names one of them or none.
    """
    system = SYSTEM.format(rule=DATA_RULE, covers=covers.strip() or _ANYTHING)
    if categories:
        system += RESTRICTED.format(categories=bullets([_line(each) for each in categories]))
    return Prompt(VERSION, system, data("question", question))


def _line(category: RestrictedCategory) -> str:
    parts = [f"{category.name}: {category.title}."]
    if category.examples:
        parts.append(f"Of it: {_quoted(category.examples)}.")
    if category.allowed:
        parts.append(f"Not of it: {_quoted(category.allowed)}.")
    return " ".join(parts)


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f'"{cut(text, _LONGEST)}"' for text in texts[:SHOWN])
