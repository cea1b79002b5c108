"""The first label is blind: no verdict of a check and no word of others comes before it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from admin_tracing import queueing
from admin_tracing.models import Review, Settlement
from chat.contracts.events import Answer, Claim, Claims, Event
from chat.contracts.verdicts import Confidence, Termination
from tests import factories, stored
from tests.labelling import say
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db

SECRET = ("CAVEAT-4711", "ANSWERED WITH CAVEAT", "answered_with_caveat", "4711")
VERDICT = re.compile(r"confidence|caveat|supported|supports|judge|not held|IRRELEVANT", re.I)
OTHER = "OTHERS-NOTE-815"


def told() -> list[Event]:
    """A turn with a judge's no, a low confidence and a caveat."""
    events = refund_with_one_rewrite()
    claim = Claim(
        id="c1", label="Refunds reach the card", basis="none", supported=False, by="judge"
    )
    found: list[Event] = []
    for event in events:
        body: Any = event.body
        if isinstance(body, Answer):
            found.append(replace(event, seq=len(found) + 1, body=Claims(claims=(claim,))))
            body = body.model_copy(
                update={"confidence": Confidence.LOW, "caveats": ("CAVEAT-4711",)}
            )
        if event is events[-1]:
            body = body.model_copy(update={"termination": Termination.ANSWERED_WITH_CAVEAT})
        found.append(replace(event, seq=len(found) + 1, body=body))
    return found


@pytest.fixture
def sam() -> Any:
    return person("support")


@pytest.fixture
def client(sam: Any) -> Client:
    client = Client()
    client.force_login(sam)
    return client


@pytest.fixture
def turn() -> Any:
    """Somebody else has said that nothing of it holds."""
    turn = stored.finished_turn(told(), citations=1)
    queueing.add([turn.pk], "hand", wanted=3)
    rosa = factories.user("rosa")
    answer = queueing.Answer(queueing.Job.ROUTING, needed="needs_expert", note=OTHER)
    say(rosa, turn, "needs_expert", "no no")
    queueing.give(rosa, turn.pk, answer)
    return turn


def at(name: str, turn: Any) -> str:
    return reverse(f"workflow:{name}", args=(turn.pk,))


def shown(client: Client, address: str, **headers: str) -> str:
    """The page without its head, and without the kinds of incident, which are always the same."""
    page = client.get(address, headers=headers).content.decode()
    return re.sub(r"<option.*?</option>", "", page.partition("<main")[2] or page)


def label(client: Client, turn: Any, **fields: str) -> dict[str, Any]:
    answer = client.post(at("queue_label", turn), fields, headers={"X-Part": "1"})
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize("part", [{}, {"X-Part": "1"}])
@pytest.mark.parametrize("address", ["queue", "one"])
def test_nothing_is_told_on_the_sheet_before_the_labels(
    client: Client, turn: Any, part: dict[str, str], address: str
):
    where = reverse("workflow:queue") if address == "queue" else at("label_one", turn)
    unheld = shown(client, where, **part)
    assert client.post(at("queue_take_one", turn), headers=part).status_code in (200, 302)
    page = shown(client, where, **part)
    assert not VERDICT.search(unheld) and OTHER not in unheld
    assert turn.question.text in page
    assert "Refunds reach the card within" in page
    assert not VERDICT.search(page), VERDICT.findall(page)
    assert not any(word in page for word in (*SECRET, OTHER, "Another person"))


def test_a_claim_stands_there_without_what_was_made_of_it(client: Client, turn: Any):
    page = shown(client, at("label_one", turn))
    assert "Refunds reach the card" in page
    assert "unsupported" not in page


@pytest.mark.parametrize("name", ["queue_path", "queue_log"])
def test_path_and_log_refuse_with_a_sentence_before_the_first_label(
    client: Client, turn: Any, name: str
):
    answer = client.get(at(name, turn))
    assert answer.status_code == 403
    assert answer.content.decode().startswith("Give your first label of this turn.")
    part = client.get(at(name, turn), headers={"X-Part": "1"})
    assert part.status_code == 403
    assert part.json()["message"].startswith("Give your first label")


def test_others_labels_do_not_open_them(client: Client, turn: Any):
    assert client.get(at("queue_log", turn)).status_code == 403


def test_the_first_label_opens_them_without_any_verdict(client: Client, turn: Any):
    told = label(client, turn, needed="iterative")
    assert (told["may_look"], told["complete"]) == (True, False)
    assert not VERDICT.search(told["seen"])
    log = client.get(at("queue_log", turn)).content.decode()
    assert json.loads(log)["whole"] is False
    types = {line["type"] for line in json.loads(log)["events"]}
    assert {"turn_started", "stage", "retrieval", "answer"} <= types
    assert not types & {"claims", "verdicts", "decision", "state_diff", "model_call", "route"}
    assert "turn_finished" not in types
    assert not VERDICT.search(log), VERDICT.findall(log)
    assert "CAVEAT" not in log
    path = client.get(at("queue_path", turn)).content.decode()
    assert "Looking in the handbook" in path
    assert "once you have said all" in path


def test_the_answers_label_alone_opens_nothing_of_the_way(client: Client, turn: Any):
    label(client, turn, grounded="yes", correct="yes")
    types = {line["type"] for line in client.get(at("queue_log", turn)).json()["events"]}
    assert "route" not in types and "question" not in types


def test_who_has_said_all_sees_all(client: Client, turn: Any):
    told = label(client, turn, needed="iterative", grounded="yes", correct="yes")
    assert told["complete"] is True
    assert "The check said: supported 0 of 1." in told["seen"]
    assert "The router chose single shot (0.71)." in told["seen"]
    assert "Another person said: needed needs an expert; held no, right no." in told["seen"]
    assert "rosa" not in told["seen"]
    log = client.get(at("queue_log", turn)).json()
    assert log["whole"] is True
    assert "claims" in {line["type"] for line in log["events"]}
    assert "once you have said all" not in client.get(at("queue_path", turn)).content.decode()


def test_a_change_after_it_is_told_and_kept(client: Client, turn: Any, sam: Any):
    label(client, turn, needed="iterative", grounded="yes", correct="yes")
    told = label(client, turn, needed="iterative", grounded="no", correct="yes")
    assert "kept as changed after seeing" in told["seen"]
    assert Review.objects.get(user=sam).before["after_seeing"] == ["groundedness"]


def test_the_log_alone_counts_as_seen(client: Client, turn: Any, sam: Any):
    client.post(at("queue_label", turn), {"needed": "direct", "grounded": "yes", "correct": "yes"})
    assert not Review.objects.get(user=sam).before["seen"]  # nothing was shown yet
    client.get(at("queue_log", turn))
    assert Review.objects.get(user=sam).before["seen"]


def test_a_reviewer_settles_without_the_checks_verdict_and_without_names(client: Client, turn: Any):
    label(client, turn, needed="iterative", grounded="yes", correct="yes")
    say(factories.user("ina"), turn, "direct", "yes yes")
    reviewer = Client()
    reviewer.force_login(person("reviewer"))
    page = shown(reviewer, at("settle", turn))
    assert OTHER in page
    assert not any(word in page for word in (*SECRET, "rosa", "ina<", "support<", "The check said"))
    assert [who for who in ("A", "B", "C") if f'<th scope="row">{who}</th>' in page] == [
        "A",
        "B",
        "C",
    ]


def test_a_reviewer_hears_of_no_label_while_they_may_yet_give_their_own(turn: Any):
    """The item wants three people and has one."""
    reviewer = Client()
    reviewer.force_login(person("reviewer"))
    page = shown(reviewer, at("settle", turn))
    assert turn.question.text in page and "Not everybody has labelled this turn yet" in page
    assert OTHER not in page and "expert" not in page
    refused = reviewer.post(at("settle", turn), {"needed": "direct"})
    assert refused.status_code in (409, 422) and not Settlement.objects.exists()


# ---- the transcript in Django admin


def transcript(client: Client, turn: Any) -> str:
    address = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
    page = client.get(address).content.decode()
    return page.partition('id="content-main"')[2].partition("</article>")[0]


def test_the_transcript_is_blind_to_who_may_label_it(client: Client, turn: Any):
    page = transcript(client, turn)
    assert "Refunds reach the card within" in page
    found = page.replace("Is the answer held by its sources?", "")
    assert not any(word in found for word in ("CAVEAT", "with caveat", "confidence low"))
    assert "supports what is said" not in found and "not checked" not in found


def test_the_transcript_tells_all_once_the_labels_are_given(client: Client, turn: Any):
    label(client, turn, needed="iterative", grounded="yes", correct="yes")
    page = transcript(client, turn)
    assert "CAVEAT-4711" in page and "confidence low" in page and "with caveat" in page


def test_who_may_not_label_reads_all_of_it(turn: Any):
    engineer = Client()
    engineer.force_login(person("engineer"))
    page = transcript(engineer, turn)
    assert "CAVEAT-4711" in page and "inline-label" not in page


def test_who_is_kept_waiting_by_others_reads_the_transcript_blind(client: Client):
    turn = stored.finished_turn(told(), citations=1, termination="answered_with_caveat")
    queueing.add([turn.pk], "hand", wanted=1)
    assert queueing.take_this(factories.user("rosa"), turn.pk)
    transcript = reverse("admin:chat_conversation_change", args=(turn.conversation_id,))
    page = client.get(transcript).content.decode()
    assert "Others label this turn" in page
    assert "confidence low" not in page and "CAVEAT-4711" not in page


def test_another_branch_is_listed_without_what_a_check_made_of_it(client: Client):
    first = stored.finished_turn(told(), citations=1, termination="answered_with_caveat")
    talk = first.conversation
    talk.selected_leaf = None
    talk.save()
    factories.turn(talk, "And by bank?", status="finished", kind="edit")
    transcript = reverse("admin:chat_conversation_change", args=(talk.pk,))
    others = client.get(transcript).content.decode().partition("Other branches")[2]
    assert "ask, answered" in others and "with caveat" not in others
