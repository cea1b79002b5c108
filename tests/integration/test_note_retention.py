"""What staff wrote about a turn goes of age with what was said in it, and not before."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.utils import timezone

from admin_tracing import incidents, labels, queueing
from admin_tracing.erasure import ERASED_TITLE
from admin_tracing.labels import Trouble
from admin_tracing.models import Incident, IncidentChange, Review, RoutingLabel, Settlement
from admin_tracing.taxonomy import Category, Severity
from chat.models import Conversation, LegalHold, Turn
from config.variables import RETENTION
from tests import factories
from tests.spoken import every_cell

pytestmark = pytest.mark.django_db(transaction=True)

QUOTE = "Quotes them: the yellow house."


def old_turn(days: int, **fields: Any) -> Turn:
    """A labelled turn of so many days ago, with the quotation in each place that staff write in."""
    at = timezone.now() - timedelta(days=days)
    given: dict[str, Any] = {"status": "finished", "termination": "answered", "citations": 1}
    turn: Turn = factories.turn(**(given | {"started_at": at, "finished_at": at} | fields))
    sam, rita = (factories.user(f"{name}-{turn.pk}") for name in ("sam", "rita"))
    labels.give_routing(turn, sam, "direct", QUOTE)
    queueing.add([turn.pk], "hand", wanted=1)
    queueing.give(sam, turn.pk, queueing.Answer(queueing.Job.ROUTING, "cannot_tell", note=QUOTE))
    trouble = Trouble(Category.SCOPE_BREACH)
    labels.give_groundedness(turn, sam, ("no", "no"), trouble=trouble, note=QUOTE)
    Settlement.objects.create(turn=turn, job="routing", needed="direct", note=QUOTE, user=rita)
    incident = incidents.open_by_hand(sam, Category.DATA_LEAK, QUOTE, note=QUOTE, turn=turn)
    incidents.override(incident, sam, Severity.LOW, QUOTE)
    return turn


def purge(settings: Any, *, dry: bool = False, **days: int) -> str:
    """Run the command; what is not named is kept for ever."""
    kept = dict.fromkeys(RETENTION, 0)
    settings.PLUMBLINE = replace(site.PLUMBLINE, retention_days=kept | days)
    out = StringIO()
    call_command("purge", *(("--dry-run",) if dry else ()), stdout=out)
    return out.getvalue()


def test_notes_go_of_age_with_the_words_and_what_was_decided_stays(settings: Any) -> None:
    turn = old_turn(800)
    assert "yellow" in every_cell()
    told = purge(settings, content=730)
    assert "yellow" not in every_cell()
    assert "notes of staff" in told
    label = RoutingLabel.objects.get(turn=turn)
    assert (label.needed, label.note) == ("cannot_tell", "")
    assert Settlement.objects.get().needed == "direct"
    assert set(Incident.objects.values_list("title", flat=True)) == {ERASED_TITLE}
    assert set(IncidentChange.objects.values_list("reason", flat=True)) == {""}
    assert "content, older than 730 days: nothing" in purge(settings, content=730)


def test_notes_about_younger_turns_stay(settings: Any) -> None:
    old, young = old_turn(800), old_turn(1)
    purge(settings, content=730)
    notes = dict(RoutingLabel.objects.values_list("turn", "note"))
    assert notes == {old.pk: "", young.pk: QUOTE}
    assert Incident.objects.filter(turn=young, title=QUOTE).exists()


def test_notes_about_health_go_as_early_as_the_words(settings: Any) -> None:
    turn, plain = old_turn(100, is_sensitive=True), old_turn(100)
    purge(settings, sensitive=90)
    notes = dict(RoutingLabel.objects.values_list("turn", "note"))
    assert notes == {turn.pk: "", plain.pk: QUOTE}


@pytest.mark.parametrize("days", [{"content": 730}, {"trace": 30, "attachments": 30}])
def test_a_hold_and_other_classes_keep_the_notes(settings: Any, days: Any) -> None:
    turn = old_turn(800)
    if "content" in days:
        LegalHold.objects.create(conversation=turn.conversation, reason="a dispute")
    purge(settings, **days)
    assert RoutingLabel.objects.get().note == QUOTE


def test_a_dry_run_empties_nothing(settings: Any) -> None:
    old_turn(800)
    before = every_cell()
    purge(settings, dry=True, content=730)
    assert every_cell() == before


def test_a_note_that_was_being_written_while_the_words_went_goes_with_the_next_run(
    settings: Any,
) -> None:
    turn = old_turn(800)
    Turn.objects.filter(pk=turn.pk).update(erased_at=timezone.now())
    assert "1 turns with notes of staff" in purge(settings, dry=True, content=730)
    purge(settings, content=730)
    assert "yellow" not in every_cell()


def test_a_note_that_only_a_review_could_bring_back_goes_with_the_next_run_too(
    settings: Any,
) -> None:
    """A label that was given while the words went keeps what stood before it in its review."""
    turn = old_turn(800)
    review = Review.objects.get()
    purge(settings, content=730)
    review.save()  # with what it had read before
    assert "yellow" in every_cell()
    purge(settings, content=730)
    assert "yellow" not in every_cell()
    assert RoutingLabel.objects.get(turn=turn).needed == "cannot_tell"


def test_an_incident_that_is_opened_about_what_is_left_keeps_its_words(settings: Any) -> None:
    talk = Conversation.objects.create()
    earlier = timezone.now() - timedelta(days=1)
    turn = factories.turn(talk, "", status="finished", erased_at=earlier, finished_at=earlier)
    incidents.open_by_hand(factories.user("sam"), Category.DATA_LEAK, "Purged late", turn=turn)
    purge(settings, content=730)
    assert Incident.objects.get().title == "Purged late"
