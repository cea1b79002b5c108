"""Runs turns: each is a task that the server owns, never a socket.

A keeper renews the leases, hears stop requests from any process, and takes over turns whose
process is gone. Whatever happens, a turn ends in exactly one termination.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import DatabaseError

from chat import broadcast, counters, leases, turns
from chat.contracts.events import (
    Body,
    Decision,
    DraftWithdrawn,
    Event,
    Failure,
    ModelCall,
    Token,
    TurnStarted,
)
from chat.contracts.ports import Ports
from chat.contracts.turn_facts import finished
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_log import LIVE, TAKEOVER_GAP, TurnLog, open_log, stored
from chat.runtime.compile import STEP_LIMIT, StepLimitReached, compiled
from chat.runtime.translate import STREAM_MODES, Translator

log = logging.getLogger(__name__)

STOP_EVERY = 0.4  # seconds between two looks for stop requests
ABANDONED_EVERY = 5.0  # seconds between two looks for turns without a process
FINISH_TRIES = 4

BROKE = Failure(code="internal", message="Something broke while this was answered.", retryable=True)


@dataclass(slots=True)
class Run:
    """A turn that this process runs now."""

    begun: turns.Begun
    log: TurnLog
    ports: Ports
    clock: Callable[[], float]
    started: float
    task: asyncio.Task[None] | None = None
    stopped: bool = False
    ending: bool = False  # its end is being written, which nothing may break off
    handed_on: bool = False
    termination: Termination = Termination.INTERRUPTED
    earlier: list[Event] = field(default_factory=list)  # what an attempt before this one spent


@dataclass(slots=True)
class Runner:
    """The turns of this process. `ports` makes what one turn needs; `versions` go on record."""

    ports: Callable[[], Ports]
    versions: Callable[[], dict[str, str]]
    hold_draft: bool = False
    runs: dict[UUID, Run] = field(default_factory=dict)
    _keeper: asyncio.Task[None] | None = None

    def begin(self, begun: turns.Begun, ports: Ports | None = None) -> Run:
        """Run a turn that was just stored."""
        run = self._opened(begun, open_log(begun.turn.pk), ports)
        run.log.add(_started(begun))
        run.task = asyncio.create_task(self._run(run))
        self.keep()
        return run

    def _opened(self, begun: turns.Begun, turn_log: TurnLog, ports: Ports | None) -> Run:
        made = ports or self.ports()
        run = Run(begun, turn_log, made, made.clock, made.clock())
        self.runs[begun.turn.pk] = run
        return run

    def stop(self, turn: UUID) -> None:
        """Stop a turn of this process at once; others hear it from the database."""
        run = self.runs.get(turn)
        if run and run.task and not run.stopped and not run.ending:
            run.stopped = True
            run.task.cancel()

    def keep(self) -> None:
        """Start the keeper of leases, if it is not there yet."""
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """Hand the running turns on and end."""
        if self._keeper:
            self._keeper.cancel()
        running = [run for run in self.runs.values() if run.task]
        for run in running:
            if run.task and not run.ending:
                run.handed_on = True
                run.task.cancel()
        await asyncio.gather(*(r.task for r in running if r.task), return_exceptions=True)
        if left := [run.begun.turn.pk for run in running if run.handed_on]:
            await in_db(leases.hand_on, left)

    async def _run(self, run: Run) -> None:
        """One turn from its question to its record."""
        try:
            await self._stream(run)
        except asyncio.CancelledError:
            if run.handed_on or run.log.is_lost:
                self._forget(run)
                return
            run.termination = Termination.USER_STOP if run.stopped else Termination.INTERRUPTED
        except StepLimitReached:
            log.error("turn %s reached the step limit", run.begun.turn.pk)
            _break_off(run, Termination.STEP_LIMIT)
        except Exception:  # the edge of a turn: a defect must still end it, and be seen
            log.exception("turn %s broke", run.begun.turn.pk)
            _break_off(run, Termination.INTERRUPTED)
        await self._end(run)

    async def _stream(self, run: Run) -> None:
        translator = Translator(run.clock)
        parts: AsyncIterator[Any] = compiled().astream(
            _start_state(run),
            {"recursion_limit": STEP_LIMIT},
            context=run.ports,
            stream_mode=list(STREAM_MODES),
        )
        async for mode, part in parts:
            if mode == "tasks" and "result" in part:
                run.termination = (part["result"] or {}).get("termination", run.termination)
            for body in translator.bodies(mode, part):
                self._add(run, body)

    def _add(self, run: Run, body: Body) -> None:
        if self.hold_draft and isinstance(body, Token | DraftWithdrawn):
            return
        if isinstance(body, Decision):
            counters.decision(body)
        run.log.add(body)

    async def _end(self, run: Run) -> None:
        """Write the turn's end and its record, then show it. Tried again, and counted."""
        run.ending = True
        await run.log.stored()
        for attempt in range(FINISH_TRIES):
            if await self._ended(run, attempt):
                break
        self._forget(run)

    async def _ended(self, run: Run, attempt: int) -> bool:
        events = [*run.earlier, *run.log.shown]
        ms = (run.clock() - run.started) * 1000
        last = run.log.number(finished(events, run.termination, ms))
        try:
            await in_db(self._finish, run, [last], [*events, last])
        except turns.TurnLost:
            log.warning("turn %s belongs to another process now", run.begun.turn.pk)
            run.log.lose()
            return True
        except DatabaseError as error:
            counters.RECORD_RETRIES.inc()
            log.warning("the record waits for the database: %s", type(error).__name__)
            await asyncio.sleep(0.25 * 2**attempt)
            return False
        counters.turn(run.termination, ms)
        run.log.close([last])
        return True

    def _finish(self, run: Run, last: list[Event], events: list[Event]) -> None:
        turns.finish(run.begun.turn, last, events, self.versions())

    def _forget(self, run: Run) -> None:
        self.runs.pop(run.begun.turn.pk, None)
        if LIVE.get(run.begun.turn.pk) is run.log:
            run.log.lose()
            LIVE.pop(run.begun.turn.pk, None)
        broadcast.forget(run.begun.turn.pk)

    async def _keep(self) -> None:
        renewed = looked = 0.0
        while True:
            now = time.monotonic()
            try:
                if self.runs:
                    await self._hear_stops()
                if self.runs and now - renewed > leases.RENEW_EVERY:
                    await self._renew()
                    renewed = now
                if now - looked > ABANDONED_EVERY:
                    await self._take_over()
                    looked = now
            except DatabaseError as error:
                log.warning("the keeper waits for the database: %s", type(error).__name__)
            except Exception:  # leases must be renewed whatever else is broken
                log.exception("the keeper stumbled")
            await asyncio.sleep(STOP_EVERY)

    async def _hear_stops(self) -> None:
        for turn in await in_db(leases.stops, list(self.runs)):
            self.stop(turn)

    async def _renew(self) -> None:
        asked = list(self.runs)
        kept = await in_db(leases.renew, asked)
        for turn in set(asked) - kept:
            if run := self.runs.get(turn):
                await self._let_go(run)

    async def _let_go(self, run: Run) -> None:
        """The lease went to another process, or the turn has just ended."""
        if run.task and not run.task.done() and not run.ending:
            run.log.lose()
            run.task.cancel()

    async def _take_over(self) -> None:
        for turn in await in_db(leases.take_abandoned):
            try:
                await self._again(turn)
            except Exception:  # one turn that cannot be read must not keep the others waiting
                log.exception("turn %s could not be taken over", turn.pk)

    async def _again(self, turn: Any) -> None:
        """Run an abandoned turn again from its question, after voiding its draft."""
        earlier = await stored(turn.pk)
        last = earlier[-1].seq if earlier else 0
        begun = await in_db(turns.resumed, turn)
        run = self._opened(begun, open_log(turn.pk, last + TAKEOVER_GAP), None)
        run.earlier = [e for e in earlier if isinstance(e.body, TurnStarted | ModelCall)]
        if earlier:  # whether or not a draft was stored: its tokens are shown before their rows
            run.log.add(DraftWithdrawn(why="The server was restarted; this begins again."))
        else:
            run.log.add(_started(begun))
        again = turn.attempt <= leases.MAX_ATTEMPTS
        if not again:
            run.log.add(BROKE)
        run.task = asyncio.create_task(self._run(run) if again else self._end(run))


def _break_off(run: Run, termination: Termination) -> None:
    """A defect ends the turn: what was drafted before it was never checked, so it goes."""
    run.termination = termination
    if fold(run.log.shown).draft:
        run.log.add(DraftWithdrawn(why="The answer broke off while it was written."))
    run.log.add(BROKE)


def _started(begun: turns.Begun) -> TurnStarted:
    kind: Any = begun.turn.kind
    return TurnStarted(question=begun.question, message=begun.turn.question_id, kind=kind)


def _start_state(run: Run) -> dict[str, Any]:
    return {
        "question": run.begun.question,
        "redactions": run.begun.redactions,
        "history": run.begun.history,
        "limits": run.ports.settings,
        "started": run.started,
    }
