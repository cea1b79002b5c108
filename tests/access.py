"""Every address of the site with rows behind it, and what somebody is answered there, in a letter.

For the table of who may open what. Arguments are filled in by their names in the routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from admin_tracing import incidents, labels
from admin_tracing.incidents import Window
from admin_tracing.models import (
    BlastRead,
    CategoryOwner,
    Incident,
    QueueItem,
    RecordRead,
)
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Category
from chat import trials
from chat.models import (
    Conversation,
    DirectoryEntry,
    LabQuestion,
    LabRun,
    LegalHold,
    Rerun,
    RerunBatch,
    Ticket,
    Turn,
)
from tests import factories, stored
from tests.staff import person

LOGIN, REFUSED, OPEN, NO_METHOD = "L", "R", "O", "-"

Rows = dict[str, Any]


def client_of(who: str) -> Client:
    client = Client()
    if (somebody := person(who)) is not None:
        client.force_login(somebody)
    return client


def answered(client: Client, method: str, at: str) -> str:
    """Sent to a login, refused, let in (whatever becomes of it there), or no such method."""
    response = getattr(client, method)(at)
    where = response.headers.get("Location", "")
    if response.status_code == 302 and "/login/" in where:
        return LOGIN
    if response.status_code in (403, 405):
        return {403: REFUSED, 405: NO_METHOD}[response.status_code]
    assert response.status_code < 500, f"{method} {at}: {response.status_code}"
    return OPEN


def rows(of: Turn | None = None) -> Rows:
    """One row of each kind; by the name that routes have for it, and by model in the admin.

    Everything is about the turn `of`, or about one that is made.
    """
    turn, other, owner = of or stored.finished_turn(), stored.turns(1)[0], factories.user("owner")
    Conversation.objects.filter(pk=turn.conversation_id).update(user=owner)
    QueueItem.objects.create(turn=turn, origin="hand")
    incident = incidents.open_by_hand(owner, Category.DATA_LEAK, "x", turn=turn)
    incidents.suspect(incident, owner, Suspect(SuspectKind.MODEL, "m"), Window())
    arguments = {
        "turn": turn.pk,
        "other": other.pk,
        "conversation": turn.conversation_id,
        "incident": incident.pk,
        "section": "routing",
        "form": "csv",
        "marker": 1,
    }
    return (
        arguments
        | _of_the_lab(turn)
        | _of_the_documents()
        | _of_the_chat(turn, other)
        | _of_the_staff(turn, owner, incident)
    )


def _of_the_lab(turn: Turn) -> Rows:
    return {
        "batch": RerunBatch.objects.create(status="done").pk,
        "rerun": Rerun.objects.create(source=turn, status="done").pk,
        "run": LabRun.objects.create(questions="golden", status="done").pk,
        "question": LabQuestion.objects.create(question="?", expects="answered").pk,
    }


def _of_the_documents() -> Rows:
    chunk = stored.chunk()
    return {
        "document": chunk.version.document.slug,
        "version": chunk.version.number,
        "chat.document": chunk.version.document_id,
        "chat.documentversion": chunk.version_id,
        "chat.chunk": chunk.pk,
    }


def _of_the_chat(turn: Turn, other: Turn) -> Rows:
    version = trials.write(None, "answer", "answer-b", "Answer in one line.")
    ticket = Ticket.objects.create(key=str(uuid4()), turn=other, subject="s", description="d")
    return {
        "chat.conversation": turn.conversation_id,
        "chat.ticket": ticket.pk,
        "chat.directoryentry": DirectoryEntry.objects.create(name="n", kind="k", area="a").pk,
        "chat.promptversion": version.pk,
        "chat.prompttrial": trials.begin(None, version, 0.5).pk,
        "chat.decisionrecord": (getattr(turn, "record", None) or stored.record(turn)).pk,
        "chat.legalhold": LegalHold.objects.create(conversation=other.conversation, reason="r").pk,
    }


def _of_the_staff(turn: Turn, owner: Any, incident: Incident) -> Rows:
    read = RecordRead.objects.create(record=turn.record, user=owner)
    seen = BlastRead.objects.create(
        incident=incident, user=owner, form="page", suspect="m", turns=1
    )
    whose, _ = CategoryOwner.objects.get_or_create(
        category=Category.DATA_LEAK, defaults={"owner": "Reviewers"}
    )
    return {
        "admin_tracing.recordread": read.pk,
        "admin_tracing.incident": incident.pk,
        "admin_tracing.categoryowner": whose.pk,
        "admin_tracing.blastread": seen.pk,
        "admin_tracing.routinglabel": labels.give_routing(turn, owner, "direct").pk,
        "admin_tracing.groundednesslabel": labels.give_groundedness(turn, owner, ("yes", "yes")).pk,
        "auth.user": owner.pk,
        "auth.group": Group.objects.get_or_create(name="Support")[0].pk,
    }


def pages(known: Rows) -> dict[str, str]:
    """Every address outside Django's own admin, by its name."""
    found = {}
    for prefix, pattern in _patterns(get_resolver()):
        if pattern.name and not prefix.startswith("admin:"):
            names = pattern.pattern.converters
            found[f"{prefix}{pattern.name}"] = reverse(
                f"{prefix}{pattern.name}", kwargs={name: known[name] for name in names}
            )
    return found


def admin_pages(known: Rows) -> dict[str, str]:
    """List, form, change and removal of every model in Django's admin."""
    found = {}
    for model in admin.site._registry:
        label = model._meta.label_lower
        name = f"admin:{label.replace('.', '_')}"
        for page in ("changelist", "add", "change", "delete"):
            key = [known[label]] if page in ("change", "delete") else []
            at = reverse(f"{name}_{page}", args=key)
            about = f"?turn={known['turn']}" if page == "add" and label.endswith("label") else ""
            found[f"{label} {page}"] = at + about
    return found


def _patterns(resolver: Any, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield prefix, pattern
        elif pattern.namespace:
            yield from _patterns(pattern, f"{pattern.namespace}:")
        else:
            yield from _patterns(pattern, prefix)
