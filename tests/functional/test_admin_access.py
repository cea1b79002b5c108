"""What the staff's addresses answer, exactly; who may open which stands in the access table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from admin_tracing import incidents
from admin_tracing.incidents import Window
from admin_tracing.models import Incident
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Category
from tests import factories, stored
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db(transaction=True)

LOGIN, CALM, FINE, ONLY_WRITTEN = 302, 403, 200, 405

# visitor, user, Support, Reviewer, Engineer, superuser
REPLAY = (LOGIN, CALM, CALM, CALM, FINE, FINE)
TRANSCRIPTS = (LOGIN, LOGIN, FINE, FINE, FINE, FINE)
RECORDS = (LOGIN, LOGIN, CALM, FINE, CALM, FINE)
QUALITY = (LOGIN, CALM, CALM, FINE, FINE, FINE)
CASES = (LOGIN, CALM, CALM, FINE, CALM, FINE)
IN_ADMIN = (LOGIN, LOGIN, CALM, FINE, CALM, FINE)
LABELS = (LOGIN, LOGIN, FINE, FINE, CALM, FINE)
LABELLING = (LOGIN, LOGIN, FINE, FINE, CALM, FINE)

ADDRESSES: dict[str, tuple[int, ...]] = {
    "workflow:turns": REPLAY,
    "workflow:all_events": REPLAY,
    "workflow:replay": REPLAY,
    "workflow:events": REPLAY,
    "workflow:figures": REPLAY,
    "workflow:outline": REPLAY,
    "workflow:details": REPLAY,
    "workflow:latest": REPLAY,
    "workflow:state": REPLAY,
    "workflow:tokens": REPLAY,
    "workflow:passage": REPLAY,
    "admin:index": (LOGIN, LOGIN, FINE, FINE, FINE, FINE),
    "admin:chat_conversation_changelist": TRANSCRIPTS,
    "admin:chat_conversation_change": TRANSCRIPTS,
    "admin:chat_document_changelist": TRANSCRIPTS,
    "admin:chat_document_change": TRANSCRIPTS,
    "admin:chat_documentversion_changelist": TRANSCRIPTS,
    "admin:chat_documentversion_change": TRANSCRIPTS,
    "admin:chat_chunk_changelist": TRANSCRIPTS,
    "admin:chat_chunk_change": TRANSCRIPTS,
    "admin:chat_decisionrecord_changelist": RECORDS,
    "admin:chat_decisionrecord_change": RECORDS,
    "admin:admin_tracing_recordread_changelist": RECORDS,
    "workflow:quality": QUALITY,
    "workflow:incidents": CASES,
    "workflow:incident": CASES,
    "workflow:blast_file": CASES,
    "workflow:suspect": (ONLY_WRITTEN,) * 6,
    "admin:admin_tracing_incident_changelist": IN_ADMIN,
    "admin:admin_tracing_incident_add": IN_ADMIN,
    "admin:admin_tracing_incident_change": IN_ADMIN,
    "admin:admin_tracing_categoryowner_changelist": IN_ADMIN,
    "admin:admin_tracing_blastread_changelist": IN_ADMIN,
    "admin:admin_tracing_routinglabel_changelist": LABELS,
    "admin:admin_tracing_groundednesslabel_changelist": LABELS,
    "admin:admin_tracing_routinglabel_add": LABELLING,
    "admin:admin_tracing_groundednesslabel_add": LABELLING,
}
ALONE = ("workflow:turns", "workflow:all_events", "workflow:quality", "workflow:incidents")
READ_ONLY = ("conversation", "document", "documentversion", "chunk", "decisionrecord")


@pytest.fixture
def addresses() -> dict[str, str]:
    """Each address of the table with rows behind it."""
    turn, chunk = stored.finished_turn(), stored.chunk()
    keys: dict[str, Any] = {
        "conversation": turn.conversation_id,
        "document": chunk.version.document_id,
        "documentversion": chunk.version_id,
        "chunk": chunk.pk,
        "decisionrecord": stored.record(turn).pk,
        "incident": _incident(turn).pk,
    }
    found = {}
    for name in ADDRESSES:
        model = name.removesuffix("_change").rpartition("_")[2]
        found[name] = _address(name, turn.pk, keys.get(model) if name.endswith("_change") else None)
    return found


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_address_opens_for_who_may_and_for_nobody_else(who: str, addresses: dict[str, str]):
    client = _client(who)
    expected = {name: row[EVERYBODY.index(who)] for name, row in ADDRESSES.items()}
    assert {name: client.get(at).status_code for name, at in addresses.items()} == expected


def test_the_workflow_pages_are_found_before_the_admin():
    prefixes = [str(p.pattern) for p in get_resolver().url_patterns if isinstance(p, URLResolver)]
    assert prefixes.index("admin/rag-workflow/") < prefixes.index("admin/")


@pytest.mark.parametrize("who", ["support", "reviewer", "engineer", "superuser"])
@pytest.mark.parametrize("model", READ_ONLY)
def test_nothing_can_be_added_changed_or_deleted(who: str, model: str, addresses: dict[str, str]):
    client = _client(who)
    change = addresses[f"admin:chat_{model}_change"]
    assert client.get(reverse(f"admin:chat_{model}_add")).status_code == 403
    assert client.post(change, {"title": "x"}).status_code == 403
    assert client.post(change.replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403


def test_a_visitor_comes_back_to_the_page_after_the_login(addresses: dict[str, str]):
    at = addresses["workflow:replay"]
    assert Client().get(at).headers["Location"] == f"{reverse('admin:login')}?next={at}"


def test_who_may_not_is_told_so_in_a_calm_page(addresses: dict[str, str]):
    page = _client("support").get(addresses["workflow:turns"]).content.decode()
    assert "This page is not open to you" in page
    assert "!" not in page.partition("<main")[2]


def test_a_staff_account_without_a_group_sees_no_turns(addresses: dict[str, str]):
    client = Client()
    client.force_login(factories.user("new", is_staff=True))
    assert client.get(addresses["workflow:turns"]).status_code == 403
    assert client.get(addresses["admin:chat_conversation_changelist"]).status_code == 403


def test_only_reading_is_answered(addresses: dict[str, str]):
    client = _client("engineer")
    for name, at in addresses.items():
        if name.startswith("workflow:") and name != "workflow:suspect":
            assert client.post(at).status_code == 405, name


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_suspect_is_named_by_who_works_on_incidents(who: str, addresses: dict[str, str]):
    asked = _client(who).post(addresses["workflow:suspect"], {})
    assert asked.status_code == {"reviewer": 302, "superuser": 302, "visitor": 302}.get(who, 403)
    if who != "visitor":
        return
    assert asked.headers["Location"].startswith(reverse("admin:login"))


def _incident(turn: Any) -> Incident:
    """An incident with a suspect, so that its files can be asked for."""
    found = incidents.open_by_hand(factories.user("opener"), Category.DATA_LEAK, "x", turn=turn)
    incidents.suspect(found, found.opened_by, Suspect(SuspectKind.MODEL, "m"), Window())
    return found


def _client(who: str) -> Client:
    client = Client()
    if (somebody := person(who)) is not None:
        client.force_login(somebody)
    return client


def _address(name: str, turn: Any, key: Any) -> str:
    if name == "workflow:passage":
        return f"{reverse(name, args=(turn,))}?chunk=refunds%23refund-timing"
    if name == "workflow:blast_file":
        return reverse(name, args=(Incident.objects.get().pk, "csv"))
    if name in ("workflow:incident", "workflow:suspect"):
        return reverse(name, args=(Incident.objects.get().pk,))
    if name.endswith("label_add"):
        return f"{reverse(name)}?turn={turn}"
    if name.startswith("workflow:") and name not in ALONE:
        return reverse(name, args=(turn,))
    return reverse(name, args=() if key is None else (key,))
