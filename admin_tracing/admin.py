"""Decision records in Django admin: read only, each look at one is written down.

They are registered here and not in `chat`, because reading one writes a row of this app.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from admin_tracing.access import RECORDS
from admin_tracing.models import RecordRead
from admin_tracing.summaries import words
from chat.admin import ReadOnlyAdmin
from chat.decision_log import verify
from chat.models import DecisionRecord


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
        ("Facts", {"fields": ("pretty_facts",)}),
        ("Content", {"fields": ("pretty_content",)}),
    )

    def change_view(
        self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        response = super().change_view(request, object_id, *args, **kwargs)
        if response.status_code == 200:
            RecordRead.objects.create(record_id=int(object_id), user=request.user)
        return response

    @admin.display(description="ended")
    def ended(self, record: DecisionRecord) -> str:
        return words(str(record.facts.get("termination", ""))) or "–"

    @admin.display(description="digest", ordering="digest")
    def short_digest(self, record: DecisionRecord) -> str:
        return f"{record.digest[:12]}…"

    @admin.display(description="chain of this conversation")
    def chain(self, record: DecisionRecord) -> str:
        broken = verify(record.conversation_id)
        if broken is None:
            return "Holds: every record follows the one before it, and none is missing."
        return f"Broken at record {broken.number}: {broken.why}."

    @admin.display(description="facts")
    def pretty_facts(self, record: DecisionRecord) -> SafeString:
        return _pretty(record.facts)

    @admin.display(description="content")
    def pretty_content(self, record: DecisionRecord) -> SafeString | str:
        content = getattr(record, "content", None)
        if content is None:
            return "There is no content row."
        if content.content is None:
            return f"Erased on {content.erased_at:%d %B %Y}; its digest stays in the chain."
        return _pretty(content.content)


@admin.register(RecordRead)
class RecordReadAdmin(ReadOnlyAdmin):
    """Who read which record."""

    permission = RECORDS
    list_display = ("at", "user", "record")
    list_filter = ("at",)
    list_select_related = ("user", "record")
    search_fields = ("user__username", "=record__conversation__id")
    date_hierarchy = "at"


def _pretty(value: Any) -> SafeString:
    return format_html(
        '<pre class="pretty">{}</pre>', json.dumps(value, indent=2, ensure_ascii=False)
    )
