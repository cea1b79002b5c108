"""Which turns count: those of people that are over; lab turns and re-runs stand outside.

What a figure counts and what the list shows for it are one condition, which stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from chat.contracts.verdicts import Termination
from chat.models import Pause, Turn

OUTSIDE_FIGURES = ("lab", "rerun")

ANSWERED = Q(termination__in=(Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT))
GIVEN_UP = (Pause.Status.EXPIRED, Pause.Status.ENDED)

SHOWS: Mapping[str, Q] = {
    "ended": Q(status=Turn.Status.FINISHED),
    "answered": ANSWERED,
    "refused": Q(termination__in=(Termination.OFF_TOPIC, Termination.RESTRICTED)),
    "asked_back": Q(asked_back__gt=0),
    "abandoned": Q(
        Exists(
            Pause.objects.filter(
                turn=OuterRef("pk"), kind=Pause.Kind.CLARIFICATION, status__in=GIVEN_UP
            )
        )
    ),
    "gap": ANSWERED & Q(gaps__gt=0),
    "unsupported": ANSWERED & Q(unsupported__gt=0),
}
"""What a turn may show, by the name of the list's filter."""


def counted(since: datetime | None = None, until: datetime | None = None) -> QuerySet[Turn]:
    """Ended turns of people that began from `since` on and before `until`."""
    rows = Turn.objects.filter(status=Turn.Status.FINISHED).exclude(kind__in=OUTSIDE_FIGURES)
    if since is not None:
        rows = rows.filter(started_at__gte=since)
    return rows.filter(started_at__lt=until) if until is not None else rows
