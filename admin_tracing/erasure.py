"""What the staff's own tables forget with a person's words: every text that may tell of them.

The same for somebody who is erased and for words that are too old to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from admin_tracing.models import (
    GroundednessLabel,
    Incident,
    IncidentChange,
    Review,
    RoutingLabel,
    Settlement,
)
from chat.models import Turn

ERASED_TITLE = "(erased)"
NOTED: tuple[Any, ...] = (RoutingLabel, GroundednessLabel, Settlement)
BRINGS_BACK = Q(before__labels__routing__note__gt="") | Q(before__labels__groundedness__note__gt="")
"""Of a review: to take it back would bring back a note."""


def erase_notes(conversation_ids: Iterable[UUID]) -> int:
    """`erase_notes_of_turns` for all turns of these conversations."""
    turns = Turn.objects.filter(conversation__in=list(conversation_ids))
    return erase_notes_of_turns(list(turns.values_list("pk", flat=True)))


@transaction.atomic
def erase_notes_of_turns(turns: Sequence[UUID]) -> int:
    """Empty the notes of labels and incidents of these turns; gives the rows changed.

    Verdicts, categories, severities and times stay: they tell of the work, not of the person.
    """
    incidents = Incident.objects.filter(Q(turn__in=turns) | Q(label__turn__in=turns))
    return (
        sum(kind.objects.filter(turn__in=turns).exclude(note="").update(note="") for kind in NOTED)
        + _forget_before(Review.objects.filter(item__in=turns))
        + _forget_incidents(incidents)
    )


def noted_after_erasure() -> set[UUID]:
    """Turns whose words are gone and whose notes are not.

    Somebody was writing one while the words went, or these went before notes did. An incident
    that was opened afterwards is about what is left, and stays.
    """
    found: set[UUID] = set()
    for kind in NOTED:
        rows = kind.objects.exclude(turn__erased_at=None).exclude(note="")
        found.update(rows.values_list("turn", flat=True))
    reviews = Review.objects.filter(BRINGS_BACK).exclude(item__turn__erased_at=None)
    found.update(reviews.values_list("item", flat=True))
    older = Incident.objects.exclude(title=ERASED_TITLE).filter(opened_at__lt=F("turn__erased_at"))
    return found.union(older.values_list("turn", flat=True))


def _forget_incidents(incidents: QuerySet[Incident]) -> int:
    """Their words, and the reasons in their logs."""
    keys = list(incidents.values_list("pk", flat=True))
    changes = IncidentChange.objects.filter(incident__in=keys).exclude(reason="")
    told = Incident.objects.filter(pk__in=keys).exclude(title=ERASED_TITLE, note="")
    return changes.update(reason="") + told.update(title=ERASED_TITLE, note="")


def _forget_before(reviews: QuerySet[Review]) -> int:
    """Take the notes out of the labels that a review could bring back."""
    found = 0
    for review in reviews.select_for_update():
        kept = review.before.get("labels", {})
        noted = [label for label in kept.values() if label and label.get("note")]
        for label in noted:
            label["note"] = ""
        if noted:
            Review.objects.filter(pk=review.pk).update(before=review.before)
        found += bool(noted)
    return found
