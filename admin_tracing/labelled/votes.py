"""Thumbs: what those who asked say of their answers. Who votes chooses to, so it is no sample."""

from __future__ import annotations

from django.db.models import Count, Q

from admin_tracing.counted import counted
from admin_tracing.days import Days
from admin_tracing.stats import Estimate, share
from chat.models import Feedback


def liked(days: Days, versions: int | None = None) -> Estimate:
    """The share of votes that are up. One query."""
    turns = counted(days.since, days.until)
    if versions is not None:
        turns = turns.filter(versions_id=versions)
    found = Feedback.objects.filter(turn__in=turns).aggregate(
        up=Count("pk", filter=Q(vote=Feedback.Vote.UP)), n=Count("pk")
    )
    return share(found["up"], found["n"])
