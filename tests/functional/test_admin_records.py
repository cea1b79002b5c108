"""Decision records in Django admin: read, never changed, and each reading is written down."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from admin_tracing.models import RecordRead
from chat.models import RecordContent
from tests import stored
from tests.staff import person

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
    RecordContent.objects.update(content={"question": "another"})
    assert "Broken at record 1: its content was changed." in opened(client, record)


def test_erased_content_leaves_the_chain_whole(client: Client, record: Any):
    from django.utils import timezone

    RecordContent.objects.update(content=None, erased_at=timezone.now())
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
