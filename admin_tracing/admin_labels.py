"""Labels in Django admin: give one beside the turn's question and answer; see those given."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from admin_tracing import queueing
from admin_tracing.access import LABEL, RECORDS, SENSITIVE, may
from admin_tracing.asked import Asked, asked
from admin_tracing.labels import Trouble
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.queueing import Answer, Job, NotYours
from admin_tracing.taxonomy import Category, Severity
from chat.contracts.events import NOBODYS
from chat.models import Turn

CHOOSE = "Open a conversation and choose the turn that you want to label."


MARKS = (("yes", "Yes"), ("no", "No"), ("", "Not said"))


def _mark(label: str) -> forms.ChoiceField:
    """One row of yes and no."""
    return forms.ChoiceField(
        label=label, choices=MARKS, required=False, initial="", widget=forms.RadioSelect
    )


class RoutingForm(forms.ModelForm):
    class Meta:
        model = RoutingLabel
        fields = ("needed", "note")


class GroundednessForm(forms.ModelForm):
    """A row of yes and no for each claim and citation of the turn is added by `_beside`."""

    class Meta:
        model = GroundednessLabel
        fields = ("grounded", "correct", "incident_category", "incident_severity", "note")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in {"grounded", "correct"} & self.fields.keys():  # a label that is shown has none
            self.fields[name].required = True  # only a file leaves one of them open

    def marks(self, prefix: str) -> dict[str, bool]:
        """What was said of the claims or the sources, by id or marker."""
        given = {name: value for name, value in self.cleaned_data.items() if value}
        rows = {name: value for name, value in given.items() if name.startswith(prefix)}
        return {name.removeprefix(prefix): value == "yes" for name, value in rows.items()}

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("incident_severity") and not given.get("incident_category"):
            raise ValidationError("A severity belongs to an incident: choose its category.")
        return given


class LabelAdmin(admin.ModelAdmin):
    """A label is added beside its turn, named in the address, and only looked at afterwards."""

    add_form_template = "admin/admin_tracing/label_form.html"
    list_filter: tuple[str, ...] = ("at",)
    list_select_related = ("user",)
    search_fields = ("=turn__id", "=turn__conversation__id", "user__username")
    ordering = ("-at",)
    list_per_page = 50
    show_full_result_count = False
    actions = None

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "turn" not in request.GET:
            self.message_user(request, CHOOSE, messages.INFO)
            return HttpResponseRedirect(reverse("admin:chat_conversation_changelist"))
        turn = _turn(request)
        # The next label is of another turn, which is chosen elsewhere.
        shown = {"asked": asked(turn), "show_save_and_add_another": False}
        try:
            if refusal := queueing.why_not(request.user, turn):
                raise NotYours(refusal)
            return super().add_view(request, form_url, {**(extra_context or {}), **shown})
        except NotYours as refused:
            self.message_user(request, str(refused), messages.ERROR)
            transcript = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
            return HttpResponseRedirect(f"{transcript}#turn-{turn.pk}")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The turn in the address is no field, and nothing else is taken from there."""
        return {}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may(request.user, LABEL)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever labels sees their own, so that the next label is nobody's echo."""
        if may(request.user, RECORDS):
            return True
        return may(request.user, LABEL) and (obj is None or obj.user_id == request.user.pk)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        if not may(request.user, SENSITIVE):
            rows = rows.exclude(turn__is_sensitive=True)
        return rows if may(request.user, RECORDS) else rows.filter(user=request.user)


@admin.register(RoutingLabel)
class RoutingLabelAdmin(LabelAdmin):
    form = RoutingForm
    list_display = ("at", "user", "needed", "turn_id")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        given = form.cleaned_data
        answer = Answer(Job.ROUTING, needed=given["needed"], note=given["note"])
        _stands_for(obj, _given(request, answer, RoutingLabel))


@admin.register(GroundednessLabel)
class GroundednessLabelAdmin(LabelAdmin):
    form = GroundednessForm
    list_display = ("at", "user", "grounded", "correct", "incident_category", "turn_id")
    list_filter = ("grounded", "correct", "incident_category", "at")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """To give one: with a row for each claim and source of its turn."""
        if obj is None and "turn" in request.GET:
            return _beside(asked(_turn(request)))
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return list(self.get_form(request).base_fields)
        return [*GroundednessForm.Meta.fields[:2], "claims", "citations", *LAST]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        given = form.cleaned_data
        answer = Answer(
            Job.GROUNDEDNESS,
            grounded=given["grounded"],
            correct=given["correct"],
            parts=(form.marks("claim-"), form.marks("source-")),
            trouble=_trouble(given),
            note=given["note"],
        )
        _stands_for(obj, _given(request, answer, GroundednessLabel))


LAST = GroundednessForm.Meta.fields[2:]


def _beside(shown: Asked) -> Any:
    """The form for one turn: the answer first, then its claims and sources, then the rest."""
    rows: dict[str, Any] = {
        f"claim-{claim.id}": _mark(f"Claim: {claim.label}") for claim in shown.claims
    }
    rows |= {
        f"source-{one.marker}": _mark(f"Source {one.marker}: {one.title}")
        for one in shown.citations
    }
    form: Any = type("GroundednessOfTurn", (GroundednessForm,), dict(rows))
    first = GroundednessForm.Meta.fields[:2]
    form.base_fields = {name: form.base_fields[name] for name in (*first, *rows, *LAST)}
    return form


def _given(request: HttpRequest, answer: Answer, kind: Any) -> Any:
    """The label as the use case of the queue wrote it; its turn comes into the queue with it."""
    turn = _turn(request)
    queueing.add([turn.pk], "hand", user=request.user)
    queueing.give(request.user, turn.pk, answer)
    return kind.objects.get(turn=turn, user=request.user)


def _turn(request: HttpRequest) -> Turn:
    """The ended turn of a person that the address names; a sensitive one for fewer eyes."""
    try:
        wanted = UUID(request.GET.get("turn", ""))
    except ValueError:
        raise Http404("There is no such turn.") from None
    ended = Turn.objects.filter(status=Turn.Status.FINISHED).exclude(kind__in=NOBODYS)
    turn: Turn | None = ended.select_related("question").filter(pk=wanted).first()
    if turn is None:
        raise Http404("There is no such turn, or it has not ended.")
    if turn.is_sensitive and not may(request.user, SENSITIVE):
        raise PermissionDenied
    return turn


def _trouble(given: dict[str, Any]) -> Trouble | None:
    if not given["incident_category"]:
        return None
    severity = given["incident_severity"]
    return Trouble(Category(given["incident_category"]), Severity(severity) if severity else None)


def _stands_for(obj: Any, label: Any) -> None:
    """The use case wrote the row; the form's object becomes it."""
    obj.pk = label.pk
    obj.refresh_from_db()
