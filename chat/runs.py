"""One run of a turn in this process: how it begins, and how it goes on where another one left.

A turn has a run from its question to its end, or to its next pause; nothing of a run outlives
its process but what the log and the rows hold.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chat import counters, leases, pauses, tapes, turns
from chat.agent.state import TurnState, fresh
from chat.closing import Void, standing
from chat.contracts.events import (
    NOBODYS,
    Body,
    Decision,
    DraftWithdrawn,
    Event,
    Failure,
    ModelCall,
    RouteTaken,
    TurnStarted,
)
from chat.contracts.ports import Ports
from chat.contracts.tasks import PauseReply
from chat.contracts.turn_facts import finished
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.event_log import TAKEOVER_GAP, TurnLog, open_log
from chat.guardrails import silence
from chat.models import Turn
from chat.runtime.checkpoint import StaleCheckpoint, TurnCheckpoint

log = logging.getLogger(__name__)

BROKE = Failure(code="internal", message="Something broke while this was answered.", retryable=True)

BEGINS_AGAIN = "The server was restarted; this begins again."
GOES_ON = "The server was restarted; this goes on from where you were asked."


Wrap = Callable[[Ports], Ports]
"""What comes over the ports of one run: a re-run's tape."""


@dataclass(slots=True)
class Run:
    """A turn that this process runs now. `started` is its clock, less the time that it waited."""

    begun: turns.Begun
    log: TurnLog
    ports: Ports
    started: float
    checkpoint: TurnCheckpoint = field(default_factory=TurnCheckpoint)
    point: pauses.Point | None = None  # the pause that it goes on from, with the reply
    wrap: Wrap | None = None
    tape: tapes.Recording | None = None
    offset: int = 0  # characters of the draft that is shown already
    earlier: list[Event] = field(default_factory=list)  # what counts of the runs before this one
    void: Void = ()  # what does not
    asking: pauses.Asking | None = None  # what it waits for now
    held: list[Body] = field(default_factory=list)  # what is only shown with the turn's record
    task: asyncio.Task[None] | None = None
    stopped: bool = False
    ending: bool = False  # its end or its pause is being written, which nothing may break off
    handed_on: bool = False
    termination: Termination = Termination.INTERRUPTED

    @property
    def reply(self) -> PauseReply | None:
        """What it goes on with."""
        return self.point.reply if self.point else None

    @property
    def is_counted(self) -> bool:
        """Lab turns and re-runs are nobody's. What a re-run hears again was counted before."""
        return self.begun.turn.kind not in NOBODYS

    @property
    def clock(self) -> Callable[[], float]:
        return self.ports.clock

    @property
    def ms(self) -> float:
        """Milliseconds that the turn has worked; the time that it waited does not count."""
        return (self.clock() - self.started) * 1000


def begin(begun: turns.Begun, ports: Ports, wrap: Wrap | None = None) -> Run:
    """The run of a turn that was just stored."""
    run = Run(begun, open_log(begun.turn.pk), ports, ports.clock(), wrap=wrap)
    run.log.add(_started(begun))
    return run


def again(left: pauses.Resumption, ports: Ports, *, died: bool) -> Run:
    """The run that goes on from the last pause, or from the question where that cannot be."""
    now, last = ports.clock(), left.events[-1].seq if left.events else 0
    point, checkpoint = _opened(left, ports, now)
    anew = died or point is None
    void = [*(point.void if point else ()), *([(point.seq if point else 0, last)] if anew else ())]
    run = Run(
        left.begun,
        open_log(left.begun.turn.pk, last + (TAKEOVER_GAP if died else 0)),
        ports,
        now - (point.elapsed_ms / 1000 if point else 0),
        checkpoint=checkpoint,
        point=point,
        earlier=standing(left.events, void),
        void=void,
    )
    if not left.events:
        run.log.add(_started(left.begun))
    elif anew:  # whether or not a draft was stored: its tokens are shown before their rows
        run.log.add(DraftWithdrawn(why=GOES_ON if point else BEGINS_AGAIN))
    else:
        run.offset = len(fold(run.earlier).draft)
    return run


def listen(run: Run) -> None:
    """Let all that the run hears from outside be recorded, once its ports are its own."""
    if run.wrap is not None:
        run.ports = run.wrap(run.ports)
    after = (run.point.pause, run.point.reply) if run.point else None
    run.ports, run.tape = tapes.recorded(
        run.ports, is_sensitive=run.begun.is_sensitive, after=after
    )


@dataclass(frozen=True, slots=True)
class End:
    """The last events of a turn, all of its events with them, and what the policy saw."""

    last: list[Event]
    events: list[Event]
    owed: frozenset[Control]
    silent: frozenset[Control]
    ms: float


def ending(run: Run) -> End:
    """How this run ends its turn: what was held back, the policy's look, and the end itself."""
    ms = run.ms
    held = [run.log.number(body) for body in run.held]
    events = [*run.earlier, *run.log.shown, *held]
    owed = silence.due(events, run.termination)
    silent = silence.missing(events, owed)
    closing = [
        run.log.number(silence.decision(owed, silent)),
        run.log.number(finished(events, run.termination, ms)),
    ]
    return End([*held, *closing], [*events, *closing], owed, silent, ms)


def tally(run: Run, body: Body) -> None:
    """What of an event is counted for `/metrics`. Of a lab turn that is its money alone."""
    if not run.is_counted:
        if isinstance(body, ModelCall) and run.begun.turn.kind == "lab":
            counters.spent(body)
    elif isinstance(body, Decision):
        counters.decision(body)
    elif isinstance(body, ModelCall):
        counters.model_call(body)
    elif isinstance(body, RouteTaken) and body.why:  # the second one only says what was taken
        counters.route(body)


def count(end: End) -> None:
    """What the policy saw of a turn that has its record now."""
    counters.watched(end.owed, end.silent, silence.decision(end.owed, end.silent))


def unrecorded(fault: str) -> Decision:
    """A record that could not be written, for the counters: it comes after its turn's events."""
    return Decision(control=Control.RECORD, outcome=Outcome.FAILED_CLOSED, reason=fault)


def break_off(run: Run, termination: Termination) -> None:
    """A defect ends the turn: what was drafted before it was never checked, so it goes."""
    run.termination = termination
    if fold([*run.earlier, *run.log.shown]).draft:
        run.log.add(DraftWithdrawn(why="The answer broke off while it was written."))
    run.log.add(BROKE)


def is_given_up(turn: Turn) -> bool:
    """Has a turn whose process died had its tries? The settings of the lab's turns died with it."""
    return turn.attempt > leases.MAX_ATTEMPTS or turn.kind in NOBODYS


def start_state(run: Run) -> TurnState:
    """What the graph knows before its first node."""
    return {
        **fresh(),  # type: ignore[typeddict-item]
        "question": run.begun.question,
        "redactions": run.begun.redactions,
        "is_sensitive": run.begun.is_sensitive,
        "history": run.begun.history,
        "attachments": run.begun.attachments,
        "clarifications_before": run.begun.clarifications_before,
        "limits": run.ports.settings,
        "started": run.started,
    }


def _opened(
    left: pauses.Resumption, ports: Ports, now: float
) -> tuple[pauses.Point | None, TurnCheckpoint]:
    """The pause to go on from with its checkpoint; no pause if there is none to be read."""
    if (point := left.point) is None:
        return None, TurnCheckpoint()
    started = now - point.elapsed_ms / 1000
    try:
        return point, TurnCheckpoint.loaded(
            point.checkpoint, started=started, limits=ports.settings
        )
    except StaleCheckpoint as error:
        log.warning("turn %s begins again: %s", left.begun.turn.pk, error)
        return None, TurnCheckpoint()


def _started(begun: turns.Begun) -> TurnStarted:
    kind: Any = begun.turn.kind
    return TurnStarted(question=begun.question, message=begun.turn.question_id, kind=kind)
