"""One re-run from its row to its turn, and from its turn's end to its row. Database work.

The turn stands in a conversation of its own, which is nobody's. It begins in one transaction that
holds the conversation of the source, so that nothing is erased meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat import removal, tapes, turns, wiring
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Termination
from chat.event_rows import stored_now
from chat.models import Conversation, DecisionRecord, Pause, Rerun, RerunBatch, Turn
from chat.reruns import comparing, documents, equipping, leasing
from chat.reruns.change import Change
from chat.reruns.equipping import Manner
from chat.reruns.problems import CannotRerun, Erased

BROKEN = (Termination.INTERRUPTED, Termination.STEP_LIMIT, Termination.MODEL_FAILED)
"""Ends that say more of the moment than of the change, unless the source ended so too."""

WHY_BROKEN = {
    Termination.MODEL_FAILED: "The model gave no answer.",
    Termination.USER_STOP: "It was stopped before its end.",
}
BROKE_OFF = "It broke off before its end."


class NotYet(Exception):
    """The turn of an earlier try has not ended; try again in a moment."""


class Lost(Exception):
    """Another process has this re-run now, or it was stopped."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A re-run that can begin: its turn, what it may use, and what the tape has for it."""

    begun: turns.Begun
    ports: Ports
    calls: Sequence[Mapping[str, Any]]
    searches: bool


def prepare(rerun: int) -> Prepared:
    """Store the turn of a re-run that this process has. Raises `CannotRerun`, `NotYet`, `Lost`."""
    row = Rerun.objects.select_related("source__question", "source__versions").get(pk=rerun)
    source, change = row.source, Change.stored(row.change)
    root = root_of(source)
    heard = tapes.of(source.pk)
    manner = manner_of(source, heard)
    ports = equipping.ports(root, manner, change)
    begun = _begin(row, root)
    calls = heard.calls if heard else ()
    if is_same_corpus(manner) and documents.are_current(calls, source.started_at):
        return Prepared(begun, ports, calls, searches=True)
    return Prepared(begun, ports, documents.independent(calls), searches=False)


def root_of(turn: Turn) -> Turn:
    """The turn of the person or of the lab at the beginning of re-runs of re-runs."""
    while turn.kind == "rerun" and (row := Rerun.objects.filter(turn=turn).first()) is not None:
        turn = row.source
    return turn


def manner_of(turn: Turn, heard: tapes.Heard | None) -> Manner:
    """How a turn was run, as far as it is known."""
    sealed = turn.versions.values if turn.versions else {}
    return Manner(heard.setting if heard else {}, sealed)


def is_same_corpus(manner: Manner) -> bool:
    """Do the documents stand as they did? Only then is a search of then one of today."""
    today = wiring.versions()
    was = (manner.versions.get("corpus", ""), manner.versions.get("embedder", ""))
    return was == (today["corpus"], today["embedder"])


@transaction.atomic
def _begin(row: Rerun, root: Turn) -> turns.Begun:
    """The question in a conversation of its own, and its turn, which this process runs."""
    held = Conversation.objects.select_for_update()
    list(held.filter(pk__in={root.conversation_id, row.source.conversation_id}).order_by("pk"))
    mine = leasing.mine(row.pk).select_for_update(of=("self",)).first()
    if mine is None:
        raise Lost
    of_both = Turn.objects.filter(pk__in={root.pk, row.source_id})
    if of_both.exclude(erased_at=None).exists():
        raise Erased
    _forget_earlier(mine)
    asked = turns.resumed(root)
    talk = Conversation.objects.create(title=f"Re-run of {row.source_id}", is_lab=True)
    question = turns.new_question(talk, None, asked.question, uuid4())
    begun = turns.begin_turn(question, kind="rerun")
    begun.turn.is_sensitive |= of_both.filter(is_sensitive=True).exists()
    begun.turn.save(update_fields=["is_sensitive"])
    mine.turn = begun.turn
    mine.save(update_fields=["turn"])
    return replace(
        asked,
        turn=begun.turn,
        clarifications_before=_asked_before(root),
        is_sensitive=begun.turn.is_sensitive,
    )


def _forget_earlier(row: Rerun) -> None:
    """What an earlier try left, whose process died: its words go, as nobody will look at them."""
    if row.turn is None:
        return
    if row.turn.status != Turn.Status.FINISHED:
        raise NotYet
    removal.content_of_turns([row.turn.pk], timezone.now())


def _asked_before(turn: Turn) -> int:
    """Questions back in the conversation before this turn."""
    asked = Pause.objects.filter(
        turn__conversation_id=turn.conversation_id,
        kind=Pause.Kind.CLARIFICATION,
        asked_at__lt=turn.started_at,
    )
    return asked.count()


@transaction.atomic
def finish(rerun: int, turn: UUID, ledger: Sequence[Mapping[str, Any]], why: str = "") -> None:
    """Keep what came out, once the turn of this try has ended. `why` says what broke it off.

    Raises `NotYet` while the turn has not ended. A re-run that was ended meanwhile, because it was
    stopped or had its tries, stays so.
    """
    row = leasing.held(Rerun.objects.filter(pk=rerun, turn=turn))
    if row is None or row.turn is None:
        return
    if row.turn.status != Turn.Status.FINISHED:
        raise NotYet
    row.flips = comparing.compare(facts_of(row.source), facts_of(row.turn))
    row.is_flipped = comparing.is_flipped(row.flips)
    row.ledger = list(ledger)
    row.reused = sum(bool(line["reused"]) for line in ledger)
    row.called = len(ledger) - row.reused
    row.cost = Decimal(str(round(sum(float(line["cost"]) for line in ledger), 6)))
    row.save(update_fields=["ledger", "flips", "is_flipped", "reused", "called", "cost"])
    if row.status not in leasing.OPEN:
        RerunBatch.objects.filter(pk=row.batch_id).update(cost=F("cost") + row.cost)
    elif why := why or _broken(row):
        leasing.fail(row, why)
    else:
        leasing.end(row, Rerun.Status.DONE)


@transaction.atomic
def fail(rerun: int, problem: CannotRerun) -> None:
    """End a re-run that cannot be made, with its sentence."""
    mine = leasing.held(leasing.mine(rerun))
    if mine is not None:
        leasing.fail(mine, problem.public)


def facts_of(turn: Turn) -> dict[str, Any]:
    """The facts of a turn with its words: as they were sealed, or else from its events."""
    record = DecisionRecord.objects.select_related("content").filter(turn=turn).first()
    if record is None or record.content.content is None:
        return comparing.told(stored_now(turn.pk))
    return {**record.facts, "content": record.content.content}


def _broken(row: Rerun) -> str:
    """Why what came out says nothing of the change, or nothing."""
    ended = row.turn.termination if row.turn else ""
    if not row.is_flipped or ended not in (*BROKEN, Termination.USER_STOP):
        return ""
    return WHY_BROKEN.get(Termination(ended), BROKE_OFF)
