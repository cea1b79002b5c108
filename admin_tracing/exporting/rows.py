"""Reads turns for a file, a batch at a time, in the order of the list. Database work.

A batch is a handful of queries, however many turns it has; no connection is held between two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from admin_tracing.exporting.columns import Row
from admin_tracing.models import GroundednessLabel, RoutingLabel, Settlement
from admin_tracing.queries import Cursor, chosen
from chat.contracts.events import Event, event_from
from chat.contracts.turn_facts import content_of, facts_of
from chat.models import Message, Turn, TurnEvent

BATCH = 200  # turns
ERASED = "(erased)"

COLUMNS = (
    *("conversation_id", "kind", "started_at", "finished_at", "route_decided", "route_confidence"),
    *("route_taken", "termination", "confidence", "passes", "model_calls", "tokens", "cost"),
    *("ms", "unsupported", "citations", "gaps", "asked_back"),
)
WORDLESS = frozenset({"token", "stage", "state_diff"})
"""Kinds of events that say nothing of a decision and are most of a log."""


def batch(
    filters: Mapping[str, Any], after: Cursor | None, *, sensitive: bool, whole: bool
) -> tuple[list[Row], Cursor | None]:
    """The next turns and where to go on, None at the end.

    `sensitive`: those that tell of somebody's health are among them. `whole`: with decisions,
    versions and labels, which takes longer.
    """
    rows = chosen(filters, sensitive=sensitive)
    if not sensitive:
        rows = rows.filter(is_sensitive=False)
    if after is not None:
        at, turn = after
        rows = rows.filter(Q(started_at__lt=at) | Q(started_at=at, pk__lt=turn))
    joined = rows.select_related("question", "versions", "sample", "shadow", "feedback")
    found = list(joined.order_by("-started_at", "-pk")[:BATCH])
    if not found:
        return [], None
    return _told(found, whole=whole), (found[-1].started_at, found[-1].pk)


def _told(turns: Sequence[Turn], *, whole: bool) -> list[Row]:
    ids = [turn.pk for turn in turns]
    answers = _answers(ids)
    logs = _events(ids) if whole else {}
    labels = _labels(ids) if whole else {}
    return [
        _row(turn, answers.get(turn.pk, ""), logs.get(turn.pk, []), labels.get(turn.pk, []))
        for turn in turns
    ]


def _row(
    turn: Turn, answer: str, events: Sequence[Event], labels: Sequence[Mapping[str, Any]]
) -> Row:
    versions = turn.versions.values if turn.versions else {}
    sample, shadow = getattr(turn, "sample", None), getattr(turn, "shadow", None)
    vote = getattr(turn, "feedback", None)
    columns = {name: _json(getattr(turn, name)) for name in COLUMNS}
    return Row(
        str(turn.pk),
        ERASED if turn.erased_at else turn.question.text,
        answer,
        columns | {"conversation": columns["conversation_id"], "cost_usd": columns["cost"]},
        versions=versions,
        decision=facts_of(events, {}) if events else {},
        standalone=str(content_of(events)["standalone"]) if events else "",
        labels=labels,
        more={
            "vote": vote.vote if vote else None,
            "stratum": sample.stratum if sample else None,
            "rate": sample.rate if sample else None,
            "evidence_afterwards": shadow.has_evidence if shadow else None,
            "sensitive": turn.is_sensitive,
            "erased": turn.erased_at is not None,
        },
    )


def _answers(ids: Sequence[UUID]) -> dict[UUID, str]:
    said = Message.objects.filter(turn__in=ids, author=Message.Author.AGENT)
    return dict(said.order_by("created_at").values_list("turn_id", "text"))


def _events(ids: Sequence[UUID]) -> dict[UUID, list[Event]]:
    """What decides, of each turn in order."""
    found: dict[UUID, list[Event]] = defaultdict(list)
    rows = TurnEvent.objects.filter(turn__in=ids).exclude(type__in=WORDLESS)
    for row in rows.order_by("turn_id", "seq").iterator():
        found[row.turn_id].append(event_from(row.turn_id, row.seq, row.at, row.type, row.data))
    return found


def _labels(ids: Sequence[UUID]) -> dict[UUID, list[Mapping[str, Any]]]:
    found: dict[UUID, list[Mapping[str, Any]]] = defaultdict(list)
    for routing in RoutingLabel.objects.filter(turn__in=ids).select_related("user").order_by("at"):
        found[routing.turn_id].append(_label("routing", routing) | {"needed": routing.needed})
    answers = GroundednessLabel.objects.filter(turn__in=ids).select_related("user").order_by("at")
    for grounded in answers:
        found[grounded.turn_id].append(
            _label("groundedness", grounded)
            | {"grounded": grounded.grounded, "correct": grounded.correct}
            | {"claims": grounded.claims, "citations": grounded.citations}
            | {"incident": grounded.incident_category}
        )
    for settled in Settlement.objects.filter(turn__in=ids).select_related("user").order_by("at"):
        said = {name: getattr(settled, name) for name in ("needed", "grounded", "correct")}
        label = {**_label(settled.job, settled), "settles": True}
        found[settled.turn_id].append(label | {k: v for k, v in said.items() if v})
    return found


def _label(job: str, row: Any) -> dict[str, Any]:
    return {
        "job": job,
        "by": row.user.get_username(),
        "at": row.at.isoformat(timespec="seconds"),
        "note": row.note,
        "settles": False,
        "schema": getattr(row, "schema", None),
    }


def _json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    return value if isinstance(value, str | int | float | None) else str(value)
