"""The iterative path: the model decides whether to search, and for what.

Two forms of one task: the search as a tool, and, for endpoints without tools, as fields of a
reply. Both show the same material.
"""

from __future__ import annotations

from collections.abc import Sequence

from chat.agent.prompts.parts import DATA_RULE, Prompt, bullets, cut, data, exchanges, passage
from chat.contracts.passages import Passage
from chat.contracts.tasks import StepTask, ToolSpec

VERSION = "step-1"

MOST_QUERIES = 3
_LAST = 3
_ANSWER_LIMIT = 400  # characters of an earlier answer
_BUDGET = 6_000  # characters of all found passages together
_LONGEST_TEXT = 1_500  # characters of one of them

SEARCH = ToolSpec(
    name="search_documents",
    description=(
        "Searches the documents of this support chat. Several queries are searched at once; "
        "passages that answer are shown to you in the next step."
    ),
    parameters={
        "type": "object",
        "properties": {
            "queries": {
                "type": "array",
                "items": {"type": "string"},
                "description": f"1 to {MOST_QUERIES} different search queries",
            }
        },
        "required": ["queries"],
        "additionalProperties": False,
    },
)

TASK = f"""You lead the search for a support chat. You do not write the answer: you decide what
to look up before somebody writes it from the passages that were found.
{DATA_RULE}

- Search as long as something that was asked for is not stated by a passage that was found.
- A query names the thing as a handbook would, in a few words. It may use the suggested words.
- Never repeat a query that was tried, nor one that differs by a synonym alone.
- What you know yourself is no source."""

BY_TOOL = f"""To search, call {SEARCH.name} with 1 to {MOST_QUERIES} queries. If what was found
is enough, or the message needs no document at all, call nothing and reply with one JSON object
alone, {{"confidence": 0.0 to 1.0}}: how sure you are that it can be answered right away."""

_BY_FORM = f"""To search, put 1 to {MOST_QUERIES} queries into queries. If what was found is
enough, or the message needs no document at all, leave queries without entries. Put into
confidence, from 0.0 to 1.0, how sure you are that it can be answered right away, and one short
sentence into why."""


def by_tool(task: StepTask) -> Prompt:
    """For endpoints that take `SEARCH` as a tool."""
    return Prompt(VERSION, f"{TASK}\n\n{BY_TOOL}", _material(task))


def by_form(task: StepTask) -> Prompt:
    """For endpoints without tools."""
    return Prompt(VERSION, f"{TASK}\n\n{_BY_FORM}", _material(task))


def _material(task: StepTask) -> str:
    parts = exchanges(task.history, _LAST, _ANSWER_LIMIT)
    parts += _within_budget(task.found)
    if task.tried:
        parts.append(data("tried queries", bullets(task.tried)))
    if task.missing:
        parts.append(data("asked for, but not found yet", bullets(task.missing)))
    if task.suggested:
        parts.append(data("suggested words", ", ".join(task.suggested)))
    parts.append(data("question", task.question))
    return "\n\n".join(parts)


def _within_budget(found: Sequence[Passage]) -> list[str]:
    """The passages that fit, cut where they are long, and the titles of the others."""
    shown: list[str] = []
    left = _BUDGET
    for number, chunk in enumerate(found):
        text = cut(chunk.text, _LONGEST_TEXT)
        if len(text) > left:
            titles = [f"{more.title} / {more.heading}" for more in found[number:]]
            return [*shown, data("found as well, text left out", bullets(titles))]
        left -= len(text)
        shown.append(passage(chunk.model_copy(update={"text": text}), "found"))
    return shown
