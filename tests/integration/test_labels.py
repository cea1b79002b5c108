"""Labels: one a person and turn, screened before they are stored; a named incident is opened."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from admin_tracing import incidents, labels
from admin_tracing.labels import BadLabel, Trouble
from admin_tracing.models import GroundednessLabel, Incident, RoutingLabel
from admin_tracing.models.labels import LABEL_SCHEMA
from admin_tracing.taxonomy import Category, Severity
from chat.contracts.errors import RedactionFailed
from tests import factories, stored

pytestmark = pytest.mark.django_db

LEAK = Trouble(Category.DATA_LEAK)


@pytest.fixture
def sam() -> Any:
    return factories.user("sam")


@pytest.fixture
def turn() -> Any:
    return stored.turns(1)[0]


def test_a_routing_label_says_which_way_was_needed(turn: Any, sam: Any):
    label = labels.give_routing(turn, sam, "iterative", "Two things were asked.")
    label.refresh_from_db()
    assert (label.turn, label.user, label.needed) == (turn, sam, "iterative")
    assert (label.note, label.schema) == ("Two things were asked.", LABEL_SCHEMA)


def test_a_groundedness_label_says_it_of_the_answer_and_its_parts(turn: Any, sam: Any):
    parts = {"c1": True, "c2": False}, {"1": True}
    label = labels.give_groundedness(turn, sam, ("partly", "yes"), parts=parts)
    label.refresh_from_db()
    assert (label.grounded, label.correct) == ("partly", "yes")
    assert (label.claims, label.citations) == parts
    assert not Incident.objects.exists()


def test_giving_it_again_takes_its_place(turn: Any, sam: Any):
    first = labels.give_routing(turn, sam, "direct")
    again = labels.give_routing(turn, sam, "clarify")
    assert first.pk == again.pk
    assert RoutingLabel.objects.get().needed == "clarify"


def test_two_people_may_differ(turn: Any, sam: Any):
    labels.give_routing(turn, sam, "direct")
    labels.give_routing(turn, factories.user("rosa"), "iterative")
    assert turn.routinglabels.count() == 2


@pytest.mark.parametrize("model", [RoutingLabel, GroundednessLabel])
def test_the_database_holds_one_a_person_and_turn(model: Any, turn: Any, sam: Any):
    model.objects.create(turn=turn, user=sam)
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(turn=turn, user=sam)


def test_a_note_is_screened_before_it_is_stored(turn: Any, sam: Any):
    note = "She wrote from jane.roe@example.org about it."
    assert labels.give_routing(turn, sam, "direct", note).note == (
        "She wrote from [email] about it."
    )
    given = labels.give_groundedness(turn, sam, ("no", "no"), note=note)
    assert "[email]" in given.note


def test_a_note_that_cannot_be_screened_is_not_stored(turn: Any, sam: Any, monkeypatch: Any):
    def down(_text: str) -> Any:
        raise RuntimeError

    monkeypatch.setattr("chat.keeping.redact", down)
    with pytest.raises(RedactionFailed):
        labels.give_routing(turn, sam, "direct", "a note")
    assert not RoutingLabel.objects.exists()
    labels.give_routing(turn, sam, "direct")


@pytest.mark.parametrize(
    "give",
    [
        lambda turn, who: labels.give_routing(turn, who, "sideways"),
        lambda turn, who: labels.give_groundedness(turn, who, ("mostly", "yes")),
        lambda turn, who: labels.give_groundedness(turn, who, ("yes", "needs_expert")),
        lambda turn, who: labels.give_groundedness(
            turn, who, ("yes", "yes"), parts=({"c1": "yes"}, {})
        ),
        lambda turn, who: labels.give_groundedness(
            turn, who, ("yes", "yes"), parts=({}, {1: True})
        ),
    ],
)
def test_what_no_page_offers_is_refused(give: Any, turn: Any, sam: Any):
    with pytest.raises(BadLabel):
        give(turn, sam)


def test_a_turn_that_has_not_ended_is_not_labelled(sam: Any):
    with pytest.raises(BadLabel, match="once it has ended"):
        labels.give_routing(factories.turn(), sam, "direct")


# ---- the incident that a label names


def test_a_category_opens_an_incident_for_its_owner(turn: Any, sam: Any):
    label = labels.give_groundedness(turn, sam, ("no", "no"), trouble=LEAK)
    incident = Incident.objects.get()
    assert (incident.label, incident.turn, incident.opened_by) == (label, turn, sam)
    assert (incident.category, incident.severity, incident.owner) == (
        *("data_leak", "high", "Reviewers"),
    )
    assert (incident.since, incident.until) == (turn.started_at, turn.finished_at)


def test_a_severity_that_the_label_names_stands_above_the_rule(turn: Any, sam: Any):
    trouble = Trouble(Category.UNSUPPORTED_CLAIM, Severity.CRITICAL)
    labels.give_groundedness(turn, sam, ("no", "no"), trouble=trouble)
    incident = Incident.objects.get()
    assert (incident.severity, incident.computed) == ("critical", "low")
    assert incident.changes.last().reason == "As the label says."


def test_the_same_label_opens_no_second_incident(turn: Any, sam: Any):
    for _ in range(2):
        labels.give_groundedness(turn, sam, ("no", "no"), trouble=LEAK)
    assert Incident.objects.count() == 1
    labels.give_groundedness(turn, sam, ("no", "no"), trouble=Trouble(Category.SCOPE_BREACH))
    assert Incident.objects.count() == 2


def test_label_and_incident_are_stored_both_or_neither(turn: Any, sam: Any, monkeypatch: Any):
    def fails(_label: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(incidents, "open_from_label", fails)
    with pytest.raises(RuntimeError):
        labels.give_groundedness(turn, sam, ("no", "no"), trouble=LEAK)
    assert not GroundednessLabel.objects.exists()
