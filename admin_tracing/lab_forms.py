"""The lab's form: which questions, the settings that they are run through, what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms

from chat.lab_costs import COST_LIMIT, HIGHEST_LIMIT
from chat.lab_reads import variants_of
from chat.lab_table import REAL_BOUND, Variant
from chat.models import LabRun

BOTH = "both"
CHECKS = {"on": (True,), "off": (False,), BOTH: (True, False)}
ORDERS = {"evidence": ("evidence",), "budget": ("budget",), BOTH: ("evidence", "budget")}

WHOLE = {
    "questions": "golden",
    "bounds": ["0", "1", "2", "3"],
    "order": BOTH,
    "retrieval": "lexical",
    "topic_check": BOTH,
    "cost_limit": COST_LIMIT,
}
"""The whole table of the golden five."""


class LabForm(forms.Form):
    """Every combination of what is chosen is run; `variants` has them once the form is valid."""

    questions = forms.ChoiceField(
        label="Questions",
        choices=[("golden", "Golden five"), ("own", "Own set")],
        widget=forms.RadioSelect,
    )
    bounds = forms.MultipleChoiceField(
        label="Rewrites allowed",
        choices=[(str(bound), str(bound)) for bound in range(REAL_BOUND + 1)],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one bound."},
    )
    order = forms.ChoiceField(
        label="Checked first",
        choices=[("evidence", "Evidence"), ("budget", "Budget"), (BOTH, "Both")],
    )
    topic_check = forms.ChoiceField(
        label="Topic check", choices=[("on", "On"), ("off", "Off"), (BOTH, "Both")]
    )
    retrieval = forms.ChoiceField(
        label="Retrieval",
        choices=[("lexical", "Lexical"), ("hybrid", "Hybrid"), ("vector", "Vector")],
    )

    cost_limit = forms.DecimalField(
        label="Cost limit, US$",
        max_digits=10,
        decimal_places=6,
        min_value=Decimal("0.000001"),
        max_value=HIGHEST_LIMIT,
        initial=COST_LIMIT,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
        error_messages={"required": "Say what it may cost."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)

    @property
    def variants(self) -> list[Variant]:
        """Settings by group, in the order in which the table shows them."""
        return variants_from(self.cleaned_data)


def variants_from(given: Mapping[str, Any]) -> list[Variant]:
    """Every combination of what the form has."""
    return [
        Variant(int(bound), order, check, given["retrieval"])
        for check in CHECKS[given["topic_check"]]
        for order in ORDERS[given["order"]]
        for bound in given["bounds"]
    ]


def chosen_in(run: LabRun) -> dict[str, Any]:
    """What the form had when it asked for a run, to begin the next one from."""
    variants = variants_of(run)
    if not variants:
        return dict(WHOLE)
    orders = {variant.order for variant in variants}
    checks = {variant.topic_check for variant in variants}
    return {
        "questions": run.questions,
        "bounds": sorted({str(variant.bound) for variant in variants}),
        "order": BOTH if len(orders) > 1 else orders.pop(),
        "retrieval": variants[0].retrieval,
        "topic_check": BOTH if len(checks) > 1 else "on" if checks.pop() else "off",
        "cost_limit": f"{run.cost_limit.normalize():f}",
    }
