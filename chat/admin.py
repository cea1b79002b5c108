"""Django admin of the chat: conversations, documents and chunks to look at, tickets to answer.

What a page that only shows is open to is decided by one permission of its class; tickets and
the directory go by Django's own four.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince

from chat import transcripts
from chat.admin_filters import WhoseFilter
from chat.models import (
    Chunk,
    Conversation,
    DirectoryEntry,
    Document,
    DocumentVersion,
    Ticket,
    Turn,
)

SENSITIVE = "chat.read_sensitive"
HIDDEN = "Not shown: {n} open, about somebody's health. Reviewers answer those."


class ReadOnlyAdmin(admin.ModelAdmin):
    """Nothing can be added, changed or deleted; `permission` is needed to look."""

    permission = "chat.read_transcripts"
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm(self.permission))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    """The list, and each conversation as its transcript.

    One that tells of somebody's health is not there for who may not read it, not even by its title.
    """

    list_display = ("name", "owner", "turn_count", "created_at", "updated_at")
    list_filter = (WhoseFilter, "updated_at")
    search_fields = ("=id", "title", "messages__text", "user__username")
    search_help_text = "Words of a title or a message, a user name, or an id"
    date_hierarchy = "created_at"
    ordering = ("-updated_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        rows = super().get_queryset(request).select_related("user")
        if not request.user.has_perm(SENSITIVE):
            rows = rows.exclude(pk__in=_sensitive_ones())
        return rows.annotate(turn_count=Count("turns", distinct=True))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        found = self.get_object(request, object_id)
        context = {
            "lines": transcripts.lines(found) if found else [],
            "may_replay": request.user.has_perm("chat.replay_turns"),
            "others": transcripts.other_branches(found) if found else [],
        }
        return super().change_view(
            request, object_id, form_url, {**(extra_context or {}), **context}
        )

    @admin.display(description="conversation", ordering="title")
    def name(self, conversation: Conversation) -> str:
        return str(conversation)

    @admin.display(description="owner", ordering="user__username")
    def owner(self, conversation: Conversation) -> str:
        if conversation.is_lab:
            return "lab"
        return str(conversation.user) if conversation.user else "visitor"

    @admin.display(description="turns", ordering="turn_count")
    def turn_count(self, conversation: Any) -> int:
        return int(conversation.turn_count)


def _sensitive_ones() -> QuerySet[Turn, Any]:
    """Conversations of which a turn tells of somebody's health."""
    return Turn.objects.filter(is_sensitive=True).values("conversation")


class VersionInline(admin.TabularInline):
    """The versions of a document, with the way to each."""

    model = DocumentVersion
    fields = ("number", "is_current", "ingested_at", "embedding_model", "short_hash")
    readonly_fields = ("ingested_at", "short_hash")
    extra = 0
    show_change_link = True
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm(ReadOnlyAdmin.permission))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="content hash")
    def short_hash(self, version: DocumentVersion) -> str:
        return f"{version.content_hash[:12]}…"


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("title", "slug", "collection", "current_number", "chunk_count")
    list_filter = ("collection",)
    search_fields = ("title", "slug")
    inlines = (VersionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        current = Q(versions__is_current=True)
        return (
            super()
            .get_queryset(request)
            .annotate(chunk_count=Count("versions__chunks", filter=current))
            .prefetch_related("versions")
        )

    @admin.display(description="current version")
    def current_number(self, document: Document) -> str:
        numbers = [version.number for version in document.versions.all() if version.is_current]
        return str(numbers[0]) if numbers else "none"

    @admin.display(description="chunks", ordering="chunk_count")
    def chunk_count(self, document: Any) -> int:
        return int(document.chunk_count)


@admin.register(DocumentVersion)
class DocumentVersionAdmin(ReadOnlyAdmin):
    list_display = ("document", "number", "is_current", "ingested_at", "embedding_model")
    list_filter = ("is_current", "document__collection")
    list_select_related = ("document",)
    search_fields = ("document__title", "document__slug", "content_hash__startswith")
    fields = (
        *("document", "number", "is_current", "ingested_at"),
        *("embedding_model", "content_hash", "its_chunks"),
    )

    @admin.display(description="chunks")
    def its_chunks(self, version: DocumentVersion) -> SafeString:
        address = f"{reverse('admin:chat_chunk_changelist')}?version__id__exact={version.pk}"
        return format_html('<a href="{}">{} chunks</a>', address, version.chunks.count())


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    """Vectors and word lists stay out: they are large and say nothing to a reader."""

    list_display = ("key", "heading", "version", "ordinal", "is_current")
    list_filter = ("is_current", "collection")
    list_select_related = ("version__document",)
    search_fields = ("key", "heading", "text")
    ordering = ("-is_current", "key")
    fields = ("key", "heading", "version", "ordinal", "page", "is_current", "text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        return super().get_queryset(request).defer("embedding", "tsv", "tsv_exact")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "version__id__exact" or super().lookup_allowed(lookup, value, request)


@admin.register(Ticket)
class TicketAdmin(admin.ModelAdmin):
    """What people handed to staff. A ticket comes from its conversation; staff move its status.

    One of a turn that tells of somebody's health is not there for who may not read that.
    """

    list_display = ("number", "subject", "status", "its_conversation", "age")
    list_display_links = ("number", "subject")
    list_filter = ("status", "created_at")
    list_select_related = ("turn__conversation",)
    search_fields = ("=id", "subject", "description", "=turn__conversation__id")
    search_help_text = "Words of a ticket, its number, or the id of its conversation"
    ordering = ("-created_at",)
    list_per_page = 50
    show_full_result_count = False
    actions = None
    fields = (
        *("number", "status", "subject", "description"),
        *("its_conversation", "created_at", "updated_at"),
    )
    readonly_fields = tuple(name for name in fields if name != "status")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        rows = super().get_queryset(request)
        may_all = request.user.has_perm(SENSITIVE)
        return rows if may_all else rows.exclude(turn__is_sensitive=True)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, and how many open ones it leaves out, so that none is forgotten."""
        shown = self.get_queryset(request).values("pk")
        hidden = Ticket.objects.exclude(pk__in=shown).exclude(status=Ticket.Status.CLOSED).count()
        told = {"subtitle": HIDDEN.format(n=hidden) if hidden else None}
        return super().changelist_view(request, {**(extra_context or {}), **told})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="ticket", ordering="pk")
    def number(self, ticket: Ticket) -> str:
        return str(ticket.pk)

    @admin.display(description="conversation")
    def its_conversation(self, ticket: Ticket) -> SafeString:
        conversation = ticket.turn.conversation
        address = reverse("admin:chat_conversation_change", args=(conversation.pk,))
        name = conversation.title or "transcript"
        return format_html('<a href="{}#turn-{}">{}</a>', address, ticket.turn_id, name)

    @admin.display(description="age", ordering="-created_at")
    def age(self, ticket: Ticket) -> str:
        return timesince(ticket.created_at, timezone.now(), depth=1)


class DirectoryEntryForm(forms.ModelForm):
    """Attributes are text under a name, as a CSV file would bring them."""

    attributes = forms.JSONField(
        required=False, help_text='One JSON object of texts, such as {"opening": "9 to 5"}.'
    )

    class Meta:
        model = DirectoryEntry
        fields = ("name", "kind", "area", "details", "url", "attributes")

    def clean_attributes(self) -> dict[str, str]:
        given = self.cleaned_data["attributes"] or {}
        is_plain = isinstance(given, dict) and all(isinstance(v, str) for v in given.values())
        if not is_plain:
            raise forms.ValidationError("Give one JSON object of texts.")
        return given

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if url and not url.startswith(("https://", "http://")):
            raise forms.ValidationError("Begin with https:// or http://.")
        return url


@admin.register(DirectoryEntry)
class DirectoryEntryAdmin(admin.ModelAdmin):
    """The records that `search_directory` finds; `manage.py load_directory` brings many."""

    form = DirectoryEntryForm
    list_display = ("name", "kind", "area")
    list_filter = ("kind", "area")
    search_fields = ("name", "kind", "area", "details")
    list_per_page = 50
    show_full_result_count = False
