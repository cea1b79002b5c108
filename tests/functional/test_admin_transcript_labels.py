"""Labels beside the turns of a transcript in Django admin: two questions, a note, and a save."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing.models import QueueItem, RoutingLabel
from tests import factories, stored
from tests.staff import person
from tests.traces import one_search, refund_with_one_rewrite

pytestmark = pytest.mark.django_db


@pytest.fixture
def sam() -> Any:
    return person("support")


@pytest.fixture
def client(sam: Any) -> Client:
    client = Client()
    client.force_login(sam)
    return client


def at(name: str, turn: Any) -> str:
    return reverse(f"workflow:{name}", args=(turn.pk,))


def test_the_transcript_stores_a_label_and_leads_back_to_its_turn(client: Client, sam: Any):
    turn = stored.finished_turn(one_search_ended(), citations=0)
    answer = client.post(at("label_by_hand", turn), {"needed": "iterative", "note": "a@b.org"})
    transcript = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
    assert answer.headers["Location"] == f"{transcript}#turn-{turn.pk}"
    assert RoutingLabel.objects.get().needed == "iterative"
    assert QueueItem.objects.get().origin == "hand"
    shown = client.get(transcript).content.decode()
    assert 'value="iterative" selected' in shown and "Your label is stored." in shown


def test_the_transcript_asks_in_plain_words_with_rows_for_the_parts(client: Client):
    turn = stored.finished_turn()
    address = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
    shown = client.get(address).content.decode().partition('class="inline-label"')[2]
    for words in ("Which way did this question need?", "Is it right?", "Source 1: Refunds"):
        assert words in shown
    assert at("label_one", turn) in shown


def test_an_empty_form_of_the_transcript_says_what_to_do(client: Client):
    turn = stored.finished_turn()
    answer = client.post(at("label_by_hand", turn), {"grounded": "yes"}, follow=True)
    assert "Choose an answer first" in answer.content.decode()
    assert not QueueItem.objects.exists()


def test_a_transcript_of_ones_own_has_no_form(client: Client, sam: Any):
    turn = factories.turn(factories.conversation(sam), status="finished", termination="answered")
    address = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
    shown = client.get(address).content.decode()
    assert "your own conversation" in shown and "Save the label" not in shown
    refused = client.post(at("label_by_hand", turn), {"needed": "direct"}, follow=True)
    assert "your own conversation" in refused.content.decode()
    assert not RoutingLabel.objects.exists()


def one_search_ended() -> Any:
    """A short turn that ended, whose answer is not among its events."""
    short, whole = one_search(), refund_with_one_rewrite()
    end = whole[-1]
    return [*short, type(end)(short[0].turn, len(short) + 1, end.at, end.body)]
