"""How a turn ends: its last event, its message, its columns and its record, or none of them.

The process that runs a turn ends it by `finish`. A turn that waits is run by nobody, so
whoever stops it or asks something else ends it by `end_waiting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Max, Value, When
from django.utils import timezone

from chat import counters, decision_log, tapes
from chat.contracts.events import Event, ModelCall, RouteTaken, TurnFinished, TurnStarted
from chat.contracts.turn_facts import content_of, facts_of, finished
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.event_rows import insert, merged, stored_now
from chat.guardrails import silence
from chat.leases import PROCESS
from chat.models import Conversation, Message, Pause, Turn, VersionSet
from chat.records.canonical import canonical, sha256

COLUMNS = (
    *("status", "finished_at", "owner", "lease_until", "termination", "ms", "passes"),
    *("model_calls", "tokens", "cost", "route_decided", "route_taken", "route_confidence"),
    *("confidence", "unsupported", "citations", "asked_back", "gaps", "versions"),
)
"""Of a turn, what its end writes: a vote may meanwhile have marked it as sensitive."""

Versions = Callable[[], dict[str, str]]
"""What a decision record says of how it came to be; database work."""

Void = Sequence[tuple[int, int]]
"""Ranges of event numbers, each after the first and up to the second, that count for nothing:
what an attempt left behind whose process died."""


class TurnLost(Exception):
    """Another process has this turn now."""


@transaction.atomic
def finish(
    turn: Turn,
    last: Sequence[Event],
    events: Sequence[Event],
    versions: dict[str, str],
    tape: tapes.Recording | None = None,
) -> None:
    """End a turn that this process runs: all or nothing, but for the tape, which may fail alone.

    `events` are all events of the turn, `last` those without a row. Raises `TurnLost` if this
    process is not its owner any more.
    """
    own = Turn.objects.select_for_update().filter(
        pk=turn.pk, owner=PROCESS, status=Turn.Status.RUNNING
    )
    if not own.exists():
        raise TurnLost(str(turn.pk))
    _close(turn, last, events, versions)
    tapes.keep(turn.pk, tape, versions)


def end_waiting(turn: Turn, termination: Termination, versions: Versions) -> Event:
    """End a turn that waits, and give its last event.

    Call it in a transaction that holds the turn's row and has seen that it waits.
    """
    pause = turn.pauses.get(status=Pause.Status.WAITING)
    rows = stored_now(turn.pk)
    events = standing(rows, void_of(pause.checkpoint))
    owed = silence.due(events, termination)
    silent = silence.missing(events, owed)
    seen = silence.decision(owed, silent)
    bodies = (seen, finished(events, termination, pause.elapsed_ms))
    last = [
        Event(turn=turn.pk, seq=seq, at=timezone.now(), body=body)
        for seq, body in enumerate(bodies, start=rows[-1].seq + 1)
    ]
    _close(turn, last, [*events, *last], versions() | spoken_of(pause.checkpoint))
    transaction.on_commit(partial(counters.watched, owed, silent, seen))
    return last[-1]


@transaction.atomic
def give_up(turn: Turn, versions: Versions) -> None:
    """End a turn whose rows cannot be read any more, so that its conversation is free again."""
    newest = turn.events.aggregate(newest=Max("seq"))["newest"] or 0
    body = finished([], Termination.INTERRUPTED, 0.0)
    last = Event(turn=turn.pk, seq=newest + 1, at=timezone.now(), body=body)
    _close(turn, [last], [last], versions())


def standing(events: Sequence[Event], void: Void) -> list[Event]:
    """The events that count. What a void attempt spent was spent all the same."""
    return [
        event
        for event in events
        if isinstance(event.body, TurnStarted | ModelCall)
        or not any(after < event.seq <= until for after, until in void)
    ]


def void_of(checkpoint: dict[str, Any] | None) -> Void:
    """The void ranges that a pause was stored with."""
    return [(after, until) for after, until in (checkpoint or {}).get("void", ())]


def spoken_of(checkpoint: dict[str, Any] | None) -> dict[str, str]:
    """Who spoke until the pause, where a prompt on trial or a setting was the turn's own."""
    return dict((checkpoint or {}).get("spoken", {}))


def show_leaf(conversation: Conversation, message: Message) -> None:
    """Remember the message down to which the conversation is shown."""
    conversation.selected_leaf = message
    conversation.save(update_fields=["selected_leaf", "updated_at"])


def _close(
    turn: Turn, last: Sequence[Event], events: Sequence[Event], versions: dict[str, str]
) -> None:
    insert(merged(last))
    facts = facts_of(events, versions)
    _store_columns(turn, events, facts)
    _store_answer(turn, events)
    _end_pauses(turn)
    decision_log.seal(turn, facts, content_of(events))


def _end_pauses(turn: Turn) -> None:
    """Nothing waits any more, and no checkpoint outlives its turn."""
    waiting = When(status=Pause.Status.WAITING, then=Value(str(Pause.Status.ENDED)))
    turn.pauses.update(status=Case(waiting, default=F("status")), checkpoint=None)


def _store_columns(turn: Turn, events: Sequence[Event], facts: Mapping[str, Any]) -> None:
    end = events[-1].body
    if not isinstance(end, TurnFinished):
        raise TypeError("a turn ends with turn_finished")
    routes = [event.body for event in events if isinstance(event.body, RouteTaken)]
    turn.status, turn.finished_at = Turn.Status.FINISHED, events[-1].at
    turn.owner, turn.lease_until = None, None
    turn.termination, turn.ms = end.termination, end.ms
    turn.passes, turn.model_calls = end.passes, end.model_calls
    turn.tokens, turn.cost = end.tokens.total, end.cost
    if routes:
        turn.route_decided, turn.route_taken = routes[0].decided, routes[-1].taken
        turn.route_confidence = routes[0].confidence
    turn.confidence = facts["confidence"]
    turn.unsupported = sum(claim["supported"] is False for claim in facts["claims"])
    turn.citations, turn.asked_back = len(facts["citations"]), facts["asked_back"]
    turn.gaps = facts["items"]["asked"] - facts["items"]["found"]
    turn.versions = _version_set(facts["versions"])
    turn.save(update_fields=COLUMNS)


def _version_set(values: Mapping[str, str]) -> VersionSet:
    """The row of this combination, made when it is first seen."""
    known = {"digest": sha256(canonical(values)), "defaults": {"values": dict(values)}}
    found, _ = VersionSet.objects.get_or_create(**known)
    return found


def _store_answer(turn: Turn, events: Sequence[Event]) -> None:
    view = fold(events)
    if not view.text.strip():
        return
    answer = Message.objects.create(
        conversation_id=turn.conversation_id,
        parent=turn.question,
        author=Message.Author.AGENT,
        text=view.text,
        turn=turn,
    )
    show_leaf(turn.conversation, answer)
