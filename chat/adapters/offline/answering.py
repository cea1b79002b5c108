"""The draft of a turn: a call for a tool, a courtesy, what tools gave, or sentences of passages."""

from __future__ import annotations

from chat.adapters.offline import composing, smalltalk, tooling
from chat.adapters.offline.reading import Reader
from chat.contracts.tasks import AnswerTask, Draft
from chat.contracts.verdicts import Mode

KINDLY = "That sounds stressful."


def draft(task: AnswerTask, reader: Reader) -> Draft:
    """Never empty but for the tools that have to be called first."""
    if calls := tooling.calls(task, reader):
        return Draft(text="", calls=calls)
    text = _written(task, reader)
    return Draft(text=f"{KINDLY}\n\n{text}" if task.mode is Mode.SUPPORTIVE else text)


def _written(task: AnswerTask, reader: Reader) -> str:
    if not task.results:
        if task.passages or task.gaps:
            return composing.compose(task, reader)
        return smalltalk.reply(task.question)
    paragraphs = tooling.told(task)
    given = tooling.sources(task)
    more = any(passage.chunk not in given for passage in task.passages)
    worked = any(not result.problem for result in task.results)
    alone = task.mode is Mode.TASK and worked
    if task.gaps or (more and not alone):
        paragraphs.append(composing.compose(task, reader, skip=given))
    return "\n\n".join(paragraphs)
