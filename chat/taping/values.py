"""What may come back from a call, and how it becomes a value again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chat.contracts.passages import Passage, SearchResult
from chat.contracts.tasks import Draft, PauseReply, Step, ToolResult
from chat.contracts.verdicts import AmbiguityVerdict, ClaimVerdict, Grade, RouteGuess, TopicVerdict

KINDS: Mapping[str, Any] = {
    "detect_greeting": bool,
    "standalone": str,
    "classify_topic": TopicVerdict,
    "detect_ambiguity": AmbiguityVerdict,
    "plan": tuple[str, ...],
    "next_step": Step,
    "grade": Grade,
    "rewrite": str,
    "answer": Draft,
    "check": tuple[ClaimVerdict, ...],
    "search": SearchResult,
    "neighbours": tuple[Passage, ...],
    "terms": tuple[str, ...],
    "drift": float | None,
    "route": RouteGuess,
    "run": ToolResult,
    "ask": PauseReply,
}
"""The type of what each method gives."""


class Unfit(ValueError):
    """A recording that this version cannot read."""


@cache
def _adapter(method: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[method])


def is_fit(method: str, value: Any) -> bool:
    """Is it what the method gives? Nonsense, which a control refuses, is not kept."""
    try:
        _adapter(method).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def value(method: str, came: Any) -> Any:
    """The value again. Raises `Unfit` where it is of another version."""
    try:
        return _adapter(method).validate_python(came)
    except ValidationError as error:
        raise Unfit(method) from error
