"""Taking a turn: looking takes nothing, a turn by its address, what others have by now."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing import queueing
from admin_tracing.models import QueueItem, QueueLock, Review
from tests import factories, stored
from tests.labelling import queued, say, take
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db

QUEUE = "/admin/rag-workflow/queue/"
PART = {"X-Part": "1"}


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


def page(client: Client, address: str = QUEUE) -> str:
    return client.get(address).content.decode().partition("<main")[2]


def test_a_turn_by_its_address_comes_into_the_queue_when_it_is_taken(client: Client, sam: Any):
    turn = stored.finished_turn()
    answer = client.post(at("queue_take_one", turn))
    assert (answer.status_code, answer.headers["Location"]) == (302, at("label_one", turn))
    shown = page(client, at("label_one", turn))
    assert turn.question.text in shown and 'data-row="needed"' in shown
    item = QueueItem.objects.get()
    assert (item.turn, item.origin, item.added_by) == (turn, "hand", sam)
    assert take(sam) == turn.pk


def test_looking_takes_nothing(client: Client, sam: Any):
    """A page that is loaded in advance, or opened by a link, holds no turn back from others."""
    first, second = queued(2, wanted=1)
    outside = stored.finished_turn()
    for part in ({}, PART):
        for address in (QUEUE, at("label_one", first), at("label_one", outside)):
            assert client.get(address, headers=part).status_code == 200
    assert not QueueLock.objects.exists()
    assert set(QueueItem.objects.values_list("turn", flat=True)) == {first.pk, second.pk}
    assert take(factories.user("rosa")) == first.pk


def test_a_turn_may_be_read_before_it_is_taken(client: Client):
    turn = stored.finished_turn(refund_with_one_rewrite(), citations=1)
    queueing.add([turn.pk], "hand", wanted=1)
    shown = page(client, at("label_one", turn))
    assert turn.question.text in shown and "after we approve them" in shown
    assert "Label this turn" in shown and "data-row" not in shown


def test_the_page_says_how_many_wait_and_takes_the_first(client: Client):
    first, _ = queued(2)
    shown = page(client)
    assert "2 turns wait for you" in shown and first.question.text not in shown
    part = client.post(reverse("workflow:queue_take"), headers=PART).content.decode()
    assert f'data-turn="{first.pk}"' in part and "<html" not in part
    assert first.question.text in page(client)  # it is before them by now


def test_what_others_have_is_not_taken_by_its_address(client: Client):
    (turn,) = queued(wanted=1)
    take(factories.user("rosa"))
    refused = client.post(at("queue_take_one", turn), headers=PART)
    assert refused.status_code == 409
    assert "Go on with the next" in refused.json()["message"]
    assert QueueLock.objects.get().user.username == "rosa"


def test_a_key_that_sends_the_form_is_done_and_takes_nothing_back(client: Client):
    """Without the script, Enter in a row presses the form's first button."""
    first, _ = queued(2)
    client.post(reverse("workflow:queue_take"))
    client.post(at("queue_skip", first))
    button = re.search(r'<button[^>]*type="submit"[^>]*>', page(client))
    assert button is not None and "formaction" not in button[0]


def test_what_is_taken_back_and_is_others_by_now_is_told(client: Client, sam: Any):
    first, second = queued(2, wanted=1)
    client.post(reverse("workflow:queue_take"))
    client.post(at("queue_skip", first))  # the second is before them
    assert take(factories.user("rosa")) == first.pk
    refused = client.post(reverse("workflow:queue_undo"), headers=PART)
    assert refused.status_code == 409
    assert "Go on with the next" in refused.json()["message"]
    assert second.question.text in page(client)
    assert not Review.objects.get(user=sam).is_skipped


def test_what_was_left_to_others_is_labelled_by_its_address_without_a_script(client: Client):
    (turn,) = queued(wanted=1)
    client.post(reverse("workflow:queue_take"))
    client.post(at("queue_skip", turn))
    client.post(at("queue_take_one", turn))
    assert 'data-row="needed"' in page(client, at("label_one", turn))


@pytest.mark.parametrize(
    "fields",
    [{"status": "running"}, {"status": "finished", "kind": "lab"}],
)
def test_what_cannot_be_labelled_has_no_address(client: Client, fields: Any):
    turn = factories.turn(**fields)
    assert client.get(at("label_one", turn)).status_code == 404
    assert client.post(at("queue_take_one", turn)).status_code == 404
    assert not QueueItem.objects.exists()


def test_an_own_conversation_is_left_to_others(client: Client, sam: Any):
    turn = factories.turn(factories.conversation(sam), status="finished", citations=1)
    answer = client.get(at("label_one", turn))
    assert answer.status_code == 409
    assert "your own conversation" in answer.content.decode()
    assert not QueueItem.objects.exists()


def test_a_turn_that_others_have_labelled_is_closed(client: Client):
    (turn,) = queued()
    say(factories.user("rosa"), turn)
    answer = client.get(at("label_one", turn))
    assert answer.status_code == 409
    assert "Go on with the queue" in answer.content.decode()
