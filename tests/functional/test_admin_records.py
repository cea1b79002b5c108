"""Decision records in Django admin: read, never changed, and each reading is written down."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from admin_tracing.models import RecordRead
from chat.models import LegalHold, Turn
from tests import chains, stored
from tests.staff import person
from tests.traces import ANSWER

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> Any:
    return person("reviewer")


@pytest.fixture
def client(reviewer: Any) -> Client:
    client = Client()
    client.force_login(reviewer)
    return client


@pytest.fixture
def record() -> Any:
    return stored.record(stored.finished_turn(), passes=2)


def opened(client: Client, record: Any) -> str:
    address = reverse("admin:chat_decisionrecord_change", args=(record.pk,))
    return client.get(address).content.decode()


def test_the_list_says_number_ending_and_digest(client: Client, record: Any):
    html = client.get(reverse("admin:chat_decisionrecord_changelist")).content.decode()
    assert "answered" in html
    assert f"{record.digest[:12]}…" in html


def test_a_record_shows_its_facts_and_that_its_chain_holds(client: Client, record: Any):
    html = opened(client, record)
    assert "&quot;passes&quot;: 2" in html
    assert "Holds: every record follows the one before it" in html
    assert record.digest in html


def test_a_broken_chain_is_named(client: Client, record: Any):
    chains.tamper('UPDATE chat_recordcontent SET content = \'{"question": "another"}\'')
    assert "Broken at record 1: its content was changed." in opened(client, record)


def test_erased_content_leaves_the_chain_whole(client: Client, record: Any):
    chains.empty(record)
    html = opened(client, record)
    assert "its digest stays in the chain" in html
    assert "Holds: every record" in html


def test_opening_a_record_is_written_down(client: Client, record: Any, reviewer: Any):
    opened(client, record)
    (read,) = RecordRead.objects.all()
    assert (read.record_id, read.user_id) == (record.pk, reviewer.pk)


def test_looking_at_the_list_is_no_reading(client: Client, record: Any):
    client.get(reverse("admin:chat_decisionrecord_changelist"))
    assert not RecordRead.objects.exists()


def test_who_may_not_read_leaves_no_trace_of_a_reading(record: Any):
    client = Client()
    client.force_login(person("engineer"))
    assert (
        client.get(reverse("admin:chat_decisionrecord_change", args=(record.pk,))).status_code
        == 403
    )
    assert not RecordRead.objects.exists()


def test_readings_are_listed(client: Client, record: Any, reviewer: Any):
    opened(client, record)
    html = client.get(reverse("admin:admin_tracing_recordread_changelist")).content.decode()
    assert reviewer.username in html


def test_the_database_refuses_to_change_or_drop_a_reading(record: Any, reviewer: Any):
    RecordRead.objects.create(record=record, user=reviewer)
    for act in (RecordRead.objects.all().delete, lambda: RecordRead.objects.update(user=reviewer)):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    assert RecordRead.objects.count() == 1


def test_the_model_refuses_it_too(record: Any, reviewer: Any):
    read = RecordRead.objects.create(record=record, user=reviewer)
    with pytest.raises(TypeError):
        read.save()
    with pytest.raises(TypeError):
        read.delete()


@pytest.mark.parametrize("words", ["no-uuid", "'; --", "abc"])
def test_a_search_for_anything_is_answered(client: Client, record: Any, words: str):
    address = reverse("admin:chat_decisionrecord_changelist")
    assert client.get(address, {"q": words}).status_code == 200
    assert record.digest[:12] in client.get(address, {"q": str(record.turn_id)}).content.decode()


# The file that proves itself


def export(client: Client, record: Any) -> Any:
    return client.get(reverse("admin:chat_decisionrecord_export", args=(record.pk,)))


def test_a_record_is_exported_and_that_is_written_down(client: Client, record: Any, reviewer: Any):
    assert reverse("admin:chat_decisionrecord_export", args=(record.pk,)) in opened(client, record)
    before = RecordRead.objects.count()
    answer = export(client, record)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="record-{record.turn_id}.html"'
    assert record.digest in answer.content.decode()
    assert RecordRead.objects.count() == before + 1


def test_who_may_not_read_records_exports_none(record: Any):
    client = Client()
    client.force_login(person("engineer"))
    assert export(client, record).status_code == 403
    assert not RecordRead.objects.exists()


def test_a_record_that_is_not_there_is_not_exported(client: Client):
    address = reverse("admin:chat_decisionrecord_export", args=(4711,))
    assert client.get(address).status_code == 404


def test_what_tells_of_health_is_for_fewer_people(record: Any):
    Turn.objects.update(is_sensitive=True)
    somebody = person("engineer")
    somebody.user_permissions.add(Permission.objects.get(codename="read_records"))
    client = Client()
    client.force_login(somebody)
    html = opened(client, record)
    assert "Reading it needs a right of its own" in html
    assert ANSWER.partition(".")[0] not in html
    assert export(client, record).status_code == 403
    somebody.user_permissions.add(Permission.objects.get(codename="read_sensitive"))
    assert export(client, record).status_code == 200


# Legal holds


def place(client: Client, record: Any, reason: str = "a dispute") -> Any:
    fields = {"conversation": str(record.conversation_id), "reason": reason}
    return client.post(reverse("admin:chat_legalhold_add"), fields)


def test_a_hold_is_placed_shown_and_lifted(client: Client, record: Any, reviewer: Any):
    assert "Place a hold" in opened(client, record)
    assert place(client, record).status_code == 302
    hold = LegalHold.objects.get()
    assert (hold.placed_by, hold.reason, hold.lifted_at) == (reviewer, "a dispute", None)
    assert "Held</a>: a dispute" in opened(client, record)
    action = {"action": "lift", "_selected_action": [hold.pk]}
    client.post(reverse("admin:chat_legalhold_changelist"), action)
    hold.refresh_from_db()
    assert hold.lifted_by == reviewer
    assert hold.lifted_at is not None
    assert "Place a hold" in opened(client, record)


def test_a_hold_needs_a_reason(client: Client, record: Any):
    assert place(client, record, "").status_code == 200
    assert not LegalHold.objects.exists()


def test_a_hold_is_neither_changed_nor_deleted(client: Client, record: Any):
    place(client, record)
    hold = LegalHold.objects.get()
    address = reverse("admin:chat_legalhold_change", args=(hold.pk,))
    assert client.post(address, {"reason": "none"}).status_code == 403
    assert client.post(reverse("admin:chat_legalhold_delete", args=(hold.pk,))).status_code == 403


def test_others_place_no_hold(record: Any):
    client = Client()
    client.force_login(person("support"))
    assert place(client, record).status_code == 403
