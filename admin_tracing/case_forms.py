"""The form on an incident's page: what is suspected, and in which window."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from admin_tracing import incidents
from admin_tracing.incidents import Window
from admin_tracing.models import Incident
from admin_tracing.suspects import OUTCOMES, BadSuspect, Suspect, SuspectKind
from chat.contracts.verdicts import Control

MOMENT = "%Y-%m-%dT%H:%M"


def _moment(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
    return forms.DateTimeField(label=label, required=False, widget=widget)


class SuspectForm(forms.Form):
    """One kind and a name; what a control did is chosen, a version is typed.

    `suspect` and `window` hold what was chosen once the form is valid.
    """

    kind = forms.ChoiceField(
        label="Suspect", required=False, choices=[("", "Nothing yet"), *SuspectKind.choices()]
    )
    control = forms.ChoiceField(
        label="Control",
        required=False,
        choices=[("", "–"), *((one.value, one.replace("_", " ")) for one in Control)],
    )
    outcome = forms.ChoiceField(
        label="Its outcome",
        required=False,
        choices=[("", "–"), *((str(one), str(one).replace("_", " ")) for one in OUTCOMES)],
    )
    name = forms.CharField(
        label="Document, prompt or model",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "refunds"}),
    )
    version = forms.CharField(
        label="Version",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"placeholder": "any"}),
    )
    since = _moment("From, UTC")
    until = _moment("Before, UTC")

    def __init__(self, *args: Any, incident: Incident, **kwargs: Any) -> None:
        super().__init__(*args, initial=_stored(incident), label_suffix="", **kwargs)
        self.suspect: Suspect | None = None
        self.window = Window()

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        self.window = Window(given.get("since"), given.get("until"))
        if self.window.since and self.window.until and self.window.since >= self.window.until:
            raise ValidationError("The window ends before it begins.")
        if given.get("kind"):
            self.suspect = _suspect(given)
        return given


def _suspect(given: dict[str, Any]) -> Suspect:
    kind = SuspectKind(given["kind"])
    is_control = kind is SuspectKind.CONTROL
    name, value = ("control", "outcome") if is_control else ("name", "version")
    try:
        return Suspect(kind, given.get(name, "").strip(), given.get(value, "").strip())
    except BadSuspect as wrong:
        raise ValidationError(str(wrong)) from None


def _stored(incident: Incident) -> dict[str, Any]:
    """What the incident has; a control that its alert named is offered."""
    whom = incidents.suspect_of(incident)
    stored: dict[str, Any] = {"since": incident.since, "until": incident.until}
    if whom is None:
        return stored | (
            {"kind": "control", "control": incident.control} if incident.control else {}
        )
    if whom.kind is SuspectKind.CONTROL:
        return stored | {"kind": whom.kind, "control": whom.name, "outcome": whom.value}
    return stored | {"kind": whom.kind, "name": whom.name, "version": whom.value}
