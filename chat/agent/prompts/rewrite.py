"""Other search words for a question that the last search did not answer."""

from __future__ import annotations

from chat.agent.prompts.parts import DATA_RULE, Prompt, bullets, data, passage
from chat.contracts.tasks import RewriteTask

VERSION = "rewrite-1"

MAX_WORDS = 19  # "under 20 words"
_SHOWN_HITS = 3
_SHOWN_TERMS = 20

SYSTEM = f"""You write search queries for a collection of support documents. A search for a
question found nothing that answers it.
{DATA_RULE}

Write one new query of at most {MAX_WORDS} words for the original question. Keep what it asks
for, and move its wording towards the documents: name the thing as a handbook would, in the
form of a statement that would answer. Prefer the documents' own words where they fit. Do not
only swap a word for a synonym, do not repeat a query that was tried, and do not answer the
question. Put the words alone in query."""


def prompt(task: RewriteTask) -> Prompt:
    """The original question and what the searches so far brought."""
    parts = [data("original question", task.question), data("tried queries", bullets(task.tried))]
    if task.terms:
        parts.append(data("words of the documents", ", ".join(task.terms[:_SHOWN_TERMS])))
    if task.avoid:
        parts.append(data("words that brought nothing new", ", ".join(task.avoid)))
    parts += [passage(hit.passage, "found, no answer") for hit in task.hits[:_SHOWN_HITS]]
    return Prompt(VERSION, SYSTEM, "\n\n".join(parts))
