"""Tickets and the directory in Django admin: who sees what, and what a hand may change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.models import DirectoryEntry, Ticket
from tests import factories
from tests.staff import EVERYBODY, person

pytestmark = pytest.mark.django_db

LOGIN, CALM, FINE = 302, 403, 200

# visitor, user, Support, Reviewer, Engineer, superuser
LOOK = (LOGIN, LOGIN, FINE, FINE, FINE, FINE)
CHANGE = (LOGIN, LOGIN, LOGIN, LOGIN, CALM, LOGIN)  # a saved form leads back to the list
NEVER = (LOGIN, LOGIN, CALM, CALM, CALM, CALM)
RECORDS = (LOGIN, LOGIN, CALM, CALM, FINE, FINE)


@pytest.fixture
def ticket() -> Any:
    turn = factories.turn(factories.conversation(title="A wrong invoice"))
    return Ticket.objects.create(
        key="k", turn=turn, subject="Invoice 4711", description="It was charged twice."
    )


@pytest.fixture
def entry() -> Any:
    return DirectoryEntry.objects.create(
        name="Heron", kind="partner", area="Dublin", attributes={"languages": "Irish"}
    )


def client_of(who: str) -> Client:
    client = Client()
    if (somebody := person(who)) is not None:
        client.force_login(somebody)
    return client


def at(model: str, view: str, pk: Any = None) -> str:
    return reverse(f"admin:chat_{model}_{view}", args=() if pk is None else (pk,))


def expected(row: tuple[int, ...], who: str) -> int:
    return row[EVERYBODY.index(who)]


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_may_look_at_tickets_and_who_may_move_them(who: str, ticket: Any):
    client = client_of(who)
    change = at("ticket", "change", ticket.pk)
    got = {
        "list": client.get(at("ticket", "changelist")).status_code,
        "one": client.get(change).status_code,
        "add": client.get(at("ticket", "add")).status_code,
        "delete": client.post(at("ticket", "delete", ticket.pk), {"post": "yes"}).status_code,
        "save": client.post(change, {"status": "closed"}).status_code,
    }
    want = {"list": LOOK, "one": LOOK, "add": NEVER, "delete": NEVER, "save": CHANGE}
    assert got == {name: expected(row, who) for name, row in want.items()}
    ticket.refresh_from_db()
    assert ticket.status == ("closed" if who in ("support", "reviewer", "superuser") else "open")


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_may_look_at_the_directory(who: str, entry: Any):
    client = client_of(who)
    got = [
        client.get(address).status_code
        for address in (
            at("directoryentry", "changelist"),
            at("directoryentry", "change", entry.pk),
            at("directoryentry", "add"),
        )
    ]
    assert got == [expected(RECORDS, who)] * 3


def test_a_person_of_support_changes_the_status_and_nothing_else(ticket: Any):
    answer = client_of("support").post(
        at("ticket", "change", ticket.pk),
        {"status": "in_progress", "subject": "x", "description": "x", "key": "x", "turn": "x"},
    )
    assert answer.status_code == 302
    ticket.refresh_from_db()
    assert (ticket.status, ticket.subject, ticket.key) == ("in_progress", "Invoice 4711", "k")
    assert ticket.description == "It was charged twice."


def test_the_page_of_a_ticket_shows_its_words_and_the_way_to_the_conversation(ticket: Any):
    html = client_of("support").get(at("ticket", "change", ticket.pk)).content.decode()
    assert "It was charged twice." in html
    transcript = at("conversation", "change", ticket.turn.conversation_id)
    assert f'href="{transcript}#turn-{ticket.turn_id}">A wrong invoice</a>' in html
    assert 'name="subject"' not in html
    assert 'name="status"' in html


def test_an_engineer_sees_no_field_to_fill_in(ticket: Any):
    html = client_of("engineer").get(at("ticket", "change", ticket.pk)).content.decode()
    assert "Invoice 4711" in html
    assert 'name="status"' not in html


def test_the_list_says_number_subject_status_conversation_and_age(ticket: Any):
    Ticket.objects.update(created_at=timezone.now() - timedelta(hours=3, minutes=5))
    html = client_of("support").get(at("ticket", "changelist")).content.decode()
    row = html.partition('id="result_list"')[2]
    for said in (f">{ticket.pk}<", "Invoice 4711", "Open", "A wrong invoice", "3\xa0hours"):
        assert said in row


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "4711"}, True),
        ({"q": "charged twice"}, True),
        ({"q": "refund"}, False),
        ({"q": "'; --"}, False),
        ({"status__exact": "open"}, True),
        ({"status__exact": "closed"}, False),
    ],
)
def test_tickets_are_searched_and_filtered(ticket: Any, query: dict[str, str], found: bool):
    html = client_of("support").get(at("ticket", "changelist"), query).content.decode()
    assert ("Invoice 4711" in html.partition('id="result_list"')[2]) is found


def test_a_ticket_is_found_by_its_number_and_its_conversation(ticket: Any):
    client = client_of("support")
    for words in (ticket.pk, ticket.turn.conversation_id):
        html = client.get(at("ticket", "changelist"), {"q": str(words)}).content.decode()
        assert "Invoice 4711" in html.partition('id="result_list"')[2]


def test_a_long_list_asks_the_database_no_more_than_a_short_one(
    ticket: Any, django_assert_max_num_queries: Any
):
    client = client_of("support")
    for number in range(20):
        turn = factories.turn()
        Ticket.objects.create(key=str(number), turn=turn, subject="s", description="d")
    with django_assert_max_num_queries(10):
        assert client.get(at("ticket", "changelist")).status_code == 200


def test_a_script_in_a_ticket_is_text(ticket: Any):
    Ticket.objects.update(subject="<script>alert(1)</script>", description="<img src=x onerror=y>")
    client = client_of("support")
    for address in (at("ticket", "changelist"), at("ticket", "change", ticket.pk)):
        html = client.get(address).content.decode()
        assert "<script>alert" not in html
        assert "<img src=x" not in html


# ---- the directory


def saved(**fields: str) -> Any:
    given = {"name": "Quill", "kind": "partner", "area": "Cork", "details": "", "url": ""}
    given |= {"attributes": "{}"}
    return client_of("engineer").post(at("directoryentry", "add"), given | fields)


def test_an_engineer_adds_changes_and_removes_a_record(entry: Any):
    assert saved(attributes='{"opening": "9 to 5"}').status_code == 302
    assert DirectoryEntry.objects.get(name="Quill").attributes == {"opening": "9 to 5"}
    client = Client()
    client.force_login(factories.user("root", is_staff=True, is_superuser=True))
    client.post(at("directoryentry", "delete", entry.pk), {"post": "yes"})
    assert not DirectoryEntry.objects.filter(name="Heron").exists()


def test_a_record_without_attributes_can_be_saved():
    assert saved(attributes="").status_code == 302
    assert DirectoryEntry.objects.get().attributes == {}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"attributes": '["a"]'}, "Give one JSON object of texts"),
        ({"attributes": '{"stars": 5}'}, "Give one JSON object of texts"),
        ({"attributes": "{"}, "Enter a valid JSON"),
        ({"url": "javascript:alert(1)"}, "Begin with https:// or http://"),
        ({"name": ""}, "This field is required"),
    ],
)
def test_what_the_search_could_not_show_is_not_saved(fields: dict[str, str], why: str):
    answer = saved(**fields)
    assert answer.status_code == 200
    assert why in answer.content.decode()
    assert not DirectoryEntry.objects.exists()
