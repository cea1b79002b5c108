"""Turns in the queue and people who label them, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from admin_tracing import queueing
from admin_tracing.models import QueueItem, QueueLock
from admin_tracing.queueing import Answer, Job
from tests import factories, stored

ROUTE = Answer(Job.ROUTING, needed="single_shot")
HELD = Answer(Job.GROUNDEDNESS, grounded="yes", correct="yes")
BOTH = (ROUTE, HELD)


def people(*names: str) -> list[Any]:
    return [factories.user(name) for name in names]


def queued(count: int = 1, *, wanted: int = 1, answered: bool = True, **fields: Any) -> list[Any]:
    """Turns in the queue, the first one first. `answered` ones ask for both jobs."""
    given = {"route_taken": "single_shot", "termination": "answered"}
    given |= {} if answered else {"route_taken": "off_topic", "termination": "off_topic"}
    turns = stored.turns(count, **(given | fields))
    for turn in turns:
        queueing.add([turn.pk], "hand", wanted=wanted)
    return turns


def say(user: Any, turn: Any, needed: str = "single_shot", answer: str = "yes yes") -> str:
    """Somebody says both jobs of a turn and is done with it; gives the status of the item."""
    grounded, _, correct = answer.partition(" ")
    return queueing.done(
        user,
        turn.pk,
        (
            Answer(Job.ROUTING, needed=needed),
            Answer(Job.GROUNDEDNESS, grounded=grounded, correct=correct),
        ),
    )


def take(user: Any, *, sensitive: bool = True) -> Any:
    """The key of the turn that somebody gets, or None."""
    item = queueing.take(user, sensitive=sensitive)
    return item.pk if item else None


def status(turn: Any) -> str:
    return str(QueueItem.objects.values_list("status", flat=True).get(turn=turn))


def let_run_out(user: Any, by: timedelta = timedelta(seconds=1)) -> None:
    """The clock of the database has gone on beyond the end of somebody's lock."""
    QueueLock.objects.filter(user=user).update(until=Now() - by)


def words(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `standing_labels` without its turn."""
    return {name: value for name, value in row.items() if name != "turn_id"}
