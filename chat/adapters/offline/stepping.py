"""Whether to search once more, and for what: the iterative path's decisions, by rule.

What is missing is searched, in a rewrite's words where there are any, and never twice with the
same query. Only small talk is answered without a search.
"""

from __future__ import annotations

from collections.abc import Sequence

from chat.adapters.offline import greetings, rewriting
from chat.adapters.offline.reading import Reader
from chat.adapters.offline.text import words
from chat.contracts.tasks import RewriteTask, Step, StepTask
from chat.guardrails.input import GreetingGuess, greeting

MOST = 3  # queries of one step
SMALL_TALK = 0.95  # how sure a text that only greets needs no search


def next_step(task: StepTask, reader: Reader) -> Step:
    """Queries that were not tried yet; none when nothing is missing or nothing is asked."""
    if not task.tried and not task.found:
        return _first(task, reader)
    if not task.missing:
        return Step(confidence=1.0, why="everything that was asked for is found")
    queries = _fresh((*task.suggested, *task.missing), task.tried)
    if not queries:
        again = RewriteTask(question=task.missing[0], tried=task.tried, hits=())
        queries = (rewriting.rewrite(again, reader),)
    return Step(queries=queries, why=f"nothing answers yet: {'; '.join(task.missing)}")


def _first(task: StepTask, reader: Reader) -> Step:
    guess = greeting(task.question)
    unsure = guess is GreetingGuess.UNSURE
    if guess is GreetingGuess.YES or (unsure and greetings.greets(task.question, reader)):
        return Step(confidence=SMALL_TALK, why="it only greets or thanks")
    queries = _fresh((*task.suggested, *task.missing), ()) or (task.question,)
    return Step(queries=queries, why="nothing was searched yet")


def _fresh(queries: Sequence[str], tried: Sequence[str]) -> tuple[str, ...]:
    """The first few queries that say other words than all before them."""
    said = {_said(query) for query in tried}
    found: list[str] = []
    for query in queries:
        if (key := _said(query)) and key not in said:
            said.add(key)
            found.append(query)
    return tuple(found[:MOST])


def _said(query: str) -> str:
    return " ".join(words(query))
