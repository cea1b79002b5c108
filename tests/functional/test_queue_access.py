"""Who may label, who may settle, who may add: every address of the queue, for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.labelling import queued
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db

LOGIN, CALM, FINE = 302, 403, 200

# visitor, user, Support, Reviewer, Engineer, superuser
LABEL = (LOGIN, CALM, FINE, FINE, CALM, FINE)
SETTLE = (LOGIN, CALM, CALM, FINE, CALM, FINE)
ADD = (LOGIN, CALM, CALM, CALM, FINE, FINE)

LOOKED_AT = {
    "queue": LABEL,
    "label_one": LABEL,
    "disagreements": SETTLE,
    "settle": SETTLE,
}
WRITTEN = {
    "queue_take": LABEL,
    "queue_take_one": LABEL,
    "queue_label": LABEL,
    "queue_done": LABEL,
    "queue_skip": LABEL,
    "queue_hold": LABEL,
    "queue_undo": LABEL,
    "label_by_hand": LABEL,
    "queue_add": ADD,
    "settle": SETTLE,
    "settle_undo": SETTLE,
}
ALONE = ("queue", "disagreements", "queue_take", "queue_undo", "queue_add", "settle_undo")
STAFF_ALONE = ("support", "reviewer", "engineer", "superuser")


def address(name: str, turn: Any) -> str:
    return reverse(f"workflow:{name}", args=() if name in ALONE else (turn.pk,))


def client_of(who: str) -> Client:
    client, somebody = Client(), person(who)
    if somebody is not None:
        client.force_login(somebody)
    return client


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_page_opens_to_those_it_is_for(who: str):
    (turn,) = queued()
    client, at = client_of(who), EVERYBODY.index(who)
    found = {name: client.get(address(name, turn)).status_code for name in LOOKED_AT}
    assert found == {name: row[at] for name, row in LOOKED_AT.items()}


@pytest.mark.parametrize("who", EVERYBODY)
def test_nothing_is_written_by_who_may_not(who: str):
    (turn,) = queued()
    client, at = client_of(who), EVERYBODY.index(who)
    for name, row in WRITTEN.items():
        answer = client.post(address(name, turn))
        if row[at] == FINE:
            assert answer.status_code in (200, 204, 302, 409, 422)
            assert "/login/" not in answer.headers.get("Location", "")
        else:
            assert answer.status_code == row[at]
            assert row[at] == CALM or "/login/" in answer.headers["Location"]


@pytest.mark.parametrize("name", ["queue_path", "queue_log"])
@pytest.mark.parametrize("who", EVERYBODY)
def test_what_happened_inside_is_closed_to_everybody_at_first(name: str, who: str):
    (turn,) = queued()
    expected = LOGIN if who == "visitor" else CALM
    assert client_of(who).get(address(name, turn)).status_code == expected


@pytest.mark.parametrize("name", [*LOOKED_AT, *WRITTEN, "queue_path", "queue_log"])
def test_a_turn_about_health_needs_a_right_of_its_own(name: str):
    """A superuser has it; Support has not, and is told nothing of the turn."""
    if name in ALONE:
        return
    (turn,) = queued(is_sensitive=True)
    client = client_of("support")
    answers = [client.get(address(name, turn)), client.post(address(name, turn))]
    assert {answer.status_code for answer in answers} <= {403, 405}
    assert all(turn.question.text not in answer.content.decode() for answer in answers)


def test_what_is_only_written_is_not_looked_at_and_the_other_way_round():
    (turn,) = queued()
    client = client_of("superuser")
    for name in set(WRITTEN) - {"settle"}:
        assert client.get(address(name, turn)).status_code == 405
    for name in ("queue", "label_one", "disagreements", "queue_path", "queue_log"):
        assert client.post(address(name, turn)).status_code == 405


def test_a_form_without_its_token_is_refused():
    (turn,) = queued()
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("support"))
    assert client.post(address("queue_done", turn), {"needed": "direct"}).status_code == 403


def test_a_turn_that_there_is_not_is_not_found():
    client = client_of("superuser")
    nobody = type("T", (), {"pk": "00000000-0000-4000-8000-000000000009"})
    for name in ("label_one", "settle", "queue_path", "queue_log"):
        assert client.get(address(name, nobody)).status_code == 404
    for name in ("queue_take_one", "queue_label", "queue_done", "label_by_hand", "settle"):
        assert client.post(address(name, nobody)).status_code == 404


def test_nothing_is_kept_by_a_browser():
    (turn,) = queued()
    client = client_of("superuser")
    for name in LOOKED_AT:
        assert "no-store" in client.get(address(name, turn)).headers["Cache-Control"]
