"""Incidents in the browser: worked on in Django admin, with whom they touched as page and file."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import AsyncClient, Client
from django.urls import reverse

from admin_tracing import blast, cases, incidents
from admin_tracing.incidents import Window
from admin_tracing.models import BlastRead, CategoryOwner, Incident
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Category
from tests import factories, stored
from tests.staff import person

pytestmark = pytest.mark.django_db(transaction=True)

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
FAILED = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")


@pytest.fixture
def rosa() -> Any:
    return person("reviewer")


@pytest.fixture
def client(rosa: Any) -> Client:
    client = Client()
    client.force_login(rosa)
    return client


@pytest.fixture
def incident(rosa: Any) -> Incident:
    return incidents.open_by_hand(rosa, Category.UNSUPPORTED_CLAIM, "A wrong fee")


def failed(hours: float = 0, owner: Any = None, **fields: Any) -> Any:
    turn = factories.turn(
        factories.conversation(owner),
        **({"status": "finished", "termination": "answered"} | fields),
        started_at=START + timedelta(hours=hours),
    )
    stored.record(turn, controls=[{"control": "groundedness", "outcome": "failed_closed"}])
    return turn


def opened(client: Client, incident: Incident) -> str:
    return client.get(reverse("workflow:incident", args=(incident.pk,))).content.decode()


def change(client: Client, incident: Incident, **fields: Any) -> Any:
    form = {
        "status": incident.status,
        "severity": incident.severity,
        "owner": incident.owner,
        "title": incident.title,
        "note": incident.note,
        "reason": "",
    }
    inline = {f"changes-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    address = reverse("admin:admin_tracing_incident_change", args=(incident.pk,))
    return client.post(address, form | inline | fields)


# ---- in Django admin


def test_one_is_opened_by_hand_through_the_use_case(client: Client, rosa: Any):
    turn = failed(is_sensitive=True)
    fields = {
        "category": "unsupported_claim",
        "title": "Told jane.roe@example.org a wrong fee",
        "note": "",
        "turn": str(turn.pk),
    }
    answer = client.post(reverse("admin:admin_tracing_incident_add"), fields)
    assert answer.status_code == 302
    incident = Incident.objects.get()
    assert incident.title == "Told [email] a wrong fee"
    assert (incident.opened_by, incident.turn, incident.severity) == (rosa, turn, "high")
    assert incident.changes.get().what == "opened"


@pytest.mark.parametrize("turn", ["nonsense", "00000000-0000-4000-8000-000000000009"])
def test_a_turn_that_there_is_not_opens_none(client: Client, turn: str):
    fields = {"category": "data_leak", "title": "x", "note": "", "turn": turn}
    assert client.post(reverse("admin:admin_tracing_incident_add"), fields).status_code == 200
    assert not Incident.objects.exists()


def test_a_change_in_the_admin_leaves_its_lines(client: Client, incident: Incident, rosa: Any):
    assert (
        change(client, incident, status="closed", owner="Legal", reason="Done.").status_code == 302
    )
    incident.refresh_from_db()
    assert (incident.status, incident.owner) == ("closed", "Legal")
    assert incident.closed_at is not None
    lines = list(incident.changes.values_list("what", "user__username", "reason"))[1:]
    assert sorted(lines) == [
        ("owner", rosa.username, "Done."),
        ("status", rosa.username, "Done."),
    ]


def test_a_severity_needs_its_reason(client: Client, incident: Incident):
    page = change(client, incident, severity="critical").content.decode()
    assert "raised or lowered with a reason" in page
    incident.refresh_from_db()
    assert incident.severity == "low"
    assert change(client, incident, severity="critical", reason="In the press.").status_code == 302
    incident.refresh_from_db()
    assert (incident.severity, incident.computed) == ("critical", "low")


def test_what_a_use_case_refuses_is_told_and_nothing_is_done(client: Client, rosa: Any):
    from tests.integration.test_incidents import ALERT

    first = incidents.open_from_alert(ALERT)
    assert first is not None
    incidents.change(first, rosa, {"status": "closed"})
    incidents.open_from_alert(ALERT)
    answer = change(client, first, status="open", owner="Legal")
    page = client.get(answer.headers["Location"]).content.decode()
    assert "Another incident of this alert is open." in page
    first.refresh_from_db()
    assert (first.status, first.owner) == ("closed", "Engineers")


def test_nothing_is_deleted(client: Client, incident: Incident):
    address = reverse("admin:admin_tracing_incident_delete", args=(incident.pk,))
    assert client.post(address, {"post": "yes"}).status_code == 403


def test_the_owner_of_a_category_is_changed_in_the_list(client: Client, rosa: Any):
    row, _ = CategoryOwner.objects.get_or_create(
        category="data_leak", defaults={"owner": "Reviewers"}
    )
    address = reverse("admin:admin_tracing_categoryowner_change", args=(row.pk,))
    assert client.post(address, {"owner": "Security"}).status_code == 302
    assert incidents.open_by_hand(rosa, Category.DATA_LEAK, "x").owner == "Security"


# ---- the list and the page


def test_the_list_has_what_is_open_first_and_the_worst_at_the_top(client: Client, rosa: Any):
    def by_hand(category: Category, title: str) -> Incident:
        return incidents.open_by_hand(rosa, category, title)

    by_hand(Category.UNSUPPORTED_CLAIM, "small")
    closed = by_hand(Category.DATA_LEAK, "over")
    incidents.change(closed, rosa, {"status": "closed"})
    by_hand(Category.DATA_LEAK, "large")
    text = client.get(reverse("workflow:incidents")).content.decode()
    titles = re.findall(r"incidents/\d+/\">([^<]+)</a>", text)
    assert titles == ["large", "small", "over"]


def test_what_is_open_is_in_the_list_however_old_it_is(
    client: Client, rosa: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cases, "LISTED", 1)
    incidents.open_by_hand(rosa, Category.DATA_LEAK, "old and open")
    newer = incidents.open_by_hand(rosa, Category.DATA_LEAK, "over")
    incidents.change(newer, rosa, {"status": "closed"})
    assert "old and open" in client.get(reverse("workflow:incidents")).content.decode()


def test_an_empty_list_says_how_incidents_come_about(client: Client):
    assert "No incidents." in client.get(reverse("workflow:incidents")).content.decode()


def test_without_a_suspect_the_page_asks_for_one(client: Client, incident: Incident):
    text = opened(client, incident)
    assert "Nothing is suspected yet." in text
    assert not BlastRead.objects.exists()


def test_the_form_names_the_suspect_and_shows_whom_it_touched(client: Client, incident: Incident):
    alice = factories.user("alice")
    turns = [failed(0, alice), failed(1, alice), failed(2), failed(90)]
    fields = {
        "kind": "control",
        "control": "groundedness",
        "outcome": "failed_closed",
        "name": "left over",
        "version": "",
        "since": f"{START:%Y-%m-%dT%H:%M}",
        "until": f"{START + timedelta(days=1):%Y-%m-%dT%H:%M}",
    }
    answer = client.post(reverse("workflow:suspect", args=(incident.pk,)), fields)
    assert answer.status_code == 302
    text = opened(client, incident)
    assert "<b>3 turns</b> of <b>2 people</b>, control groundedness failed closed" in text
    for turn in turns[:3]:
        assert f"#turn-{turn.pk}" in text
    assert str(turns[3].pk) not in text
    assert "alice" in text


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"kind": "control", "control": "groundedness"}, "what became of the control"),
        ({"kind": "document", "name": ""}, "by its slug"),
        ({"kind": "document", "name": "refunds", "version": "two"}, "A version is a number"),
        (
            {
                "kind": "model",
                "name": "m",
                "since": "2026-11-20T12:00",
                "until": "2026-11-20T12:00",
            },
            "ends before it begins",
        ),
        ({"kind": "weather"}, "valid choice"),
    ],
)
def test_a_suspect_that_is_none_is_told_and_not_stored(
    client: Client, incident: Incident, fields: dict[str, str], why: str
):
    answer = client.post(reverse("workflow:suspect", args=(incident.pk,)), fields)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    incident.refresh_from_db()
    assert incidents.suspect_of(incident) is None


def test_a_suspect_that_touched_nobody_says_so(client: Client, incident: Incident, rosa: Any):
    incidents.suspect(incident, rosa, Suspect(SuspectKind.MODEL, "m"), Window())
    assert "No turn in this window: model m." in opened(client, incident)


def test_a_reviewer_is_led_to_transcripts_and_an_engineer_could_replay(
    client: Client, incident: Incident, rosa: Any
):
    turn = failed()
    incidents.suspect(incident, rosa, FAILED, Window())
    replay = reverse("workflow:replay", args=(turn.pk,))
    assert replay not in opened(client, incident)
    both = Client()
    both.force_login(person("superuser"))
    assert replay in opened(both, incident)


def test_a_question_is_not_told_on_the_page(client: Client, incident: Incident, rosa: Any):
    failed(question="Is my asthma covered?", is_sensitive=True)
    incidents.suspect(incident, rosa, FAILED, Window())
    assert "asthma" not in opened(client, incident)


def test_who_looked_is_written_down(client: Client, incident: Incident, rosa: Any):
    failed()
    incidents.suspect(incident, rosa, FAILED, Window())
    opened(client, incident)
    read = BlastRead.objects.get()
    assert (read.user, read.incident, read.form, read.turns) == (rosa, incident, "page", 1)
    assert read.suspect == "control groundedness failed closed"
    shown = client.get(reverse("admin:admin_tracing_blastread_changelist")).content.decode()
    assert "control groundedness failed closed" in shown


# ---- the files


@pytest.fixture
def reader(rosa: Any) -> AsyncClient:
    client = AsyncClient()
    client.force_login(rosa)
    return client


async def taken(reader: AsyncClient, incident: Incident, form: str) -> Any:
    return await reader.get(reverse("workflow:blast_file", args=(incident.pk, form)))


async def body(answer: Any) -> str:
    return "".join([part.decode() async for part in answer.streaming_content])


async def test_a_file_has_every_turn_in_batches(
    rosa: Any, reader: AsyncClient, incident: Incident, monkeypatch: Any
):
    from chat.db import in_db

    def prepare() -> list[str]:
        alice = factories.user("alice", email="alice@example.org")
        turns = [failed(n, alice if n else None) for n in range(5)]
        incidents.suspect(incident, rosa, FAILED, Window())
        return [str(turn.pk) for turn in turns]

    wanted = await in_db(prepare)
    lines = blast.lines
    monkeypatch.setattr(blast, "lines", lambda turns, after=None: lines(turns, after, limit=2))
    answer = await taken(reader, incident, "csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert f"incident-{incident.pk}-turns.csv" in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(await body(answer))))
    assert [row["turn"] for row in rows] == wanted
    assert rows[1]["email"] == "alice@example.org" and rows[0]["visitor"]
    answer = await taken(reader, incident, "jsonl")
    told = [json.loads(line) for line in (await body(answer)).splitlines()]
    assert [row["turn"] for row in told] == wanted
    reads = await in_db(lambda: list(BlastRead.objects.values_list("form", "turns", "user")))
    assert reads == [("jsonl", 5, rosa.pk), ("csv", 5, rosa.pk)]


async def test_there_is_no_file_without_a_suspect_or_of_another_kind(
    reader: AsyncClient, incident: Incident
):
    assert (await taken(reader, incident, "csv")).status_code == 404
    assert (await taken(reader, incident, "xlsx")).status_code == 404
