"""From the list of turns into the queue: what its filters choose, by one press."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing.models import QueueItem
from tests import stored
from tests.labelling import queued
from tests.staff import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def engineer() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


def test_the_list_says_how_many_it_would_add(engineer: Client):
    queued(2)
    stored.turns(3)
    shown = engineer.get(reverse("workflow:turns")).content.decode()
    assert "Label these: 3<" in shown


def test_what_the_filters_choose_comes_into_the_queue(engineer: Client):
    chosen = stored.turns(2, termination="no_evidence")
    stored.turns(2)
    address = f"{reverse('workflow:queue_add')}?termination=no_evidence"
    answer = engineer.post(address, follow=True)
    assert answer.redirect_chain[0][0] == f"{reverse('workflow:turns')}?termination=no_evidence"
    assert "2 turns came into the queue." in answer.content.decode()
    assert set(QueueItem.objects.values_list("turn", flat=True)) == {t.pk for t in chosen}
    assert set(QueueItem.objects.values_list("origin", flat=True)) == {"filter"}
    again = engineer.post(address, follow=True).content.decode()
    assert "0 turns came into the queue." in again


def test_one_press_adds_no_more_than_its_limit(engineer: Client, monkeypatch: Any):
    monkeypatch.setattr("admin_tracing.queue_adding.AT_ONCE", 2)
    turns = stored.turns(3)
    engineer.post(reverse("workflow:queue_add"))
    assert set(QueueItem.objects.values_list("turn", flat=True)) == {t.pk for t in turns[:2]}


def test_filters_that_cannot_be_used_add_nothing(engineer: Client):
    stored.turns(1)
    answer = engineer.post(f"{reverse('workflow:queue_add')}?termination=no_such_end")
    assert answer.status_code == 422
    assert not QueueItem.objects.exists()
