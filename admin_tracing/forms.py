"""The filters of the list of turns, and the key of its pages as text in an address."""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError

from admin_tracing.queries import Cursor
from admin_tracing.summaries import words
from chat.contracts.events import Kind
from chat.contracts.verdicts import Route, Termination


def _choices(every: str, names: Any) -> list[tuple[str, str]]:
    return [("", every), *((str(name), words(str(name)).capitalize()) for name in names)]


class TurnFilter(forms.Form):
    """Every field may stay empty. Lab turns are left out unless they are asked for."""

    q = forms.CharField(
        label="Question contains",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    termination = forms.ChoiceField(
        label="Ended", required=False, choices=_choices("Any end", ["open", *Termination])
    )
    route = forms.ChoiceField(label="Route", required=False, choices=_choices("Any route", Route))
    kind = forms.ChoiceField(
        label="Kind", required=False, choices=_choices("Any kind", get_args(Kind))
    )
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    lab = forms.BooleanField(label="Lab turns too", required=False)

    @property
    def is_used(self) -> bool:
        """True if anything is filtered, so that an empty list can say why."""
        return any(self.cleaned_data.values())


def cursor_text(cursor: Cursor) -> str:
    at, turn = cursor
    return f"{at.isoformat()}_{turn}"


def cursor_from(text: str) -> Cursor | None:
    """None for no text. Raises `ValidationError` for one that no page ever gave."""
    if not text:
        return None
    at, _, turn = text.partition("_")
    try:
        cursor = datetime.fromisoformat(at), UUID(turn)
    except ValueError:
        raise ValidationError("That page does not exist.") from None
    if cursor[0].tzinfo is None:
        raise ValidationError("That page does not exist.")
    return cursor
