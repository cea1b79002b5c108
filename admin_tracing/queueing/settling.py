"""Where people differ, or could not tell: a reviewer who is none of them has the last word.

Who labelled a turn does not settle it. A settlement by one of them would only count their own
label twice, and nobody could tell afterwards that two had looked and a third had weighed. A team
too small for a third talks it over: one of the two changes their label, which is kept as changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from admin_tracing.labels import BadLabel
from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement
from admin_tracing.notes import kept
from admin_tracing.queueing.agreement import How, Job, Said, reasons
from admin_tracing.queueing.jobs import jobs_of
from admin_tracing.queueing.labelling import NotYours
from admin_tracing.queueing.states import complete, locked_item, recount, said_by

QUESTIONS: Mapping[Job, Mapping[str, Any]] = {
    Job.ROUTING: {"needed": RoutingLabel.Needed},
    Job.GROUNDEDNESS: {
        "grounded": GroundednessLabel.Grounded,
        "correct": GroundednessLabel.Correct,
    },
}
FOR_AN_EXPERT = "needs_expert"


@transaction.atomic
def settle(
    reviewer: Any, turn: UUID, job: Job, said: Mapping[str, str], note: str = ""
) -> Settlement:
    """What stands of a turn's job from now on: `said` answers its questions by their names.

    That nobody can tell is an answer; that it needs an expert is none, for the reviewer is asked
    in their place. Who settled it may change it. Raises `NotYours`, `BadLabel`, `RedactionFailed`.
    """
    item = _item_for(reviewer, turn, job)
    values = {name: _one_of(name, options, said) for name, options in QUESTIONS[job].items()}
    settlement, _ = Settlement.objects.update_or_create(
        turn=item.turn, job=job, defaults=values | {"note": kept(note), "user": reviewer}
    )
    recount(turn)
    return settlement


@transaction.atomic
def take_back(reviewer: Any, *, sensitive: bool, turn: str = "") -> UUID | None:
    """The turn that a reviewer settled last is unsettled again, all that they said of it at once.

    Gives the turn, None where there is nothing to take back, or where `turn` is not the last one
    any more: a button that is pressed twice takes back once. What others settled of it stays.
    """
    last = last_settled(reviewer, sensitive=sensitive)
    if last is None or (turn and turn != str(last.turn_id)):
        return None
    locked_item(last.turn_id)
    Settlement.objects.filter(turn=last.turn_id, user=reviewer).delete()
    recount(last.turn_id)
    return last.turn_id


def last_settled(reviewer: Any, *, sensitive: bool) -> Settlement | None:
    """The newest word of a reviewer that can be taken back: what was erased stays as it is."""
    return settled(sensitive=sensitive).filter(user=reviewer, turn__erased_at=None).first()


def disagreements(*, sensitive: bool) -> QuerySet[QueueItem]:
    """The items that wait for a reviewer, the most urgent first."""
    rows = QueueItem.objects.filter(status=QueueItem.Status.DISAGREED)
    rows = rows.filter(turn__erased_at=None)
    rows = rows if sensitive else rows.filter(turn__is_sensitive=False)
    return rows.select_related("turn__question", "turn__conversation").order_by(
        "-priority", "added_at", "turn"
    )


def settled(*, sensitive: bool) -> QuerySet[Settlement]:
    """What reviewers have settled, the newest first."""
    rows = Settlement.objects.select_related("turn__question", "user")
    rows = rows if sensitive else rows.filter(turn__is_sensitive=False)
    return rows.order_by("-at", "-pk")


def why(item: QueueItem, said: dict[int, Said] | None = None) -> tuple[How, ...]:
    """Why an item waits for a reviewer; by what was `said` of it, if that is known."""
    return reasons(list(complete(item.turn, said).values()))


def open_jobs(item: QueueItem) -> tuple[Job, ...]:
    """The jobs of an item on which a reviewer has to speak."""
    spoken = set(item.turn.settlements.values_list("job", flat=True))
    people = list(complete(item.turn).values())
    return tuple(
        job
        for job in jobs_of(item.turn)
        if job not in spoken and reasons([_only(one, job) for one in people])
    )


def may_settle(reviewer: Any, item: QueueItem, said: dict[int, Said] | None = None) -> str:
    """Why somebody may not settle an item; empty if they may. `said` as for `why`."""
    if item.turn.conversation.user_id == reviewer.pk:
        return "This is your own conversation, so another reviewer settles it."
    if reviewer.pk in (said_by(item.turn) if said is None else said):
        return "You have labelled this turn, so another reviewer settles it."
    return ""


def _item_for(reviewer: Any, turn: UUID, job: Job) -> QueueItem:
    item = locked_item(turn)
    if item is None:
        raise NotYours("This turn is in no queue.")
    refusal = may_settle(reviewer, item)
    if refusal:
        raise NotYours(refusal)
    before = Settlement.objects.filter(turn=turn, job=job).first()
    if before is not None and before.user_id != reviewer.pk:
        raise NotYours("Another reviewer has settled this since.")
    if before is None and item.status == QueueItem.Status.OPEN:
        raise NotYours("Not everybody has labelled this turn yet, so there is nothing to settle.")
    if before is None and job not in open_jobs(item):
        raise NotYours("People agree on this by now, so there is nothing to settle.")
    return item


def _one_of(name: str, options: Any, said: Mapping[str, str]) -> str:
    value = said.get(name, "")
    allowed = [one for one in options.values if one != FOR_AN_EXPERT]
    if value not in allowed:
        raise BadLabel(f"{name}: {value!r} is none of {', '.join(allowed)}.")
    return value


def _only(said: Mapping[str, str], job: Job) -> dict[str, str]:
    return {name: said[name] for name in QUESTIONS[job] if name in said}
