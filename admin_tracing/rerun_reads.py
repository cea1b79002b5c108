"""What the pages of re-runs read: those of a turn, batches, and a batch's turns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet, Sum

from chat import tapes
from chat.models import Rerun, RerunBatch
from chat.reruns import Change

OF_TURN = 20  # re-runs of one turn that are listed with it
LISTED = 50  # batches, and re-runs of single turns
SHOWN = 200  # lines of one kind on the page of a batch


def of_turn(turn: UUID) -> list[Rerun]:
    """The re-runs of a turn, newest first."""
    rows = Rerun.objects.filter(source=turn).select_related("asked_by")
    return list(rows.order_by("-created_at", "-id")[:OF_TURN])


def that_made(turn: UUID) -> Rerun | None:
    """The re-run that a turn is the result of."""
    return Rerun.objects.filter(turn=turn).first()


def settings_of(turn: UUID) -> dict[str, Any]:
    """What the turn was run with, by the names of a change; empty where it kept no tape."""
    heard = tapes.of(turn)
    if heard is None:
        return {}
    search = heard.setting.get("search", {})
    known = {
        **heard.setting.get("settings", {}),
        "retrieval": search.get("mode"),
        "relevance_threshold": search.get("threshold", 0.0),
        "model": heard.setting.get("model"),
    }
    return {name: known.get(name) for name in Change.model_fields}


def batches() -> QuerySet[RerunBatch]:
    return RerunBatch.objects.select_related("asked_by").order_by("-created_at", "-id")


def singles(*, sensitive: bool = False) -> QuerySet[Rerun]:
    """Re-runs that belong to no batch, newest first."""
    rows = Rerun.objects.filter(batch=None).select_related("source__question", "asked_by")
    if not sensitive:
        rows = rows.filter(source__is_sensitive=False)
    return rows.order_by("-created_at", "-id")


def flipped(batch: RerunBatch) -> QuerySet[Rerun]:
    """The turns of a batch that ended otherwise, the last one first."""
    return _of(batch).filter(is_flipped=True)


def failed(batch: RerunBatch) -> QuerySet[Rerun]:
    return _of(batch).filter(status=Rerun.Status.FAILED)


def same(batch: RerunBatch) -> QuerySet[Rerun]:
    """Turns that ended as before."""
    return _of(batch).filter(status=Rerun.Status.DONE, is_flipped=False)


def calls(batch: RerunBatch) -> tuple[int, int]:
    """How many calls of the batch were reused, and how many were made."""
    found = batch.reruns.aggregate(reused=Sum("reused"), called=Sum("called"))
    return found["reused"] or 0, found["called"] or 0


def ways(batch: RerunBatch) -> list[tuple[str, str, int]]:
    """How flipped turns ended before and after, with their number, the most frequent first."""
    rows = batch.reruns.filter(is_flipped=True).values_list(
        "source__termination", "turn__termination"
    )
    counted = rows.annotate(number=Count("pk")).order_by("-number")
    return [(before, after or "", number) for before, after, number in counted]


def _of(batch: RerunBatch) -> QuerySet[Rerun]:
    rows = batch.reruns.select_related("source__question", "turn")
    return rows.order_by("-finished_at", "-id")
