"""Decision records in Django admin: read only, each look at one is written down; and legal holds.

They are registered here and not in `chat`, because reading one writes a row of this app.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from admin_tracing import (  # noqa: F401 - they register themselves
    admin_incidents,
    admin_labels,
    admin_prompts,
)
from admin_tracing.access import RECORDS, SENSITIVE, may
from admin_tracing.admin_incidents import UNSCREENED
from admin_tracing.models import RecordRead
from admin_tracing.notes import kept
from admin_tracing.summaries import words
from chat.admin import ReadOnlyAdmin
from chat.contracts.errors import RedactionFailed
from chat.models import Conversation, DecisionRecord, LegalHold
from chat.records.page import page_of
from chat.records.proof import proof_of
from chat.records.verify import verify


@admin.register(DecisionRecord)
class DecisionRecordAdmin(ReadOnlyAdmin):
    """The list says which records there are; opening one shows its facts and checks its chain."""

    permission = RECORDS
    list_display = ("number", "conversation_id", "ended", "short_digest", "sealed_at")
    list_display_links = ("number", "conversation_id")
    list_filter = ("sealed_at",)
    search_fields = ("=conversation__id", "=turn__id", "digest__startswith")
    search_help_text = "Id of a conversation or a turn, or the beginning of a digest"
    date_hierarchy = "sealed_at"
    ordering = ("-sealed_at",)
    list_per_page = 50
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("number", "conversation_id", "turn_id", "sealed_at", "ended")}),
        ("Chain", {"fields": ("chain", "digest", "previous_digest", "content_digest")}),
        ("Proof", {"fields": ("export", "hold")}),
        ("Facts", {"fields": ("pretty_facts",)}),
        ("Content", {"fields": ("pretty_content",)}),
    )
    restricted = (*fieldsets[:-1], ("Content", {"fields": ("withheld_content",)}))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fieldsets if may_read_content(request.user, obj) else self.restricted

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        sets = self.get_fieldsets(request, obj)
        return [name for _, options in sets for name in options["fields"]]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        export = path("<int:pk>/export/", view, name="chat_decisionrecord_export")
        return [export, *super().get_urls()]

    def export_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The record as one file that proves itself; to take it away is to read it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        record = DecisionRecord.objects.select_related("turn").filter(pk=pk).first()
        if record is None:
            raise Http404("There is no such record.")
        if not may_read_content(request.user, record):
            raise PermissionDenied
        page = page_of(proof_of(record.turn_id))
        RecordRead.objects.create(record=record, user=request.user)
        name = f"record-{record.turn_id}.html"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        }
        return HttpResponse(page, headers=headers)

    def change_view(
        self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        response = super().change_view(request, object_id, *args, **kwargs)
        if response.status_code == 200:
            RecordRead.objects.create(record_id=int(object_id), user=request.user)
        return response

    @admin.display(description="ended")
    def ended(self, record: DecisionRecord) -> str:
        ending = record.facts.get("finished") or {}
        return words(str(ending.get("termination", ""))) or "–"

    @admin.display(description="digest", ordering="digest")
    def short_digest(self, record: DecisionRecord) -> str:
        return f"{record.digest[:12]}…"

    @admin.display(description="chain of this conversation")
    def chain(self, record: DecisionRecord) -> str:
        broken = verify(record.conversation_id)
        if broken is None:
            return "Holds: every record follows the one before it, and none is missing."
        return f"Broken at record {broken.number}: {broken.why}."

    @admin.display(description="export")
    def export(self, record: DecisionRecord) -> SafeString:
        address = reverse("admin:chat_decisionrecord_export", args=(record.pk,))
        return format_html(
            '<a class="button" href="{}">Export this record</a> '
            "One file that proves itself, without this site and without a network.",
            address,
        )

    @admin.display(description="legal hold")
    def hold(self, record: DecisionRecord) -> SafeString:
        held = LegalHold.objects.filter(conversation=record.conversation_id, lifted_at=None)
        if found := held.first():
            address = reverse("admin:chat_legalhold_changelist")
            return format_html('<a href="{}">Held</a>: {}', address, found.reason)
        address = reverse("admin:chat_legalhold_add")
        return format_html(
            'None. <a href="{}?conversation={}">Place a hold</a>, and nothing of this conversation '
            "is purged or erased.",
            address,
            record.conversation_id,
        )

    @admin.display(description="content")
    def withheld_content(self, record: DecisionRecord) -> str:
        return "This turn tells of somebody's health. Reading it needs a right of its own."

    @admin.display(description="facts")
    def pretty_facts(self, record: DecisionRecord) -> SafeString:
        return _pretty(record.facts)

    @admin.display(description="content")
    def pretty_content(self, record: DecisionRecord) -> SafeString | str:
        content = getattr(record, "content", None)
        if content is None:
            return "There is no content row."
        if content.content is None:
            day = date_format(content.erased_at, "j F Y")
            return f"Erased on {day}; its digest stays in the chain."
        return _pretty(content.content)


class HoldForm(forms.ModelForm):
    """The conversation by its id alone: its title is made of what was said."""

    conversation = forms.ModelChoiceField(
        Conversation.objects.all(),
        widget=forms.TextInput,
        help_text="The id of the conversation.",
        error_messages={"invalid_choice": "There is no such conversation."},
    )

    def clean_reason(self) -> str:
        """The reason as it may be kept for good."""
        try:
            return kept(self.cleaned_data["reason"])
        except RedactionFailed:
            raise forms.ValidationError(UNSCREENED) from None


@admin.register(LegalHold)
class LegalHoldAdmin(admin.ModelAdmin):
    """A hold is placed with a reason and lifted once; neither is ever changed or removed."""

    list_display = ("conversation_id", "reason", "placed_by", "placed_at", "lifted_by", "lifted_at")
    list_filter = (("lifted_at", admin.EmptyFieldListFilter),)
    list_select_related = ("placed_by", "lifted_by")
    search_fields = ("=conversation__id", "reason")
    fields = ("conversation", "reason")
    actions = ("lift",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, RECORDS)

    has_module_permission = has_view_permission
    has_add_permission = has_view_permission

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_delete_permission = has_change_permission

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().get_form(request, *args, **kwargs | {"form": HoldForm})

    def save_model(self, request: HttpRequest, obj: LegalHold, form: Any, change: bool) -> None:
        obj.placed_by = request.user
        obj.save(force_insert=True)

    @admin.action(description="Lift the chosen holds")
    def lift(self, request: HttpRequest, holds: QuerySet[LegalHold]) -> None:
        lifted = holds.filter(lifted_at=None).update(
            lifted_by=request.user, lifted_at=timezone.now()
        )
        self.message_user(request, f"{lifted} lifted.")


@admin.register(RecordRead)
class RecordReadAdmin(ReadOnlyAdmin):
    """Who read which record."""

    permission = RECORDS
    list_display = ("at", "user", "record")
    list_filter = ("at",)
    list_select_related = ("user", "record")
    search_fields = ("user__username", "=record__conversation__id")
    date_hierarchy = "at"


def may_read_content(user: Any, record: DecisionRecord | None) -> bool:
    """What tells of somebody's health is for fewer people."""
    is_sensitive = record is not None and record.turn.is_sensitive
    return not is_sensitive or bool(user.has_perm(SENSITIVE))


def _pretty(value: Any) -> SafeString:
    return format_html(
        '<pre class="pretty">{}</pre>', json.dumps(value, indent=2, ensure_ascii=False)
    )
