"""The iterative path at an endpoint: the search is a real tool wherever tools are taken.

An endpoint is not asked whether it takes tools: the first step finds out, and what it refuses
is remembered. Without tools the same decision comes as a structured reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chat.adapters.openai_calls import arguments_of
from chat.adapters.openai_client import Client, Whole
from chat.adapters.openai_faults import Failed
from chat.adapters.openai_request import offer, request_of
from chat.adapters.openai_usage import Meter
from chat.adapters.shapes import Unusable, text
from chat.adapters.structured import Structured, object_in, twice
from chat.adapters.task_shapes import confidence, new_queries, step_of, texts
from chat.agent.prompts import step
from chat.contracts.tasks import Step, StepTask

_LONGEST_WHY = 300  # characters


async def next_step(
    client: Client, structured: Structured, model: str, task: StepTask, meter: Meter
) -> Step:
    """What the model wants to do next. Raises `Failed`."""
    # The probe tries tools before the last two ways, so these say that it has none.
    if not client.takes_tools(model) or await structured.mode(model, meter) in TOOLLESS:
        return await structured.ask(model, step.by_form(task), step_of(task.tried), meter)
    request = replace(request_of(model, step.by_tool(task)), options=offer([step.SEARCH]))
    try:
        return await twice(client, request, lambda reply: read(reply, task.tried), meter)
    except Failed as failed:
        if not failed.turned_down:
            raise
    decided = await structured.ask(model, step.by_form(task), step_of(task.tried), meter)
    client.leave_out(model, "tools")  # it was the tools, since all else was taken
    meter.repaired = True
    return decided


TOOLLESS = frozenset({"json_object", "prompted"})


def read(reply: Whole, tried: Sequence[str]) -> Step:
    """The decision in a reply: all its searches in one, or how sure it is of answering.

    Raises `Unusable` if it calls for something and nothing of it can be searched.
    """
    why = text({"why": reply.text}, "why")
    if reply.calls:
        calls = [call.arguments or {} for call in reply.calls if call.tool == step.SEARCH.name]
        return Step(queries=_merged(calls, tried), why=why[:_LONGEST_WHY])
    said = object_in(reply.text) or {}
    # Some local servers hand a call on as text, as the model wrote it.
    if written := _written_call(said):
        return Step(queries=_merged([written], tried))
    sure = confidence(said)
    if sure is None and reply.cut_short:
        raise Unusable("the reply has no end")
    return Step(confidence=sure, why="" if said else why[:_LONGEST_WHY])


def _merged(calls: Sequence[Mapping[str, Any]], tried: Sequence[str]) -> tuple[str, ...]:
    wanted = [query for arguments in calls for query in _queries(arguments)]
    try:
        return new_queries(wanted, tried)
    except Unusable as why:
        raise Unusable(f"only {step.SEARCH.name} can be called, and its {why}") from why


def _queries(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    return texts(arguments, "queries") or texts(arguments, "query")


def _written_call(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a call that stands in a text as JSON; empty if it is none."""
    given = said.get("arguments") or said.get("parameters")
    if isinstance(given, str):
        given = arguments_of(given)
    if said.get("name") == step.SEARCH.name and isinstance(given, Mapping):
        return given
    return said if "queries" in said and texts(said, "queries") else {}
