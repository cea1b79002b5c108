"""What the topic check saw, read from the turns: how often it turned away, and what loops take."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, Q

from admin_tracing.break_even import DAYS, FOUND_NOTHING, UNCHECKED, TopicFigures
from chat.contracts.verdicts import Termination
from chat.models import Turn


def topic_figures(filters: Mapping[str, Any], now: datetime) -> TopicFigures:
    """Of the chosen days, or else of the last `DAYS`. One query.

    Of the filters of the list only the days count: most of the others choose by how a turn ended,
    which is what is counted here.
    """
    asked = Turn.objects.filter(kind="ask", status=Turn.Status.FINISHED)
    asked = asked.exclude(termination__in=UNCHECKED)
    since, until = filters.get("since"), filters.get("until")
    if since:
        asked = asked.filter(started_at__date__gte=since)
    if until:
        asked = asked.filter(started_at__date__lte=until)
    chosen = asked if since or until else asked.filter(started_at__gte=now - DAYS)
    nothing = Q(termination__in=FOUND_NOTHING)
    found = chosen.aggregate(
        asked=Count("pk"),
        off_topic=Count("pk", filter=Q(termination=Termination.OFF_TOPIC)),
        loops=Count("pk", filter=nothing),
        calls=Avg("model_calls", filter=nothing),
        cost=Avg("cost", filter=nothing),
    )
    return TopicFigures(**found, in_chosen_days=bool(since or until))
