"""Labels are given in Django admin beside the question and the answer, blind to every verdict."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing import labels
from admin_tracing.models import GroundednessLabel, Incident, RoutingLabel
from tests import factories, stored
from tests.staff import person

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
    turn = stored.finished_turn()
    fields = {
        "grounded": "no",
        "correct": "no",
        "claims": '{"c1": false}',
        "citations": "",
        "incident_category": "unsupported_claim",
        "incident_severity": "high",
        "note": "",
    }
    assert client.post(address(ANSWER, turn), fields).status_code == 302
    label = GroundednessLabel.objects.get()
    assert (label.claims, label.citations) == ({"c1": False}, {})
    incident = Incident.objects.get()
    assert (incident.label, incident.severity, incident.opened_by) == (label, "high", sam)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"claims": "[1]"}, "Give one JSON object of true and false."),
        ({"claims": '{"c1": "yes"}'}, "Give one JSON object of true and false."),
        ({"citations": "{"}, "Enter a valid JSON."),
        ({"incident_severity": "high"}, "choose its category"),
        ({"grounded": "mostly"}, "Select a valid choice"),
    ],
)
def test_a_label_that_does_not_fit_is_told(client: Client, fields: dict[str, str], why: str):
    turn = stored.finished_turn()
    given = {"grounded": "yes", "correct": "yes", "claims": "", "citations": "", "note": ""}
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
