"""What somebody does with an item: say one job, be done, leave it to others, take it back.

A person's review keeps the labels as they were before it touched them, so that all of it can be
taken back, and whether a label was given or changed after the check's verdict was seen. Such a
label stands, but it is no longer somebody's own look, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from admin_tracing import incidents, labels
from admin_tracing.labels import BadLabel, Trouble
from admin_tracing.models import GroundednessLabel, QueueItem, Review, RoutingLabel, Settlement
from admin_tracing.queueing.agreement import Job
from admin_tracing.queueing.jobs import jobs_of, may_be_labelled
from admin_tracing.queueing.locks import TAKEN, lock, others, release, renew
from admin_tracing.queueing.states import complete, locked_item, recount
from chat.models import Turn

FIELDS: Mapping[Job, tuple[str, ...]] = {
    Job.ROUTING: ("needed", "note"),
    Job.GROUNDEDNESS: (
        *("grounded", "correct", "claims", "citations"),
        *("incident_category", "incident_severity", "note"),
    ),
}
MODELS: Mapping[Job, Any] = {Job.ROUTING: RoutingLabel, Job.GROUNDEDNESS: GroundednessLabel}
ANSWERS: Mapping[Job, tuple[str, ...]] = {
    Job.ROUTING: ("needed",),
    Job.GROUNDEDNESS: ("grounded", "correct", "claims", "citations"),
}
"""What counts as said by somebody's own look; the marks too, for the check says them as well."""


class NotYours(ValueError):
    """Somebody may not label this turn now. Its text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One job's label as it was filled in. `parts` are the marks by claim and by citation."""

    job: Job
    needed: str = ""
    grounded: str = ""
    correct: str = ""
    parts: tuple[Mapping[str, bool], Mapping[str, bool]] = field(default=({}, {}))
    trouble: Trouble | None = None
    note: str = ""


@transaction.atomic
def give(user: Any, turn: UUID, answer: Answer) -> str:
    """Store somebody's label of one job; gives the status of the item.

    Raises `NotYours` where the places are taken, it is their own conversation or was settled;
    `BadLabel` or `RedactionFailed` as `labels` does.
    """
    item = _item_for(user, turn)
    review = _review(item, user)
    before = _label(item.turn, user, answer.job)
    state = _state(review)
    if answer.job not in state["given"]:
        state["labels"][answer.job] = _stored(before, answer.job)
        state["given"].append(str(answer.job))
    label = _write(user, item.turn, answer)
    if state["seen"]:
        _note_change(state, answer.job, label)
    review.before, review.is_skipped = state, False
    review.save()
    renew(user, turn)
    return recount(turn)


def given_elsewhere(user: Any, turn: UUID) -> None:
    """A label came by another way: what was said after the check's word was seen is kept as that.

    Call it in the transaction that gave the label, after it.
    """
    review = Review.objects.select_for_update().filter(item=turn, user=user).first()
    if review is None or not (state := _state(review))["seen"]:
        return
    for job in Job:
        if (label := MODELS[job].objects.filter(turn=turn, user=user).first()) is not None:
            _note_change(state, job, label)
    Review.objects.filter(pk=review.pk).update(before=state)


@transaction.atomic
def see(user: Any, turn: UUID) -> bool:
    """Somebody who has said all that a turn asks sees the check's word from now on.

    True if they may. What they say after this is kept as said after seeing.
    """
    item = locked_item(turn)
    if item is None or user.pk not in complete(item.turn):
        return False
    review = _review(item, user)
    state = _state(review)
    if not state["seen"]:
        said = {job: _label(item.turn, user, job) for job in jobs_of(item.turn)}
        blind = {str(job): _answers(label, job) for job, label in said.items()}
        review.before = state | {"seen": True, "blind": blind}
        review.save()
    return True


@transaction.atomic
def done(user: Any, turn: UUID, answers: tuple[Answer, ...] = ()) -> str:
    """Somebody is done with an item: what they said is stored, and its lock goes. Gives the status.

    Raises `BadLabel` if a job that the turn asks is not answered, and what `give` raises.
    """
    for answer in answers:
        give(user, turn, answer)
    item = locked_item(turn)
    if item is None:
        raise NotYours("This turn is in no queue.")
    if user.pk not in complete(item.turn):
        raise BadLabel(_missing(item, user))
    review = _review(item, user)
    review.before, review.is_skipped = _state(review) | {"done": True}, False
    review.save()
    release(user, turn)
    return recount(turn)


@transaction.atomic
def skip(user: Any, turn: UUID) -> None:
    """Leave an item to others: it is not shown to this person again.

    A half label is taken back. Who has said all that is asked leaves nothing and just goes on.
    """
    item = locked_item(turn)
    release(user, turn)
    if item is None or user.pk in complete(item.turn):
        return
    review = _review(item, user)
    state = _state(review)
    _put_back(item, user, state)
    review.before, review.is_skipped = state | {"given": []}, True
    review.save()
    recount(turn)


@transaction.atomic
def undo(user: Any) -> UUID | None:
    """Take back somebody's last review: labels as they were before, the item before them again.

    It does not come before them where others have all its places by now, so `why_not` says why.
    None if there is nothing to take back. Raises `NotYours` if a reviewer has settled it since.
    """
    review = last_review(user)
    if review is None:
        return None
    item = locked_item(review.item_id)
    assert item is not None  # a review goes with its item
    if Settlement.objects.filter(turn=item.turn).exists():
        raise NotYours("A reviewer has settled this turn since, so it stays as it is.")
    state = _state(review)
    _put_back(item, user, state)
    review.before, review.is_skipped = state | {"given": [], "done": False}, False
    review.save()
    recount(item.pk)
    if not why_not(user, item.turn):
        lock(user, item.pk)
    return item.pk


def last_review(user: Any) -> Review | None:
    """The newest review of somebody that can be taken back."""
    touched = Review.objects.filter(user=user)
    kept = touched.exclude(is_skipped=False, before__given=[]).exclude(before={})
    return kept.order_by("-at", "-pk").first()


def done_today(user: Any, but: UUID | None = None) -> int:
    """How many items somebody was done with since midnight UTC, without the one before them."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Review.objects.filter(user=user, is_skipped=False, at__gte=midnight, before__done=True)
    return mine.exclude(item=but).count()


def why_never(user: Any, turn: Turn) -> str:
    """Why somebody may label a turn neither now nor later; empty if they may, then or now."""
    return why_never_of(user, turn, is_settled=Settlement.objects.filter(turn=turn).exists())


def why_never_of(user: Any, turn: Turn, *, is_settled: bool) -> str:
    """`why_never` of a turn whose settlement is known."""
    if not may_be_labelled(turn):
        return "What was said in this turn is not kept any more."
    if turn.conversation.user_id == user.pk:
        return "This is your own conversation, so somebody else labels it."
    if is_settled:
        return "A reviewer has settled this turn, so it stays as it is."
    return ""


def why_not(user: Any, turn: Turn) -> str:
    """Why somebody may not label a turn now; empty if they may, and of one in no queue too."""
    if refusal := why_never(user, turn):
        return refusal
    item = QueueItem.objects.filter(turn=turn).first()
    finished = complete(turn)
    if item is None or user.pk in finished or others(user, turn.pk, finished) < item.wanted:
        return ""
    return TAKEN


def _item_for(user: Any, turn: UUID) -> QueueItem:
    """The item, held, if somebody may label it."""
    item = locked_item(turn)
    if item is None:
        raise NotYours("This turn is in no queue. Open it by its address to add it.")
    if refusal := why_not(user, item.turn):
        raise NotYours(refusal)
    return item


def _review(item: QueueItem, user: Any) -> Review:
    review, _ = Review.objects.get_or_create(item=item, user=user)
    return review


def _state(review: Review) -> dict[str, Any]:
    """What a review keeps in `before`, with what it may lack.

    `labels` by job as they were before it, jobs `given` since, whether the check's verdict was
    `seen`, the answers `blind` by job as they were then, the jobs that differ `after_seeing`, and
    whether the person is `done`.
    """
    kept = review.before
    return {
        "labels": dict(kept.get("labels", {})),
        "given": list(kept.get("given", [])),
        "seen": bool(kept.get("seen", False)),
        "blind": dict(kept.get("blind", {})),
        "after_seeing": list(kept.get("after_seeing", [])),
        "done": bool(kept.get("done", False)),
    }


def _note_change(state: dict[str, Any], job: Job, label: Any) -> None:
    same = [one for one in state["after_seeing"] if one != job]
    changed = _answers(label, job) != state["blind"].get(job)
    state["after_seeing"] = [*same, str(job)] if changed else same


def _answers(label: Any, job: Job) -> dict[str, Any] | None:
    return {name: getattr(label, name) for name in ANSWERS[job]} if label else None


def _write(user: Any, turn: Any, answer: Answer) -> Any:
    if answer.job is Job.ROUTING:
        return labels.give_routing(turn, user, answer.needed, answer.note)
    return labels.give_groundedness(
        turn,
        user,
        (answer.grounded, answer.correct),
        parts=answer.parts,
        trouble=answer.trouble,
        note=answer.note,
    )


def _label(turn: Any, user: Any, job: Job) -> Any:
    return MODELS[job].objects.filter(turn=turn, user=user).first()


def _stored(label: Any, job: Job) -> dict[str, Any] | None:
    return {name: getattr(label, name) for name in FIELDS[job]} if label else None


def _put_back(item: QueueItem, user: Any, state: dict[str, Any]) -> None:
    """The labels as they were before the review."""
    for name in state["given"]:
        job = Job(name)
        before, rows = state["labels"].get(job), MODELS[job].objects
        if before is not None:
            rows.filter(turn=item.turn, user=user).update(**before)
            continue
        label = _label(item.turn, user, job)
        if label is not None and job is Job.GROUNDEDNESS:
            incidents.let_label_go(label)
        if label is not None:
            label.delete()


def _missing(item: QueueItem, user: Any) -> str:
    left = [job for job in jobs_of(item.turn) if _label(item.turn, user, job) is None]
    words = {Job.ROUTING: "which way it needed", Job.GROUNDEDNESS: "what you think of the answer"}
    return f"Say {' and '.join(words[job] for job in left)} first."
