"""The what-if form: what may be changed when a turn is run again, and how it was.

An empty field stays as the turn was run. What is wrong is said at its field.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms

from admin_tracing.summaries import words
from chat.reruns import COST_LIMIT, BadChange, Change, Offers, change_from

PROMPT = "prompt_"  # before a purpose, in a field's name
SAME = "As it was"

LABELS = {
    "max_rewrites": "Rewrites",
    "check_order": "Looked at first",
    "relevance_threshold": "Relevance threshold",
    "route_threshold": "Router margin",
    "direct_threshold": "Margin of the direct path",
    "retrieval": "Retrieval",
    "topic_check": "Topic check",
    "model": "Model",
}
ORDERS = {"evidence": "The evidence", "budget": "The budget"}
MODES = {
    "hybrid": "By meaning and words",
    "vector": "By meaning",
    "lexical": "By words, stemmed",
    "exact": "By exact words",
}
FIRST = ("max_rewrites", "check_order", "retrieval", "topic_check")


class WhatIf(forms.Form):
    """A field for each thing that can be changed; `change` holds it once the form is valid.

    `now` has the values that the turn was run with, or those that are set, as far as known.
    """

    def __init__(self, offers: Offers, *args: Any, now: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.change = Change()
        for name, limits in offers.limits.items():
            self.fields[name] = _number(name, limits, now.get(name))
        choices = {
            "check_order": [(order, ORDERS.get(order, order)) for order in offers.orders],
            "retrieval": [(mode, MODES.get(mode, mode)) for mode in offers.retrievals],
            "topic_check": [("true", "On"), ("false", "Off")],
            "model": [(model, model) for model in offers.models],
        }
        for name, offered in choices.items():
            self.fields[name] = _choice(LABELS[name], offered, now.get(name))
        for purpose, versions in offers.prompts.items():
            label = f"Prompt for {words(purpose)}"
            offered = [(version, version) for version in versions]
            self.fields[f"{PROMPT}{purpose}"] = _choice(label, offered, None)
        self.fields[FIRST[0]].widget.attrs["autofocus"] = True  # not the way out

    @property
    def first(self) -> list[forms.BoundField]:
        """What is tried most."""
        return [self[name] for name in FIRST]

    @property
    def rest(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in FIRST and name != "cost_limit"]

    @property
    def uses_rest(self) -> bool:
        return any(field.errors or field.value() for field in self.rest)

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        plain = {name: given.get(name) for name in LABELS}
        plain["prompts"] = {
            name.removeprefix(PROMPT): value
            for name, value in given.items()
            if name.startswith(PROMPT) and value
        }
        try:
            self.change = change_from(plain)
        except BadChange as wrong:
            for name, sentence in wrong.fields.items():
                self.add_error(name if name in self.fields else None, sentence)
        return given


class WhatIfMany(WhatIf):
    """The same for many turns, with the most that they may cost."""

    cost_limit = forms.DecimalField(
        label="Stop when new calls have cost, in US dollars",
        max_digits=10,
        decimal_places=6,
        min_value=Decimal("0.000001"),
        initial=COST_LIMIT,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )


def _number(name: str, limits: tuple[float, float], now: Any) -> forms.Field:
    kind = forms.IntegerField if isinstance(limits[0], int) else forms.FloatField
    attrs = {"step": "1" if kind is forms.IntegerField else "any", "inputmode": "decimal"}
    attrs["placeholder"] = SAME if now is None else f"{SAME}: {now:g}"
    return kind(
        label=f"{LABELS[name]}, {limits[0]:g} to {limits[1]:g}",
        required=False,
        min_value=limits[0],
        max_value=limits[1],
        widget=forms.NumberInput(attrs=attrs),
    )


def _choice(label: str, offered: list[tuple[str, str]], now: Any) -> forms.Field:
    known = {value: text for value, text in offered}
    key = str(now).lower() if isinstance(now, bool) else str(now)
    same = SAME if now is None else f"{SAME}: {known.get(key, key)}"
    return forms.ChoiceField(label=label, required=False, choices=[("", same), *offered])
