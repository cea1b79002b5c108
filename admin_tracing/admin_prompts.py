"""Versions of prompts and their trials in Django admin: write one, try it, end the trial.

A version is added and then only looked at; a trial is begun and ended. `chat.trials` does both.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Avg, Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from admin_tracing.access import PROMPTS, may
from admin_tracing.counted import ANSWERED, counted
from chat import trials
from chat.models import PromptTrial, PromptVersion
from chat.trials import BadPrompt


class VersionForm(forms.ModelForm):
    """Other rules for a purpose. They begin as a copy of what is shipped."""

    purpose = forms.ChoiceField(
        choices=[(purpose, purpose) for purpose in trials.PURPOSES],
        help_text="What the model is asked to do. The scope and the search step have no versions.",
    )
    system = forms.CharField(
        label="Rules",
        max_length=trials.LONGEST,
        widget=forms.Textarea(attrs={"rows": 24, "class": "vLargeTextField"}),
        help_text="That data is no instruction is added where it is missing.",
    )

    class Meta:
        model = PromptVersion
        fields = ("purpose", "name", "system", "note")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = self.cleaned_data
        if {"purpose", "name", "system"} <= given.keys():
            try:
                trials.check(given["purpose"], given["name"], given["system"])
            except BadPrompt as error:
                raise forms.ValidationError(str(error)) from None
        return given


class TrialForm(forms.ModelForm):
    """Which version, and how many conversations of a hundred hear it."""

    version = forms.ModelChoiceField(
        PromptVersion.objects.filter(is_shipped=False),
        help_text="One that was written here. Add it under prompt versions first.",
    )
    percent = forms.FloatField(
        label="Share in %",
        min_value=0.1,
        max_value=100,
        initial=50,
        help_text="Of conversations. The others hear what is shipped.",
    )

    class Meta:
        model = PromptTrial
        fields = ("version",)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = self.cleaned_data
        if (version := given.get("version")) is not None:
            running = PromptTrial.objects.filter(purpose=version.purpose, ended_at=None)
            if running.exists():
                raise forms.ValidationError(
                    f"Another trial of {version.purpose} is open. End it before you begin one."
                )
        return given


class Written(admin.ModelAdmin):
    """What is added with one right and never changed or removed."""

    actions: Any = None
    list_per_page = 50
    show_full_result_count = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, PROMPTS)

    has_module_permission = has_view_permission
    has_add_permission = has_view_permission

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_delete_permission = has_change_permission

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.get_fields(request, obj)


@admin.register(PromptVersion)
class PromptVersionAdmin(Written):
    form = VersionForm
    list_display = ("name", "purpose", "is_shipped", "made_at", "made_by", "note")
    list_filter = ("purpose", "is_shipped")
    list_select_related = ("made_by",)
    search_fields = ("name", "note")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return self.form.Meta.fields
        return ("name", "purpose", "is_shipped", "note", "made_at", "made_by", "rules")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """`?purpose=` begins with the shipped rules of that purpose."""
        purpose = request.GET.get("purpose", "answer")
        if purpose not in trials.PURPOSES:
            return {}
        return {"purpose": purpose, "system": trials.shipped(purpose).system}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        given = form.cleaned_data
        made = trials.write(
            request.user, given["purpose"], given["name"], given["system"], given["note"]
        )
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.display(description="rules")
    def rules(self, version: PromptVersion) -> SafeString:
        return format_html('<pre class="pretty">{}</pre>', version.system)


@admin.register(PromptTrial)
class PromptTrialAdmin(Written):
    form = TrialForm
    list_display = ("version", "purpose", "percent", "started_at", "started_by", "ended_at")
    list_filter = (("ended_at", admin.EmptyFieldListFilter), "purpose")
    list_select_related = ("version", "started_by")
    actions = ("end_trials",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ("version", "percent")
        return (*self.list_display, "sides")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        given = form.cleaned_data
        begun = trials.begin(request.user, given["version"], given["percent"] / 100)
        obj.pk = begun.pk
        obj.refresh_from_db()

    @admin.display(description="share")
    def percent(self, trial: PromptTrial) -> str:
        return f"{trial.share * 100:g} %"

    @admin.action(description="End the chosen trials")
    def end_trials(self, request: HttpRequest, chosen: QuerySet[PromptTrial]) -> None:
        for trial in chosen:
            trials.end(trial)
        self.message_user(
            request, "Ended: every conversation hears what is shipped.", messages.SUCCESS
        )

    @admin.display(description="both sides so far")
    def sides(self, trial: PromptTrial) -> SafeString:
        """Turns of people while the trial ran, by the version that spoke."""
        rows = [(name, *_figures(trial, name)) for name in (trial.version.name, _other(trial))]
        head = ("Version", "Turns", "Answered", "Low confidence", "Cost a turn")
        return format_html(
            "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
            format_html_join("", "<th>{}</th>", ((name,) for name in head)),
            format_html_join(
                "", "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", rows
            ),
        )


def _other(trial: PromptTrial) -> str:
    return trials.shipped(trial.purpose).name


def _figures(trial: PromptTrial, name: str) -> tuple[str, str, str, str]:
    turns = counted(trial.started_at, trial.ended_at).filter(
        conversation__created_at__gte=trial.started_at,  # older ones have no part in it
        versions__values__prompts__regex=rf"(^| ){name.replace('.', '[.]')}( |$)",
    )
    found = turns.aggregate(
        n=Count("pk"),
        answered=Count("pk", filter=ANSWERED),
        low=Count("pk", filter=Q(confidence="low")),
        cost=Avg("cost"),
    )
    if not (n := found["n"]):
        return "0", "–", "–", "–"
    cents = float(found["cost"]) * 100
    return (
        f"{n:,}",
        f"{found['answered'] / n:.1%}",
        f"{found['low'] / n:.1%}",
        f"{cents:.3f} ¢",
    )
