"""Incidents: opened by hand or an alert, worked on with a log, weighed by what they touched."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from admin_tracing import incidents
from admin_tracing.incidents import BadChange, Window
from admin_tracing.models import BlastRead, CategoryOwner, Incident, IncidentChange
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Category, Severity
from chat.alerts import Alert
from tests import factories, stored

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
CLAIM, REFUSED = Category.UNSUPPORTED_CLAIM, Category.WRONGLY_REFUSED
ALERT = Alert(
    rule="control_fails_closed",
    control="groundedness",
    severity="critical",
    summary="The control groundedness could not run. It fails closed.",
    since=START,
    until=START + timedelta(minutes=15),
    figure=0.4,
    n=25,
)


@pytest.fixture
def rosa() -> Any:
    return factories.user("rosa")


@pytest.fixture
def incident(rosa: Any) -> Incident:
    return incidents.open_by_hand(rosa, CLAIM, "A wrong fee")


def log(incident: Incident) -> list[tuple[Any, str, str, str]]:
    rows = incident.changes.values_list("user__username", "what", "before", "after")
    return list(rows)


def failed(hours: float, **fields: Any) -> Any:
    given = {"status": "finished", "termination": "answered"} | fields
    turn = factories.turn(started_at=START + timedelta(hours=hours), **given)
    stored.record(turn, controls=[{"control": "groundedness", "outcome": "failed_closed"}])
    return turn


# ---- opened by hand


def test_by_hand_it_has_an_owner_a_severity_and_a_first_line(incident: Incident):
    assert (incident.severity, incident.owner, incident.status) == ("low", "Reviewers", "open")
    assert log(incident) == [("rosa", "opened", "", "low")]
    assert incident.changes.get().reason == "The rule: the least of its category."


def test_words_are_screened(rosa: Any):
    opened = incidents.open_by_hand(
        rosa, CLAIM, "Told jane.roe@example.org so", note="Call +44 20 7946 0958"
    )
    assert opened.title == "Told [email] so"
    assert "7946" not in opened.note


def test_a_title_is_needed(rosa: Any):
    with pytest.raises(BadChange, match="title"):
        incidents.open_by_hand(rosa, CLAIM, "   ")


def test_the_turn_that_it_began_with_weighs(rosa: Any):
    turn = factories.turn(status="finished", termination="answered", is_sensitive=True)
    assert incidents.open_by_hand(rosa, CLAIM, "x", turn=turn).severity == "high"
    restricted = factories.turn(status="finished", termination="restricted")
    assert incidents.open_by_hand(rosa, CLAIM, "x", turn=restricted).severity == "high"


def test_an_owner_set_in_the_admin_stands_before_the_taxonomy(rosa: Any):
    CategoryOwner.objects.update_or_create(category=CLAIM, defaults={"owner": "Legal"})
    assert incidents.open_by_hand(rosa, CLAIM, "x").owner == "Legal"
    CategoryOwner.objects.all().delete()
    assert incidents.open_by_hand(rosa, REFUSED, "x").owner == "Support"


# ---- worked on


def test_a_severity_is_set_by_hand_with_a_reason_that_is_kept(incident: Incident, rosa: Any):
    with pytest.raises(BadChange, match="reason"):
        incidents.override(incident, rosa, Severity.HIGH, " ")
    incidents.override(incident, rosa, Severity.HIGH, "It stood in the press.")
    incident.refresh_from_db()
    assert (incident.severity, incident.computed, incident.is_overridden) == ("high", "low", True)
    assert incident.changes.last().reason == "It stood in the press."


def test_each_change_leaves_its_line_and_none_leaves_none(incident: Incident, rosa: Any):
    incidents.change(incident, rosa, {"owner": "Legal", "status": "open", "note": ""})
    incidents.change(incident, rosa, {"status": "contained"}, "The prompt was put back.")
    assert log(incident)[1:] == [
        ("rosa", "owner", "Reviewers", "Legal"),
        ("rosa", "status", "open", "contained"),
    ]


def test_the_words_of_a_note_stay_out_of_the_log(incident: Incident, rosa: Any):
    incidents.change(incident, rosa, {"note": "About Jane.", "title": "Jane's fee"})
    assert log(incident)[1:] == [("rosa", "note", "", ""), ("rosa", "title", "", "")]


def test_closing_says_when_and_opening_again_takes_it_back(incident: Incident, rosa: Any):
    incidents.change(incident, rosa, {"status": "closed"})
    assert incident.closed_at is not None
    incidents.change(incident, rosa, {"status": "open"})
    assert incident.closed_at is None


@pytest.mark.parametrize(
    "fields", [{"status": "gone"}, {"title": " "}, {"owner": ""}, {"computed": "low"}]
)
def test_what_cannot_be_is_refused(incident: Incident, rosa: Any, fields: dict[str, str]):
    with pytest.raises(BadChange):
        incidents.change(incident, rosa, fields)
    incident.refresh_from_db()
    assert len(log(incident)) == 1


def test_the_log_is_written_once(incident: Incident):
    line = incident.changes.get()
    with pytest.raises(TypeError):
        line.save()
    with pytest.raises(TypeError):
        line.delete()


# ---- weighed by what they touched


def test_naming_a_suspect_weighs_what_it_touched(incident: Incident, rosa: Any):
    for hours in range(5):
        failed(hours)
    whom = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")
    incidents.suspect(incident, rosa, whom, Window(START, START + timedelta(days=1)))
    incident.refresh_from_db()
    assert incidents.suspect_of(incident) == whom
    assert incident.severity == "medium"
    assert [what for _, what, _, _ in log(incident)] == ["opened", "suspect", "severity"]
    assert incident.changes.last().reason == "The rule: people at least 5."


def test_a_window_without_an_end_goes_on(incident: Incident, rosa: Any):
    failed(0)
    whom = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")
    incidents.suspect(incident, rosa, whom, Window(START))
    assert incident.severity == "medium"
    assert incident.changes.last().reason == "The rule: ongoing."


def test_a_severity_set_by_hand_stays_whatever_the_rule_says(incident: Incident, rosa: Any):
    incidents.override(incident, rosa, Severity.CRITICAL, "Because.")
    failed(0)
    whom = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")
    incidents.suspect(incident, rosa, whom, Window(START))
    incident.refresh_from_db()
    assert (incident.severity, incident.computed) == ("critical", "medium")


def test_a_suspect_can_be_taken_back_and_a_window_must_be_one(incident: Incident, rosa: Any):
    whom = Suspect(SuspectKind.MODEL, "small-2")
    incidents.suspect(incident, rosa, whom, Window())
    incidents.suspect(incident, rosa, None, Window())
    assert incidents.suspect_of(incident) is None
    assert [after for _, what, _, after in log(incident) if what == "suspect"] == [
        *("model small-2", "nothing"),
    ]
    with pytest.raises(BadChange, match="before it begins"):
        incidents.suspect(incident, rosa, whom, Window(START, START))


# ---- opened by an alert


def test_an_alert_opens_one_with_its_suspect_and_window(rosa: Any):
    failed(1)
    incident = incidents.open_from_alert(ALERT)
    assert incident is not None
    assert incident.title == "The control groundedness could not run"
    assert incident.note == "It fails closed."
    assert (incident.category, incident.owner) == ("control_outage", "Engineers")
    assert (incident.rule, incident.control) == (ALERT.rule, ALERT.control)
    whom = Suspect(SuspectKind.CONTROL, "groundedness", "failed_closed")
    assert incidents.suspect_of(incident) == whom
    assert (incident.since, incident.until) == (START, None)
    assert log(incident)[0][:2] == (None, "opened")


def test_no_second_one_is_opened_while_one_is_not_closed(rosa: Any):
    first = incidents.open_from_alert(ALERT)
    assert first is not None
    assert incidents.open_from_alert(ALERT) is None
    incidents.change(first, rosa, {"status": "contained"})
    assert incidents.open_from_alert(ALERT) is None
    assert incidents.open_from_alert(replace(ALERT, control="scope")) is not None
    incidents.change(first, rosa, {"status": "closed"})
    assert incidents.open_from_alert(ALERT) is not None
    with pytest.raises(BadChange, match="Another incident"):
        incidents.change(first, rosa, {"status": "open"})


def test_of_two_processes_at_once_the_second_opens_none(monkeypatch: Any):
    incidents.open_from_alert(ALERT)
    monkeypatch.setattr(incidents, "_standing", lambda _alert: None)
    assert incidents.open_from_alert(ALERT) is None
    assert Incident.objects.count() == 1


@pytest.mark.parametrize(("said", "least"), [("critical", "high"), ("warning", "medium")])
def test_it_is_never_less_than_the_alert_says(said: Any, least: str):
    alert = replace(ALERT, rule="slow_turns", control="", severity=said, n=1)
    incident = incidents.open_from_alert(alert)
    assert incident is not None
    assert incident.severity == least
    assert incidents.suspect_of(incident) is None


def test_a_rule_may_have_a_category_of_its_own():
    alert = replace(ALERT, rule="refusals_doubled", control="", severity="warning")
    incident = incidents.open_from_alert(alert)
    assert incident is not None
    assert (incident.category, incident.owner) == ("wrongly_refused", "Support")


def test_the_command_opens_what_speaks_and_not_twice(monkeypatch: Any):
    monkeypatch.setattr("admin_tracing.management.commands.alerts.check", lambda now: (ALERT,))
    assert told().splitlines()[-1] == "1 alerts, 1 incidents opened"
    assert told().splitlines()[-1] == "1 alerts, 0 incidents opened"


def test_the_command_weighs_what_still_goes_on(monkeypatch: Any):
    monkeypatch.setattr("admin_tracing.management.commands.alerts.check", lambda now: ())
    incident = incidents.open_from_alert(ALERT)
    assert incident is not None and incident.severity == "high"
    failed(1, termination="restricted")
    told()
    incident.refresh_from_db()
    assert incident.severity == "critical"


def test_the_command_reads_the_database_itself():
    """A turn that owed the final gate and left nothing: the rule for silence speaks."""
    from chat.alerts import RULES

    assert {"control_missing", "control_silent"} <= {rule.name for rule in RULES}
    from chat.contracts.events import Decision
    from chat.contracts.verdicts import Control, Outcome
    from chat.models import TurnEvent

    at = timezone.now() - timedelta(minutes=2)
    turn = factories.turn(
        started_at=at, finished_at=at, status="finished", termination="answered", ms=1.0
    )
    silent = Decision(control=Control.POLICY, outcome=Outcome.ACTED, reason="missing: final_gate")
    factories.store(factories.events([silent], turn=turn.pk))
    TurnEvent.objects.update(at=at)
    told()
    opened = Incident.objects.get(rule="control_missing")
    assert (opened.control, opened.suspect_value) == ("final_gate", "missing")


def told() -> str:
    out = io.StringIO()
    call_command("alerts", stdout=out)
    return out.getvalue()


# ---- who read whom it touched


def test_a_reading_is_written_once_and_the_database_says_so_too(incident: Incident, rosa: Any):
    read = BlastRead.objects.create(incident=incident, user=rosa, form="page", suspect="x", turns=1)
    with pytest.raises(TypeError):
        read.save()
    with pytest.raises(TypeError):
        read.delete()
    for change in (lambda: BlastRead.objects.update(turns=0), BlastRead.objects.all().delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    assert IncidentChange.objects.exists()
