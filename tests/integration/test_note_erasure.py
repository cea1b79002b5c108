"""When a person is erased, the staff's words about their turns go, and no words about others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from admin_tracing import incidents, labels, queueing
from admin_tracing.erasure import ERASED_TITLE, erase_notes
from admin_tracing.labels import Trouble
from admin_tracing.models import (
    GroundednessLabel,
    Incident,
    IncidentChange,
    Review,
    RoutingLabel,
    Settlement,
)
from admin_tracing.taxonomy import Category, Severity
from tests import factories, stored

pytestmark = pytest.mark.django_db

SECRET = "They live in the yellow house."


def labelled(who: Any) -> Any:
    """A turn with both labels, an incident of the label and one by hand, all with words."""
    (turn,) = stored.turns(1)
    labels.give_routing(turn, who, "direct", SECRET)
    trouble = Trouble(Category.SCOPE_BREACH)
    labels.give_groundedness(turn, who, ("no", "no"), trouble=trouble, note=SECRET)
    incident = incidents.open_by_hand(who, Category.DATA_LEAK, SECRET, note=SECRET, turn=turn)
    incidents.override(incident, who, Severity.LOW, SECRET)
    return turn


def words() -> list[str]:
    """Every text of a person in the staff's own tables."""
    columns = (
        *((RoutingLabel, "note"), (GroundednessLabel, "note")),
        *((Incident, "title"), (Incident, "note"), (IncidentChange, "reason")),
    )
    return [text for model, name in columns for text in model.objects.values_list(name, flat=True)]


def test_every_word_about_an_erased_person_goes_and_what_was_decided_stays():
    sam = factories.user("sam")
    turn = labelled(sam)
    assert any("yellow" in text for text in words())
    assert erase_notes([turn.conversation_id]) > 0
    assert not any("yellow" in text for text in words())
    assert set(Incident.objects.values_list("title", flat=True)) == {ERASED_TITLE}
    assert RoutingLabel.objects.get().needed == "direct"
    assert set(Incident.objects.values_list("severity", flat=True)) == {"low", "medium"}


def test_the_words_of_the_queue_go_too_and_its_decisions_stay():
    sam, rosa, rita = (factories.user(name) for name in ("sam", "rosa", "rita"))
    (turn,) = stored.turns(1, citations=1)
    labels.give_routing(turn, sam, "direct", SECRET)
    queueing.add([turn.pk], "hand", wanted=2)
    for who, needed in ((sam, "clarify"), (rosa, "iterative")):
        held = queueing.Answer(queueing.Job.GROUNDEDNESS, grounded="no", correct="no", note=SECRET)
        routing = queueing.Answer(queueing.Job.ROUTING, needed=needed)
        queueing.done(who, turn.pk, (routing, held))
    queueing.settle(rita, turn.pk, queueing.Job.ROUTING, {"needed": "direct"}, SECRET)
    assert "yellow" in json.dumps(list(Review.objects.values_list("before", flat=True)))
    assert erase_notes([turn.conversation_id]) > 0
    assert "yellow" not in json.dumps(list(Review.objects.values_list("before", flat=True)))
    settled = Settlement.objects.get()
    assert (settled.note, settled.needed) == ("", "direct")
    assert Review.objects.get(user=sam).before["labels"]["routing"]["needed"] == "direct"
    assert erase_notes([turn.conversation_id]) == 0


def test_the_words_about_others_stay():
    sam = factories.user("sam")
    erased, kept = labelled(sam), labelled(sam)
    erase_notes([erased.conversation_id])
    assert RoutingLabel.objects.get(turn=kept).note == SECRET
    assert GroundednessLabel.objects.get(turn=kept).note == SECRET
    assert Incident.objects.exclude(title=ERASED_TITLE).filter(turn=kept).count() == 2


def test_a_second_time_there_is_nothing_left_to_empty():
    turn = labelled(factories.user("sam"))
    erase_notes([turn.conversation_id])
    assert erase_notes([turn.conversation_id]) == 0
    assert erase_notes([]) == 0
