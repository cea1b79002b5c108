"""Incidents in Django admin: open one by hand, work on it, see its log; and whose a category is."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from admin_tracing import incidents
from admin_tracing.access import INCIDENTS, SENSITIVE, may
from admin_tracing.incidents import BadChange
from admin_tracing.models import BlastRead, CategoryOwner, Incident, IncidentChange
from admin_tracing.taxonomy import TAXONOMY, Category, Severity
from chat.admin import ReadOnlyAdmin
from chat.contracts.errors import RedactionFailed
from chat.models import Turn

UNSCREENED = "What you wrote could not be screened for personal data, so it was not kept."
WIDE = {"title": forms.TextInput(attrs={"class": "vLargeTextField", "size": 80})}


class OpenForm(forms.ModelForm):
    """What is needed to open an incident; the rest follows from it."""

    turn = forms.ModelChoiceField(
        Turn.objects.all(),
        required=False,
        widget=forms.TextInput,
        help_text="The id of the turn that it began with, if there is one.",
        error_messages={"invalid_choice": "There is no such turn."},
    )

    class Meta:
        model = Incident
        fields = ("category", "title", "note", "turn")
        widgets = WIDE


class WorkForm(forms.ModelForm):
    """What people change. Another severity than the rule's needs a reason, which is kept."""

    reason = forms.CharField(
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Kept in the log. Needed to set a severity by hand.",
    )

    class Meta:
        model = Incident
        fields = ("status", "severity", "owner", "title", "note")
        widgets = WIDE

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if "severity" in self.changed_data and not given.get("reason", "").strip():
            raise ValidationError("A severity is raised or lowered with a reason.")
        return given


class ChangeInline(admin.TabularInline):
    """The log."""

    model = IncidentChange
    fields = readonly_fields = ("at", "user", "what", "before", "after", "reason")
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, INCIDENTS)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Incident)
class IncidentAdmin(admin.ModelAdmin):
    """Everything goes through the use cases, so that no change is without its line."""

    list_display = ("number", "title", "severity", "status", "category", "owner", "opened_at")
    list_display_links = ("number", "title")
    list_filter = ("status", "severity", "category", "owner", "opened_at")
    search_fields = ("=id", "title", "note", "=turn__id", "=turn__conversation__id", "rule")
    search_help_text = "Words of a title or note, a number, a rule, or the id of a turn"
    ordering = ("-opened_at",)
    list_per_page = 50
    show_full_result_count = False
    actions = None
    told = ("radius", "category", "means", "rule_says", "opened_at", "opened_by", "closed_at")
    readonly_fields = told

    def get_queryset(self, request: HttpRequest) -> Any:
        """One of a turn that tells of somebody's health is not there for who may not read it."""
        rows = super().get_queryset(request)
        return rows if may(request.user, SENSITIVE) else rows.exclude(turn__is_sensitive=True)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        return super().get_form(
            request, obj, change, **kwargs | {"form": WorkForm if change else OpenForm}
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ((None, {"fields": ("category", "title", "note", "turn")}),)
        work = ("status", "severity", "owner", "title", "note", "reason")
        return ((None, {"fields": work}), ("What is known", {"fields": self.told}))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.told

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return () if obj is None else (ChangeInline,)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """A change is made on the row as it stands, field by field."""
        given = form.cleaned_data
        if not change:
            opened = incidents.open_by_hand(
                request.user,
                Category(given["category"]),
                given["title"],
                note=given["note"],
                turn=given["turn"],
            )
            obj.pk = opened.pk
            obj.refresh_from_db()
            return
        stored = Incident.objects.get(pk=obj.pk)
        if "severity" in form.changed_data:
            incidents.override(stored, request.user, Severity(given["severity"]), given["reason"])
        changed = {n: given[n] for n in form.changed_data if n not in ("severity", "reason")}
        incidents.change(stored, request.user, changed, given["reason"])
        obj.refresh_from_db()

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """What a use case refuses is told on the page; nothing of it was done."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except (BadChange, RedactionFailed) as refused:
            said = UNSCREENED if isinstance(refused, RedactionFailed) else str(refused)
            self.message_user(request, said, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, INCIDENTS)

    has_change_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may(request.user, INCIDENTS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request.user, INCIDENTS)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="incident", ordering="pk")
    def number(self, incident: Incident) -> str:
        return str(incident.pk)

    @admin.display(description="blast radius")
    def radius(self, incident: Incident) -> SafeString:
        address = reverse("workflow:incident", args=(incident.pk,))
        return format_html('<a href="{}">Suspect and whom it touched</a>', address)

    @admin.display(description="means")
    def means(self, incident: Incident) -> str:
        return TAXONOMY[Category(incident.category)].means

    @admin.display(description="the rule says")
    def rule_says(self, incident: Incident) -> str:
        return f"{incident.computed}, set by hand" if incident.is_overridden else incident.computed


@admin.register(CategoryOwner)
class CategoryOwnerAdmin(admin.ModelAdmin):
    """Whose a category's new incidents are: a group or a role, by name."""

    list_display = ("category", "owner", "means")
    list_editable = ("owner",)
    actions = None

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, INCIDENTS)

    has_change_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may(request.user, INCIDENTS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request.user, INCIDENTS)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else ("category",)

    @admin.display(description="means")
    def means(self, row: CategoryOwner) -> str:
        return TAXONOMY[Category(row.category)].means


@admin.register(BlastRead)
class BlastReadAdmin(ReadOnlyAdmin):
    """Who saw whom an incident touched."""

    permission = INCIDENTS
    list_display = ("at", "user", "incident", "form", "turns", "suspect")
    list_filter = ("form", "at")
    list_select_related = ("user", "incident")
    search_fields = ("user__username", "=incident__id")
    date_hierarchy = "at"
