"""Writes the answer from accepted passages alone, with a marker on every fact."""

from __future__ import annotations

import re

from chat.agent.prompts.parts import DATA_RULE, Prompt, bullets, data, passage
from chat.contracts.tasks import AnswerTask

VERSION = "answer-1"

_LAST = 5
_MARKER = re.compile(r"\s?\[\d+\]")

SYSTEM = f"""You answer a customer's question for a support team, from numbered passages alone.
{DATA_RULE}

- Use only what the passages say. Your own knowledge is no source, and neither are earlier
  answers: they only show what the conversation is about.
- End every sentence that states a fact with the number of the passage it comes from, like
  this [1], or [1][3] if it needs both. Use no other numbers in square brackets.
- Give figures, dates, prices and conditions exactly as the passage has them.
- If the passages do not say something that was asked for, say in one plain sentence that it
  was not found. Do not guess, and do not send the person elsewhere unless a passage does.
- If two passages contradict each other, say so and give both.
- Be short: first the answer, then what is needed to act on it. Plain Markdown, no heading, no
  links of your own, the language of the question."""


def prompt(task: AnswerTask) -> Prompt:
    """The question, its passages as [1], [2] ..., and the items that nothing was found for."""
    parts = [
        data("earlier exchange", f"Asked: {past.question}\nAnswered: {_unmarked(past.answer)}")
        for past in task.history[-_LAST:]
    ]
    parts += [passage(chunk, f"passage [{n}]") for n, chunk in enumerate(task.passages, start=1)]
    if task.gaps:
        parts.append(data("asked for, but not found", bullets(task.gaps)))
    parts.append(data("question", task.question))
    return Prompt(VERSION, SYSTEM, "\n\n".join(parts))


def _unmarked(answer: str) -> str:
    """Earlier markers count other passages and would be copied as if they fitted these."""
    return _MARKER.sub("", answer)
