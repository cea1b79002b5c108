"""The filters of the list as pages show them: folded ones in groups, used ones in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.forms import BoundField, ChoiceField
from django.http import QueryDict

from admin_tracing.forms import TurnFilter
from admin_tracing.summaries import words

GROUPS = {
    "What happened": ("shows", "confidence", "section", "passes", "longer", "slower", "ugly"),
    "Controls and versions": ("control", "outcome", "versions"),
    "What people said": (
        *("labelled", "needed", "went", "grounded", "correct"),
        *("disagrees", "measured"),
    ),
    "People and time": ("person", "hour", "turns"),
}
"""The fields that stand folded, by what one looks for."""

OTHERS = "Other"


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    fields: tuple[BoundField, ...]


@dataclass(frozen=True, slots=True)
class Used:
    """A folded filter that is used, in words; `without` is the query that leaves it out."""

    name: str
    value: str
    without: str


def groups(form: TurnFilter) -> list[Group]:
    """Every folded field once; one that no group names stands in a last group of its own."""
    folded = {field.name: field for field in form.more}
    named = {name for names in GROUPS.values() for name in names}
    rest = tuple(name for name in folded if name not in named)
    return [
        Group(title, tuple(folded[name] for name in names if name in folded))
        for title, names in (*GROUPS.items(), (OTHERS, rest))
        if any(name in folded for name in names)
    ]


def used(form: TurnFilter, query: QueryDict) -> list[Used]:
    """The folded filters that are used. A form with a fault has none: it shows its fields."""
    if not form.is_valid():
        return []
    found = ((name, form.cleaned_data.get(name)) for name in form.MORE)
    return [
        Used(_label(name), "" if value is True else _value(name, value), _without(query, name))
        for name, value in found
        if value or (value == 0 and value is not False)
    ]


def told(filters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The filters that are used, by their labels. They may have been stored by an older version."""
    return [(_label(name), _value(name, value)) for name, value in filters.items() if value]


def _label(name: str) -> str:
    field = TurnFilter.base_fields.get(name)
    return str(field.label or name) if field else words(name)


def _value(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value):,}"
    if isinstance(value, datetime):
        return f"{value:%-d %b %H:%M}"
    field = TurnFilter.base_fields.get(name)
    choices = dict(field.choices) if isinstance(field, ChoiceField) else {}
    return "yes" if value is True else str(choices.get(value) or words(str(value)))


def _without(query: QueryDict, name: str) -> str:
    left = query.copy()
    for gone in (name, "before"):
        left.pop(gone, None)
    return f"?{left.urlencode()}"
