"""The trace of a sensitive turn: what the staff's events keep of it, and what they leave out.

A turn that tells of somebody's health is logged like any other, without its words: who it is
about is nothing that a defect is found by. What the person sees is theirs and stays whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chat.contracts.events import (
    Body,
    Claims,
    Decision,
    QuestionRead,
    Retrieval,
    Rewrite,
    StateDiff,
    Verdicts,
)
from chat.contracts.verdicts import Outcome

WITHHELD = "[withheld]"

SAFE = frozenset(
    {
        *("redactions", "budget", "intent", "mode", "context_level", "restricted", "restricted_by"),
        *("decided", "route", "accepted_as", "unheld", "correction", "confidence", "termination"),
        *("budget_hit", "model_failed", "check_failed"),
    }
)
"""Fields of the state that hold no word of a person, a document or a model."""
_RAN = (Outcome.PASSED, Outcome.ACTED)


def cut(body: Body) -> Body:
    """The event without a text that a person or a model wrote; one for the person is untouched."""
    changes = _CUTS.get(type(body))
    return body if changes is None else body.model_copy(update=changes(body))


def _of_question(body: QuestionRead) -> dict[str, Any]:
    return {"standalone": WITHHELD, "items": _hidden(body.items)}


def _of_diff(body: StateDiff) -> dict[str, Any]:
    """Counts, flags and closed words stay; what may hold a text is withheld, with its size."""
    return {"changed": {n: v if n in SAFE else _number(v) for n, v in body.changed.items()}}


def _of_retrieval(_body: Retrieval) -> dict[str, Any]:
    return {"query": WITHHELD}


def _of_rewrite(_body: Rewrite) -> dict[str, Any]:
    return {"before": WITHHELD, "after": WITHHELD}


def _of_verdicts(body: Verdicts) -> dict[str, Any]:
    chunks = tuple(chunk.model_copy(update={"reason": ""}) for chunk in body.chunks)
    covered = dict(zip(_hidden(tuple(body.covered)), body.covered.values(), strict=True))
    return {"chunks": chunks, "covered": covered}


def _of_claims(body: Claims) -> dict[str, Any]:
    return {"claims": tuple(c.model_copy(update={"label": WITHHELD}) for c in body.claims)}


def _of_decision(body: Decision) -> dict[str, Any]:
    """A control that ran may quote; why one could not run is a word of its own."""
    return {"reason": WITHHELD} if body.outcome in _RAN and body.reason else {}


_CUTS: dict[type[Body], Callable[[Any], dict[str, Any]]] = {
    QuestionRead: _of_question,
    StateDiff: _of_diff,
    Retrieval: _of_retrieval,
    Rewrite: _of_rewrite,
    Verdicts: _of_verdicts,
    Claims: _of_claims,
    Decision: _of_decision,
}


def _hidden(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"item {number}" for number, _ in enumerate(texts, start=1))


def _number(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_priced(each) for each in value]
    return f"{WITHHELD} ({len(value)})" if isinstance(value, dict) else WITHHELD


def _priced(each: Any) -> Any:
    """What a tool cost is no secret, and the turn's figures need it."""
    return {"cost": each["cost"]} if isinstance(each, dict) and "cost" in each else WITHHELD
