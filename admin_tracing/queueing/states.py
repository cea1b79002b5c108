"""Where an item of the queue stands, counted anew from the labels that are there.

Labels are the truth: it does not matter whether they came by the queue, the admin or a file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
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


def locked_items(turns: Collection[UUID]) -> list[QueueItem]:
    """`locked_item` of many, always in one order, so that two at once wait and do not stick."""
    rows = QueueItem.objects.select_for_update(of=("self",)).select_related("turn")
    return list(rows.filter(turn__in=turns).order_by("turn"))


@transaction.atomic
def recount_many(turns: Collection[UUID]) -> None:
    """`recount` of many turns, in as many queries as of one."""
    items = locked_items(turns)
    said, spoken = said_of(turns), _spoken(turns)
    by_status: dict[str, list[UUID]] = defaultdict(list)
    for item in items:
        people = list(_whole(item.turn, said.get(item.pk, {})).values())
        status = _status_of(item, people, spoken[item.pk])
        if status != item.status:
            by_status[status].append(item.pk)
    for status, changed in by_status.items():
        QueueItem.objects.filter(pk__in=changed).update(status=status)


def said_by(turn: Turn) -> dict[int, Said]:
    """Everybody's answers of a turn by the key of the person, those of half a label too."""
    return said_of([turn.pk]).get(turn.pk, {})


def said_of(turns: Iterable[UUID]) -> dict[UUID, dict[int, Said]]:
    """`said_by` of many turns, by turn; those of which nobody said anything are not in it."""
    keys = list(turns)
    said: dict[UUID, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for label in RoutingLabel.objects.filter(turn__in=keys):
        said[label.turn_id][label.user_id]["needed"] = label.needed
    for label in GroundednessLabel.objects.filter(turn__in=keys):
        both = {"grounded": label.grounded, "correct": label.correct}
        given = {name: word for name, word in both.items() if word}
        said[label.turn_id][label.user_id] |= given
    return {turn: dict(people) for turn, people in said.items()}


def complete(turn: Turn, said: dict[int, Said] | None = None) -> dict[int, Said]:
    """The answers of those who have said all that the turn asks; of `said` if that is known."""
    return _whole(turn, said_by(turn) if said is None else said)


def _whole(turn: Turn, people: dict[int, Said]) -> dict[int, Said]:
    asks = ("needed", "grounded") if len(jobs_of(turn)) > 1 else ("needed",)
    return {who: said for who, said in people.items() if all(a in said for a in asks)}


def _spoken(turns: Collection[UUID]) -> dict[UUID, set[Job]]:
    """The jobs that a reviewer has settled, by turn."""
    found: dict[UUID, set[Job]] = defaultdict(set)
    for turn, job in Settlement.objects.filter(turn__in=turns).values_list("turn", "job"):
        found[turn].add(Job(job))
    return found


def _status(item: QueueItem) -> str:
    return _status_of(item, list(complete(item.turn).values()), _spoken([item.pk])[item.pk])


def _status_of(item: QueueItem, people: list[Said], settled: set[Job]) -> str:
    if len(people) < item.wanted:
        return Status.OPEN
    if _reasons(people, settled):
        return Status.DISAGREED
    return Status.SETTLED if settled & set(jobs_of(item.turn)) else Status.DONE


def _reasons(people: list[Said], settled: set[Job]) -> bool:
    """Is there something that no reviewer has spoken on?"""
    fields = {Job.ROUTING: ("needed",), Job.GROUNDEDNESS: ("grounded", "correct")}
    left = [name for job, names in fields.items() if job not in settled for name in names]
    return bool(reasons([{name: one[name] for name in left if name in one} for one in people]))
