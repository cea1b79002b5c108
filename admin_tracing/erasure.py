"""What the staff's own tables forget when a person is erased: every text that may tell of them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from admin_tracing.models import (
    GroundednessLabel,
    Incident,
    IncidentChange,
    Review,
    RoutingLabel,
    Settlement,
)

ERASED_TITLE = "(erased)"


@transaction.atomic
def erase_notes(conversation_ids: Iterable[UUID]) -> int:
    """Empty the notes of labels and incidents of these conversations; gives the rows changed.

    Verdicts, categories, severities and times stay: they tell of the work, not of the person.
    """
    ids = list(conversation_ids)
    of_turn = Q(turn__conversation_id__in=ids)
    incidents = Incident.objects.filter(of_turn | Q(label__turn__conversation_id__in=ids))
    changes = IncidentChange.objects.filter(
        incident__in=list(incidents.values_list("pk", flat=True))
    )
    return sum(
        (
            RoutingLabel.objects.filter(of_turn).exclude(note="").update(note=""),
            GroundednessLabel.objects.filter(of_turn).exclude(note="").update(note=""),
            Settlement.objects.filter(of_turn).exclude(note="").update(note=""),
            _forget_before(Review.objects.filter(item__turn__conversation_id__in=ids)),
            changes.exclude(reason="").update(reason=""),
            incidents.exclude(title=ERASED_TITLE, note="").update(title=ERASED_TITLE, note=""),
        )
    )


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
