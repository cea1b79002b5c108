"""The page of the queue with forms alone: the next item, done, left to others, taken back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing import queueing
from admin_tracing.models import (
    GroundednessLabel,
    Incident,
    RoutingLabel,
)
from tests import factories, stored
from tests.labelling import let_run_out, queued, say, take
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db

QUEUE = "/admin/rag-workflow/queue/"
PART = {"X-Part": "1"}
BOTH = {"needed": "single_shot", "grounded": "yes", "correct": "partly"}


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


def opened(client: Client) -> str:
    """The page once its next item was taken, as the script does at once."""
    shown = client.post(reverse("workflow:queue_take"), follow=True)
    return shown.content.decode().partition("<main")[2]


def told_turn(**fields: Any) -> Any:
    turn = stored.finished_turn(refund_with_one_rewrite(), citations=1, **fields)
    queueing.add([turn.pk], "hand", wanted=1)
    return turn


def test_the_sheet_has_question_answer_sources_and_what_happened(client: Client):
    turn = told_turn()
    shown = opened(client)
    assert turn.question.text in shown
    assert "Refunds reach the card within 5 to 10 business days" in shown
    assert "after we approve them" in shown  # the passage stands open
    assert "version 1" in shown and "/refunds/1/" in shown
    assert "It searched the documents twice, first for" in shown
    assert "It answered and named one passage of Refunds." in shown


def test_each_question_has_its_answers_with_their_digits(client: Client):
    told_turn()
    shown = opened(client)
    rows = dict(re.findall(r'data-row="(\w+)">(.*?)</fieldset>', shown, re.S))
    digits = {name: re.findall(r"<kbd[^>]*>(\d)</kbd>", row) for name, row in rows.items()}
    assert digits == {
        "needed": list("1234567"),
        "grounded": list("12345"),
        "correct": list("1234"),
    }
    words = re.findall(r'class="word">([^<]+)', rows["needed"])
    assert words == [
        *("Direct", "Single shot", "Iterative", "Clarify", "Off topic"),
        *("Cannot tell", "Needs an expert"),
    ]


def test_where_there_is_no_answer_the_second_job_is_not_asked(client: Client):
    queued(answered=False)
    shown = opened(client)
    assert "There is no answer here that sources could hold" in shown
    assert re.findall(r'data-row="(\w+)"', shown) == ["needed"]
    assert "No source is named." in shown


def test_done_stores_all_and_leads_to_the_next(client: Client, sam: Any):
    first, second = queued(2)
    answer = client.post(at("queue_done", first), BOTH | {"note": "ask jane.roe@example.org"})
    assert (answer.status_code, answer.headers["Location"]) == (302, QUEUE)
    label = GroundednessLabel.objects.get()
    assert (label.turn, label.user, label.grounded, label.correct) == (first, sam, "yes", "partly")
    assert label.note == "ask [email]"
    assert RoutingLabel.objects.get().note == ""
    shown = page(client)
    assert second.question.text in shown and "2 of 2" in shown


def test_the_note_goes_with_the_only_job_there_is(client: Client):
    (turn,) = queued(answered=False)
    client.post(at("queue_done", turn), {"needed": "off_topic", "note": "A poem."})
    assert RoutingLabel.objects.get().note == "A poem."


def test_a_script_gets_the_next_item_as_the_answer(client: Client):
    first, second = queued(2)
    answer = client.post(at("queue_done", first), BOTH, headers=PART)
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert f'data-turn="{second.pk}"' in shown and "<html" not in shown


def test_what_is_missing_is_asked_for(client: Client):
    (turn,) = queued()
    refused = client.post(at("queue_done", turn), {"needed": "direct"}, headers=PART)
    assert refused.status_code == 422
    assert refused.json()["message"] == "Say what you think of the answer first."
    shown = client.post(at("queue_done", turn), {}, follow=True).content.decode()
    assert "Say which way it needed and what you think of the answer first." in shown
    assert turn.question.text in shown


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"needed": "sideways"}, "is none of"),
        ({"category": "no_such"}, "no kind of incident"),
        ({"severity": "high"}, "choose its category"),
        ({"note": "x" * 2001}, "at most 2,000 characters"),
    ],
)
def test_what_no_sheet_offers_is_refused(client: Client, fields: dict[str, str], message: str):
    (turn,) = queued()
    answer = client.post(at("queue_done", turn), BOTH | fields, headers=PART)
    assert answer.status_code == 422
    assert message in answer.json()["message"]
    assert not GroundednessLabel.objects.exists()


def test_a_note_that_cannot_be_screened_is_told(client: Client, monkeypatch: Any):
    def down(_text: str) -> Any:
        raise RuntimeError

    (turn,) = queued()
    monkeypatch.setattr("chat.keeping.redact", down)
    answer = client.post(at("queue_done", turn), BOTH | {"note": "a note"}, headers=PART)
    assert answer.status_code == 503
    assert "could not be screened" in answer.json()["message"]
    assert not RoutingLabel.objects.exists()


def test_claims_sources_and_an_incident_are_kept(client: Client, sam: Any):
    turn = told_turn()
    fields = {"source-1": "no", "source-7": "no", "claim-zz": "yes", "category": "data_leak"}
    client.post(at("queue_done", turn), BOTH | fields)
    label = GroundednessLabel.objects.get()
    assert (label.claims, label.citations) == ({}, {"1": False})
    assert Incident.objects.get().category == "data_leak"


def test_what_others_took_meanwhile_is_told_and_the_next_comes(client: Client, sam: Any):
    first, second = queued(2)
    take(sam)
    let_run_out(sam)
    say(factories.user("rosa"), first)
    refused = client.post(at("queue_done", first), BOTH, headers=PART)
    assert refused.status_code == 409
    assert "Go on with the next" in refused.json()["message"]
    shown = client.post(at("queue_done", first), BOTH, follow=True).content.decode()
    assert "Others label this turn" in shown
    assert second.question.text in opened(client)


def test_left_to_others_it_does_not_come_again(client: Client):
    first, second = queued(2)
    opened(client)
    answer = client.post(at("queue_skip", first), follow=True)
    assert second.question.text in answer.content.decode()


def test_taking_back_brings_the_item_with_nothing_chosen(client: Client):
    first, _ = queued(2)
    client.post(at("queue_done", first), BOTH)
    answer = client.post(reverse("workflow:queue_undo"), follow=True)
    shown = answer.content.decode()
    assert first.question.text in shown
    assert " checked" not in shown.partition('data-row="needed"')[2].partition("</form>")[
        0
    ].replace('value="" checked', "")
    assert not RoutingLabel.objects.exists()


def test_with_nothing_to_take_back_it_says_so(client: Client):
    answer = client.post(reverse("workflow:queue_undo"), headers=PART)
    assert (answer.status_code, answer.json()) == (
        409,
        {"message": "There is nothing to take back."},
    )


def test_who_comes_back_finds_what_they_said(client: Client, sam: Any):
    (turn,) = queued()
    client.post(at("queue_label", turn), {"needed": "clarify"})
    shown = opened(client)
    assert re.search(r'value="clarify" checked', shown)


def test_an_empty_queue_says_what_will_come_and_from_where(client: Client):
    shown = page(client)
    assert "Nothing waits for you" in shown
    assert "a random share of all that ended" in shown
    assert reverse("admin:chat_conversation_changelist") in shown
    assert "Choose turns by filter" not in shown  # the list is not open to who labels
    superuser = Client()
    superuser.force_login(person("superuser"))
    assert "Choose turns by filter" in page(superuser)


def test_an_open_window_renews_its_lock_and_hears_that_it_is_gone(client: Client, sam: Any):
    (turn,) = queued()
    take(sam)
    assert client.post(at("queue_hold", turn)).status_code == 204
    let_run_out(sam)
    refused = client.post(at("queue_hold", turn))
    assert refused.status_code == 409
    assert refused.json()["message"] == "The five minutes are over."
