"""Where an item of the queue stands, counted anew from the labels that are there.

Labels are the truth: it does not matter whether they came by the queue, the admin or a file.
"""

from __future__ import annotations

from collections import defaultdict
from uuid import UUID

from django.db import transaction

from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement
from admin_tracing.queueing.agreement import Job, Said, reasons
from admin_tracing.queueing.jobs import jobs_of
from chat.models import Turn

Status = QueueItem.Status


def locked_item(turn: UUID) -> QueueItem | None:
    """The item, held against everybody else until the transaction ends."""
    rows = QueueItem.objects.select_for_update(of=("self",)).select_related("turn__conversation")
    return rows.filter(turn=turn).first()


@transaction.atomic
def recount(turn: UUID) -> str:
    """Set the status of a turn's item by its labels; gives it, empty for a turn in no queue.

    Call it in the transaction that changed a label, after it; `locked_item` before it keeps two
    people who finish at once from missing each other.
    """
    item = locked_item(turn)
    if item is None:
        return ""
    status = _status(item)
    if status != item.status:
        item.status = status
        item.save(update_fields=["status"])
    return status


def said_by(turn: Turn) -> dict[int, Said]:
    """Everybody's answers of a turn by the key of the person, those of half a label too."""
    said: dict[int, dict[str, str]] = defaultdict(dict)
    for label in RoutingLabel.objects.filter(turn=turn):
        said[label.user_id]["needed"] = label.needed
    for label in GroundednessLabel.objects.filter(turn=turn):
        both = {"grounded": label.grounded, "correct": label.correct}
        said[label.user_id] |= {name: word for name, word in both.items() if word}
    return dict(said)


def complete(turn: Turn) -> dict[int, Said]:
    """The answers of those who have said all that the turn asks."""
    asks = ("needed", "grounded") if len(jobs_of(turn)) > 1 else ("needed",)
    return {who: said for who, said in said_by(turn).items() if all(a in said for a in asks)}


def _status(item: QueueItem) -> str:
    jobs = jobs_of(item.turn)
    settled = Settlement.objects.filter(turn=item.turn).values_list("job", flat=True)
    people = list(complete(item.turn).values())
    open_to_settle = _reasons(people, {Job(one) for one in settled})
    if len(people) < item.wanted:
        return Status.OPEN
    if open_to_settle:
        return Status.DISAGREED
    return Status.SETTLED if set(settled) & set(jobs) else Status.DONE


def _reasons(people: list[Said], settled: set[Job]) -> bool:
    """Is there something that no reviewer has spoken on?"""
    fields = {Job.ROUTING: ("needed",), Job.GROUNDEDNESS: ("grounded", "correct")}
    left = [name for job, names in fields.items() if job not in settled for name in names]
    return bool(reasons([{name: one[name] for name in left if name in one} for one in people]))
