"""The turns on which people and controls, or people and people, are at odds: work for somebody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from admin_tracing.labelled.agreement import CORRECT, Agreement
from admin_tracing.labelled.controls import Parted
from chat.models import Turn

ON = {"routing": "the way", "groundedness": "the answer", CORRECT: "whether it is right"}
MOST = 40  # lines that are shown; the list of turns has all


@dataclass(frozen=True, slots=True)
class Task:
    """One turn and why it is here. `question` is empty where it was erased."""

    turn: UUID
    conversation: UUID
    question: str
    is_sensitive: bool
    at: datetime
    ended: str
    taken: str
    why: tuple[str, ...]


def worklist(rows: Iterable[Parted], people: Iterable[Agreement]) -> tuple[list[Task], int]:
    """The newest `MOST` turns with everything that is at odds on them, and how many there are."""
    why: dict[UUID, list[str]] = {}
    for agreement in people:
        for turn in agreement.split:
            why.setdefault(turn, []).append(f"people disagree on {ON[agreement.job]}")
    for row in rows:
        title = row.control.title
        for turn in row.false_alarms:
            why.setdefault(turn, []).append(f"{title}: false alarm")
        for turn in row.misses:
            why.setdefault(turn, []).append(f"{title}: miss")
    found = Turn.objects.filter(pk__in=list(why)).order_by("-started_at", "-pk")[:MOST]
    values = found.values_list(
        *("pk", "conversation_id", "question__text", "is_sensitive"),
        *("started_at", "termination", "route_taken"),
    )
    tasks = [
        Task(turn, talk, question, is_sensitive, at, ended, taken, tuple(why[turn]))
        for turn, talk, question, is_sensitive, at, ended, taken in values
    ]
    return tasks, len(why)
