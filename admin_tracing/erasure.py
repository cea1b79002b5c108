"""What the staff's own tables forget when a person is erased: every text that may tell of them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from admin_tracing.models import GroundednessLabel, Incident, IncidentChange, RoutingLabel

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
            changes.exclude(reason="").update(reason=""),
            incidents.exclude(title=ERASED_TITLE, note="").update(title=ERASED_TITLE, note=""),
        )
    )
