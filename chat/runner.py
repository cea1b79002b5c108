"""Runs turns: each is a task that the server owns, never a socket.

A keeper renews the leases, hears stop requests from any process, takes over turns whose
process is gone, and goes on with those that waited too long. A turn that waits for a person is
run by nobody. Whatever happens, a turn ends in exactly one termination.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import DatabaseError

from chat import broadcast, closing, counters, event_log, leases, pauses, runs, turns
from chat.contracts.cutting import cut
from chat.contracts.events import (
    Answer,
    Body,
    DraftWithdrawn,
    Event,
    Token,
    TurnFinished,
)
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_log import LIVE
from chat.models import Turn
from chat.runs import BROKE, End, Run, Wrap
from chat.runtime.compile import StepLimitReached, parts
from chat.runtime.translate import Translator, asked

log = logging.getLogger(__name__)

STOP_EVERY = 0.4  # seconds between two looks for stop requests
ABANDONED_EVERY = 5.0  # seconds between two looks for turns without a process
FINISH_TRIES = 4
CLOSE_SECONDS = 10.0  # that a shutdown waits for turns to let go

Equip = Callable[[Ports, Turn], Ports]
"""Adds what is one turn's own: what came with its question, and its tools. Database work."""


@dataclass(slots=True)
class Runner:
    """The turns of this process. `ports` makes what any turn needs; `versions` go on record, and
    with them what `spoken` says of a turn's own ports.

    A turn begins once `ready` comes back.
    """

    ports: Callable[[], Ports]
    versions: Callable[[], dict[str, str]]
    hold_draft: bool = False
    equip: Equip | None = None
    ready: Callable[[], Awaitable[object]] | None = None
    spoken: Callable[[Ports], dict[str, str]] = lambda _ports: {}
    runs: dict[UUID, Run] = field(default_factory=dict)
    _keeper: asyncio.Task[None] | None = None

    def begin(
        self, begun: turns.Begun, ports: Ports | None = None, wrap: Wrap | None = None
    ) -> Run:
        """Run a turn that was just stored. `wrap` comes over its ports once they are equipped."""
        if begun.superseded is not None:
            self.ended(begun.superseded)
        return self._start(runs.begin(begun, ports or self.ports(), wrap))

    def resume(self, left: pauses.Resumption, *, died: bool = False) -> Run:
        """Go on with a turn from its last pause, or from its question where that cannot be.

        `died`: the process that ran it is gone, so what it did since then is void.
        """
        run = runs.again(left, self.ports(), died=died)
        if left.point is not None and not died:
            counters.pause(left.point.kind, left.point.outcome)
        if died and runs.is_given_up(left.begun.turn):
            run.log.add(BROKE)
            return self._start(run, self._end(run))
        return self._start(run)

    def ended(self, last: Event) -> None:
        """A turn that waited was ended, by a stop or by another question: count and tell it."""
        if isinstance(last.body, TurnFinished):
            counters.turn(last.body.termination, last.body.ms)
        event_log.tell(last.turn)

    def _start(self, run: Run, work: Coroutine[Any, Any, None] | None = None) -> Run:
        self.runs[run.begun.turn.pk] = run
        run.task = asyncio.create_task(work or self._run(run))
        self.keep()
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
        if tasks := {run.task for run in running if run.task}:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)  # the database may be away
        if left := [run.begun.turn.pk for run in running if run.handed_on]:
            await in_db(leases.hand_on, left)

    async def _run(self, run: Run) -> None:
        """One turn from its question, or its pause, to its record, or its next pause."""
        try:
            await self._stream(run)
        except asyncio.CancelledError:
            if run.handed_on or run.log.is_lost:
                self._forget(run)
                return
            run.termination = Termination.USER_STOP if run.stopped else Termination.INTERRUPTED
        except StepLimitReached:
            log.error("turn %s reached the step limit", run.begun.turn.pk)
            runs.break_off(run, Termination.STEP_LIMIT)
        except Exception:  # the edge of a turn: a defect must still end it, and be seen
            log.exception("turn %s broke", run.begun.turn.pk)
            runs.break_off(run, Termination.INTERRUPTED)
        if run.asking is None or not await self._waits(run, run.asking):
            await self._end(run)

    async def _stream(self, run: Run) -> None:
        if self.ready is not None:
            await self.ready()
        if self.equip is not None:
            run.ports = await in_db(self.equip, run.ports, run.begun.turn)
        runs.listen(run)
        translator = Translator(run.clock, reply=run.reply, offset=run.offset)
        begin = run.reply or runs.start_state(run)
        pause = None
        async for mode, part in parts(begin, run.ports, run.checkpoint):
            if mode == "tasks":
                pause = pause or asked(part)
                update = part.get("result") or {}
                run.termination = update.get("termination", run.termination)
            for body in translator.bodies(mode, part):
                self._add(run, body)
        if pause is not None:
            saved = run.checkpoint.as_json() | {"spoken": self.spoken(run.ports)}
            run.asking = pauses.asking(pause, saved, run.ms, run.void)

    def _add(self, run: Run, body: Body) -> None:
        if self.hold_draft and isinstance(body, Token | DraftWithdrawn):
            return
        if self.hold_draft and isinstance(body, Answer):
            run.held.append(body)  # it is shown with its record, or not at all
            return
        runs.tally(run, body)
        run.log.add(cut(body) if run.begun.is_sensitive else body)

    async def _waits(self, run: Run, asking: pauses.Asking) -> bool:
        """Store that the turn waits, show it and let go; false if it has to end instead."""
        run.ending = True
        await run.log.stored()
        last = [run.log.number(asking.body())]
        for attempt in range(FINISH_TRIES):
            try:
                await in_db(pauses.wait, run.begun.turn, asking, last, run.tape)
            except pauses.StopWanted:
                run.termination = Termination.USER_STOP
                return False
            except closing.TurnLost:
                log.warning("turn %s belongs to another process now", run.begun.turn.pk)
                break
            except DatabaseError as error:
                log.warning("a pause waits for the database: %s", type(error).__name__)
                await asyncio.sleep(0.25 * 2**attempt)
            else:
                counters.pause(asking.pause.kind, "asked")
                run.log.rest(last)
                break
        self._forget(run)
        return True

    async def _end(self, run: Run) -> None:
        """Write the turn's end and its record, then show it. Tried again, and counted."""
        run.ending = True
        await run.log.stored()
        for attempt in range(FINISH_TRIES):
            if await self._ended(run, attempt):
                break
        self._forget(run)

    async def _ended(self, run: Run, attempt: int) -> bool:
        end = runs.ending(run)
        try:
            await in_db(self._finish, run, end)
        except closing.TurnLost:
            log.warning("turn %s belongs to another process now", run.begun.turn.pk)
            run.log.lose()
            return True
        except Exception as error:  # noqa: BLE001 - a turn that is not let go runs for ever
            counters.RECORD_RETRIES.inc()
            counters.decision(runs.unrecorded(f"raised {type(error).__name__}"))
            level = logging.WARNING if isinstance(error, DatabaseError) else logging.ERROR
            log.log(level, "the record has to wait: %s", type(error).__name__)
            await asyncio.sleep(0.25 * 2**attempt)
            return False
        if run.is_counted:
            counters.turn(run.termination, end.ms)
            runs.count(end)
        run.log.close(end.last)
        return True

    def _finish(self, run: Run, end: End) -> None:
        versions = self.versions() | self.spoken(run.ports)
        closing.finish(run.begun.turn, end.last, end.events, versions, run.tape)

    def _forget(self, run: Run) -> None:
        turn = run.begun.turn.pk
        if self.runs.get(turn) is run:  # else the person answered already, and it runs anew
            del self.runs[turn]
            broadcast.forget(turn)
        if LIVE.get(turn) is run.log:
            run.log.lose()

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
                    await self._expire()
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
        had = dict(self.runs)
        kept = await in_db(leases.renew, had)
        for turn in had.keys() - kept:
            if self.runs.get(turn) is had[turn]:  # it did not pause and go on meanwhile
                await self._let_go(had[turn])

    async def _let_go(self, run: Run) -> None:
        """The lease went to another process, or the turn has just ended."""
        if run.task and not run.task.done() and not run.ending:
            run.log.lose()
            run.task.cancel()

    async def _take_over(self) -> None:
        for turn in await in_db(leases.take_abandoned):
            await self._reopen(turn, died=True)

    async def _expire(self) -> None:
        for turn in await in_db(pauses.take_expired):
            await self._reopen(turn)

    async def _reopen(self, turn: Any, *, died: bool = False) -> None:
        """Go on with a turn that this process has just taken."""
        try:
            self.resume(await in_db(pauses.left, turn), died=died)
        except Exception:  # one turn that cannot be read must not keep the others waiting
            log.exception("turn %s could not be taken over", turn.pk)
            if runs.is_given_up(turn):
                await in_db(closing.give_up, turn, self.versions)
