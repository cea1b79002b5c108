"""Labels are given in Django admin beside the question and the answer, blind to every verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing import labels, queueing
from admin_tracing.models import GroundednessLabel, Incident, QueueItem, RoutingLabel
from chat.contracts.events import Claim, Claims, Event
from tests import factories, stored
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db

ROUTING = "admin:admin_tracing_routinglabel_add"
ANSWER = "admin:admin_tracing_groundednesslabel_add"


@pytest.fixture
def sam() -> Any:
    return person("support")


@pytest.fixture
def client(sam: Any) -> Client:
    client = Client()
    client.force_login(sam)
    return client


def address(name: str, turn: Any) -> str:
    return f"{reverse(name)}?turn={turn.pk}"


def one_claim() -> list[Event]:
    """A turn whose answer has a claim that a judge called held, and a source."""
    events = refund_with_one_rewrite()
    claim = Claim(
        id="c1", label="Refunds reach the card", basis="source", supported=True, by="judge"
    )
    last, before = events[-1], events[:-1]
    return [
        *before,
        replace(last, body=Claims(claims=(claim,))),
        replace(last, seq=last.seq + 1),
    ]


def test_claims_and_sources_are_rows_of_yes_and_no(client: Client):
    shown = client.get(address(ANSWER, stored.finished_turn(one_claim()))).content.decode()
    assert "Claim: Refunds reach the card" in shown and "Source 1: Refunds" in shown
    for name in ("claim-c1", "source-1"):
        assert len(re.findall(rf'<input type="radio" name="{name}"', shown)) == 3
    assert "JSON" not in shown


def test_a_turn_that_others_have_labelled_is_not_labelled_once_more(client: Client):
    turn = stored.finished_turn()
    queueing.add([turn.pk], "filter", wanted=1)
    rosa = factories.user("rosa")
    labels.give_routing(turn, rosa, "direct")
    labels.give_groundedness(turn, rosa, ("yes", "yes"))
    answer = client.post(address(ROUTING, turn), {"needed": "direct"}, follow=True)
    assert "Others label this turn, or have done so." in answer.content.decode()
    assert RoutingLabel.objects.count() == 1


def test_a_turn_comes_into_the_queue_with_its_first_label(client: Client, sam: Any):
    turn = stored.finished_turn()
    client.post(address(ROUTING, turn), {"needed": "direct"})
    item = QueueItem.objects.get()
    assert (item.turn, item.origin, item.status, item.added_by) == (turn, "hand", "open", sam)


def test_the_transcript_leads_to_both_labels(client: Client):
    turn = stored.finished_turn()
    page = client.get(reverse("admin:chat_conversation_change", args=(turn.conversation_id,)))
    shown = page.content.decode()
    assert address(ROUTING, turn) in shown and address(ANSWER, turn) in shown


def test_question_answer_and_sources_stand_beside_the_form(client: Client):
    turn = stored.finished_turn()
    shown = client.get(address(ANSWER, turn)).content.decode()
    assert turn.question.text in shown
    assert "Refunds reach the card within 5 to 10 business days" in shown
    assert "refunds#refund-timing, version 1" in shown


def test_no_verdict_is_shown(client: Client):
    shown = client.get(address(ANSWER, stored.finished_turn())).content.decode()
    part = shown.partition('class="transcript"')[2].partition("</article>")[0]
    assert not re.search(r"support|checked|confidence", part)


def test_a_routing_label_is_stored_as_the_persons_own(client: Client, sam: Any):
    turn = stored.finished_turn()
    answer = client.post(address(ROUTING, turn), {"needed": "direct", "note": "a@example.org"})
    assert answer.status_code == 302
    label = RoutingLabel.objects.get()
    assert (label.turn, label.user, label.needed, label.note) == (turn, sam, "direct", "[email]")


def test_an_answers_label_opens_its_incident(client: Client, sam: Any):
    turn = stored.finished_turn(one_claim())
    fields = {
        "grounded": "no",
        "correct": "no",
        "claim-c1": "no",
        "claim-c9": "no",
        "source-1": "yes",
        "incident_category": "unsupported_claim",
        "incident_severity": "high",
        "note": "",
    }
    assert client.post(address(ANSWER, turn), fields).status_code == 302
    label = GroundednessLabel.objects.get()
    assert (label.claims, label.citations) == ({"c1": False}, {"1": True})
    incident = Incident.objects.get()
    assert (incident.label, incident.severity, incident.opened_by) == (label, "high", sam)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"claim-c1": "perhaps"}, "Select a valid choice"),
        ({"source-1": "true"}, "Select a valid choice"),
        ({"incident_severity": "high"}, "choose its category"),
        ({"grounded": "mostly"}, "Select a valid choice"),
    ],
)
def test_a_label_that_does_not_fit_is_told(client: Client, fields: dict[str, str], why: str):
    turn = stored.finished_turn(one_claim())
    given = {"grounded": "yes", "correct": "yes", "note": ""}
    answer = client.post(address(ANSWER, turn), given | fields)
    assert answer.status_code == 200
    assert why in answer.content.decode()
    assert not GroundednessLabel.objects.exists()


def test_without_a_turn_the_way_leads_to_the_conversations(client: Client):
    answer = client.get(reverse(ROUTING), follow=True)
    assert "choose the turn that you want to label" in answer.content.decode()


@pytest.mark.parametrize("wanted", ["x", "00000000-0000-4000-8000-000000000009"])
def test_a_turn_that_there_is_not_is_not_found(client: Client, wanted: str):
    assert client.get(f"{reverse(ROUTING)}?turn={wanted}").status_code == 404


@pytest.mark.parametrize("fields", [{"status": "running"}, {"status": "finished", "kind": "lab"}])
def test_neither_a_running_turn_nor_one_of_the_lab_is_labelled(client: Client, fields: Any):
    assert client.get(address(ROUTING, factories.turn(**fields))).status_code == 404


def test_a_turn_about_health_is_labelled_by_fewer(client: Client):
    turn = factories.turn(status="finished", is_sensitive=True, question="My asthma")
    for answer in (client.get(address(ANSWER, turn)), client.post(address(ROUTING, turn), {})):
        assert answer.status_code == 403
        assert "asthma" not in answer.content.decode()


def test_who_labels_sees_their_own_and_a_reviewer_sees_all(client: Client, sam: Any):
    (turn,) = stored.turns(1)
    mine = labels.give_routing(turn, sam, "direct")
    other = labels.give_routing(turn, factories.user("other"), "iterative")

    def shown(of: Client) -> str:
        found = of.get(reverse("admin:admin_tracing_routinglabel_changelist"))
        return found.content.decode()

    def look(of: Client, label: Any) -> int:
        at = reverse("admin:admin_tracing_routinglabel_change", args=(label.pk,))
        return of.get(at).status_code

    assert "iterative" not in shown(client).lower().partition("result_list")[2]
    assert (look(client, mine), look(client, other)) == (200, 302)
    reviewer = Client()
    reviewer.force_login(person("reviewer"))
    assert "iterative" in shown(reviewer).lower().partition("result_list")[2]
    assert look(reviewer, other) == 200


def test_a_label_that_stands_is_not_changed_or_deleted_in_the_admin(client: Client, sam: Any):
    label = labels.give_routing(stored.turns(1)[0], sam, "direct")
    at = reverse("admin:admin_tracing_routinglabel_change", args=(label.pk,))
    assert client.post(at, {"needed": "clarify"}).status_code == 403
    assert client.post(at.replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
