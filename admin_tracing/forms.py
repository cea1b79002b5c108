"""The filters of the list of turns, and the key of its pages as text in an address."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, get_args
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError

from admin_tracing import counted
from admin_tracing.labelled import choosing
from admin_tracing.queries import Cursor
from admin_tracing.running.window import DUE, MISSED
from admin_tracing.summaries import words
from admin_tracing.suspects import OUTCOMES
from chat.contracts.events import Kind
from chat.contracts.verdicts import Confidence, Control, Route, Termination
from chat.identity import Person

MOST_NAMED = 100
"""Turns that an address can name one by one."""


def _choices(every: str, names: Any) -> list[tuple[str, str]]:
    return [("", every), *((str(name), words(str(name)).capitalize()) for name in names)]


def _countable(when: date) -> None:
    """Raises `ValidationError` for a day so far off that no days can be counted from it."""
    day = when.date() if isinstance(when, datetime) else when
    first, last = choosing.EVER
    if not first <= day <= last:
        raise ValidationError(f"Choose a day from {first.year} to {last.year}.")


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
        label="From",
        required=False,
        validators=[_countable],
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label="To",
        required=False,
        validators=[_countable],
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    lab = forms.BooleanField(label="Lab and re-runs too", required=False)
    confidence = forms.ChoiceField(
        label="Confidence", required=False, choices=_choices("Any band", Confidence)
    )
    shows = forms.ChoiceField(
        label="Shows", required=False, choices=_choices("Anything", counted.SHOWS)
    )
    control = forms.ChoiceField(
        label="Control", required=False, choices=_choices("Any control", Control)
    )
    outcome = forms.ChoiceField(
        label="Its outcome",
        required=False,
        choices=[*_choices("Failed", OUTCOMES), (MISSED, "Failed or missing"), (DUE, "Was due")],
    )
    hour = forms.DateTimeField(
        label="Hour from, UTC",
        required=False,
        validators=[_countable],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    person = forms.RegexField(
        r"^(user \d{1,9}|visitor [0-9a-f-]{36})$",
        label="Person",
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "user 7"}),
        error_messages={"invalid": "Write user and a number, or visitor and a key."},
    )

    ugly = forms.BooleanField(label="Ugliest fifty", required=False)
    slower = forms.BooleanField(label="Slower than 19 of 20 of its route", required=False)
    longer = forms.IntegerField(label="Took longer than, ms", required=False, min_value=0)
    passes = forms.IntegerField(label="Passes, at least", required=False, min_value=1)
    section = forms.CharField(
        label="Found first",
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"placeholder": "refunds#timing"}),
    )
    turns = forms.CharField(
        label="These turns",
        required=False,
        max_length=MOST_NAMED * 37,
        error_messages={"max_length": f"At most {MOST_NAMED} turns can be named."},
    )

    labelled = forms.ChoiceField(
        label="Labelled",
        required=False,
        choices=[("", "Or not"), *choosing.LABELLED.items()],
    )
    needed = forms.ChoiceField(
        label="Way it needed",
        required=False,
        choices=_choices("Any way", choosing.WAYS),
    )
    went = forms.ChoiceField(
        label="Way it went",
        required=False,
        choices=_choices("Any way", choosing.WAYS),
    )
    grounded = forms.ChoiceField(
        label="Held, by people",
        required=False,
        choices=_choices("Or not", choosing.GRADES),
    )
    correct = forms.ChoiceField(
        label="Right, by people",
        required=False,
        choices=_choices("Or not", choosing.GRADES),
    )
    disagrees = forms.ChoiceField(
        label="At odds",
        required=False,
        choices=[("", "With nobody"), *choosing.disagreements().items()],
    )
    measured = forms.ChoiceField(
        label="Held against people",
        required=False,
        choices=[("", "Any control"), *choosing.measured().items()],
    )
    versions = forms.IntegerField(label="Version set", required=False, min_value=1)

    MORE = (
        *("confidence", "shows", "control", "outcome", "hour", "person"),
        *("ugly", "slower", "longer", "passes", "section", "turns"),
        *("labelled", "needed", "went", "grounded", "correct", "disagrees", "measured"),
        "versions",
    )
    """Fields that stand folded until one of them is used."""

    @property
    def first(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.MORE]

    @property
    def more(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.MORE]

    @property
    def uses_more(self) -> bool:
        """True if a folded field is filled or wrong, so that it has to be seen."""
        return any(field.errors or field.value() for field in self.more)

    def clean_person(self) -> str:
        """In one spelling, by which it is forgotten with the person; a visitor's key is a UUID."""
        who: str = self.cleaned_data["person"]
        kind, _, key = who.partition(" ")
        if kind == "user":
            return Person(user_id=int(key)).name()
        if kind != "visitor":
            return who
        try:
            return Person(visitor=UUID(key)).name()
        except ValueError:
            raise ValidationError("That is no visitor's key.") from None

    def clean_turns(self) -> list[UUID]:
        """Keys with commas between them."""
        named = filter(None, self.cleaned_data["turns"].split(","))
        try:
            return [UUID(key.strip()) for key in named]
        except ValueError:
            raise ValidationError("Name turns by their keys, with commas between.") from None

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
