"""Labels in Django admin: give one beside the turn's question and answer; see those given."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from admin_tracing import labels
from admin_tracing.access import LABEL, RECORDS, SENSITIVE, may
from admin_tracing.asked import asked
from admin_tracing.labels import Trouble
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.taxonomy import Category, Severity
from chat.models import Turn

CHOOSE = "Open a conversation and choose the turn that you want to label."


def _json(about: str) -> forms.JSONField:
    rows = forms.Textarea(attrs={"rows": 2})
    return forms.JSONField(required=False, initial=dict, widget=rows, help_text=about)


class RoutingForm(forms.ModelForm):
    class Meta:
        model = RoutingLabel
        fields = ("needed", "note")


class GroundednessForm(forms.ModelForm):
    """Claims and citations are JSON: an id or a marker, and true or false."""

    claims = _json('By claim: {"c1": true, "c2": false}')
    citations = _json('By marker: {"1": true}')

    class Meta:
        model = GroundednessLabel
        fields = (
            *("grounded", "correct", "claims", "citations"),
            *("incident_category", "incident_severity", "note"),
        )

    def clean_claims(self) -> dict[str, bool]:
        return _marks(self.cleaned_data["claims"])

    def clean_citations(self) -> dict[str, bool]:
        return _marks(self.cleaned_data["citations"])

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
        if "turn" not in request.GET:
            self.message_user(request, CHOOSE, messages.INFO)
            return HttpResponseRedirect(reverse("admin:chat_conversation_changelist"))
        # The next label is of another turn, which is chosen elsewhere.
        shown = {"asked": asked(_turn(request)), "show_save_and_add_another": False}
        return super().add_view(request, form_url, {**(extra_context or {}), **shown})

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
        label = labels.give_routing(_turn(request), request.user, given["needed"], given["note"])
        _stands_for(obj, label)


@admin.register(GroundednessLabel)
class GroundednessLabelAdmin(LabelAdmin):
    form = GroundednessForm
    list_display = ("at", "user", "grounded", "correct", "incident_category", "turn_id")
    list_filter = ("grounded", "correct", "incident_category", "at")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        given = form.cleaned_data
        label = labels.give_groundedness(
            _turn(request),
            request.user,
            (given["grounded"], given["correct"]),
            parts=(given["claims"], given["citations"]),
            trouble=_trouble(given),
            note=given["note"],
        )
        _stands_for(obj, label)


def _turn(request: HttpRequest) -> Turn:
    """The ended turn of a person that the address names; a sensitive one for fewer eyes."""
    try:
        wanted = UUID(request.GET.get("turn", ""))
    except ValueError:
        raise Http404("There is no such turn.") from None
    ended = Turn.objects.filter(status=Turn.Status.FINISHED).exclude(kind="lab")
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


def _marks(given: Any) -> dict[str, bool]:
    marks = given or {}
    if not isinstance(marks, dict) or not all(isinstance(v, bool) for v in marks.values()):
        raise ValidationError("Give one JSON object of true and false.")
    return marks


def _stands_for(obj: Any, label: Any) -> None:
    """The use case wrote the row; the form's object becomes it."""
    obj.pk = label.pk
    obj.refresh_from_db()
