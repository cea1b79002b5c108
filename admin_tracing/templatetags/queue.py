"""What the sheets of the queue look up: an answer by its question, a mark by its number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from admin_tracing.admin_transcript import inlines

register = template.Library()


@register.filter
def of(values: Mapping[str, Any] | None, key: str) -> Any:
    """The value under a key, or None."""
    return values.get(key) if values else None


@register.filter
def mark(values: Mapping[str, bool] | None, marker: int) -> bool | None:
    """The mark of a citation, whose marker is stored as text."""
    return values.get(str(marker)) if values else None


@register.filter
def any_notes(voices: Iterable[Any]) -> bool:
    """Did anybody write a note?"""
    return any(voice.notes for voice in voices)


@register.simple_tag
def inline_labels(lines: Iterable[Any], user: Any) -> Mapping[Any, Any]:
    """The forms beside the turns of a transcript, by turn."""
    return inlines([line.turn for line in lines], user)


@register.filter
def blindly(ended: str) -> str:
    """How a turn ended, without what a check made of its answer."""
    return ended.removesuffix(" with caveat")
