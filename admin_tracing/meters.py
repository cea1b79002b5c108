"""What a turn has spent at each step, against what it may spend.

Pure: events in, figures out. The figures only ever grow, also over a turn that ran again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from admin_tracing.waits import Wait, since, worked
from chat.contracts.events import (
    Body,
    Event,
    ModelCall,
    Retrieval,
    Rewrite,
    Stage,
    StateDiff,
    Tool,
    TurnFinished,
)
from chat.contracts.verdicts import Termination

BEGIN = "screen_input"  # the node that a turn begins with, each time it is run
BUDGET = "budget"  # the field of a state diff in which a turn tells its limits

METER_OF = {
    Termination.PASS_CAP: "passes",
    Termination.NO_EVIDENCE: "rewrites",
    Termination.TOKEN_CAP: "tokens",
    Termination.COST_CAP: "cost",
    Termination.TIME_CAP: "ms",
    Termination.TOOL_CAP: "tools",
}
"""The meter that ended a turn, for the terminations that are a limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may spend; None is no limit. `cost` is in US dollars, `ms` is work.

    `told` says that the turn itself told them; else they are what is set now.
    """

    passes: int
    rewrites: int
    tokens: int
    cost: float
    ms: int
    tools: int | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent up to the event `seq`. `cost` counts paid tools, `ms` leaves waits out."""

    seq: int = 0
    passes: int = 0
    rewrites: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    tools: int = 0
    ms: float = 0.0


def limits(events: Sequence[Event], now: Limits) -> Limits:
    """The limits that the turn told, or those of `now` where it told none."""
    for event in events:
        if isinstance(event.body, StateDiff):
            told = event.body.changed.get(BUDGET)
            if isinstance(told, Mapping):
                known = {name: told[name] for name in asdict(now) if name in told}
                return replace(now, **{**known, "told": True})
    return now


def spent(events: Sequence[Event], waits: Sequence[Wait]) -> tuple[Spent, ...]:
    """A row for each event that spent something; between two of them only time goes by."""
    counter = _Counter()
    spending = [counter.shown(event, events[0], waits) for event in events if counter.take(event)]
    return tuple(spending)


def at(events: Sequence[Event], waits: Sequence[Wait], seq: int) -> Spent:
    """The meters after the event `seq`."""
    counter = _Counter()
    last = None
    for event in events:
        if event.seq > seq:
            break
        counter.take(event)
        last = event
    return counter.shown(last, events[0], waits) if last else Spent()


def ended_by(events: Sequence[Event]) -> tuple[int, str] | None:
    """The event from which on a limit had ended the turn, and that limit's meter."""
    end = next((e for e in events if isinstance(e.body, TurnFinished)), None)
    if end is None or not isinstance(end.body, TurnFinished):
        return None
    meter = METER_OF.get(end.body.termination)
    if meter is None:
        return None
    hit = (e.seq for e in events if _hits(e.body, end.body.termination))
    return next(hit, end.seq), meter


def tool_costs(events: Sequence[Event]) -> dict[int, float]:
    """What each paid call of a tool cost, by the number of its event."""
    counter = _Counter()
    for event in events:
        counter.take(event)
    return counter.tool_costs


def _hits(body: Body, termination: Termination) -> bool:
    return isinstance(body, StateDiff) and body.changed.get("budget_hit") == termination


class _Counter:
    """Counts events one by one. A rewrite is one visit, however many items it is for."""

    def __init__(self) -> None:
        self.passes = self.rewrites = self.calls = self.tokens = self.tools = 0
        self.cost = 0.0
        self.tool_costs: dict[int, float] = {}
        self._rewrites = 0  # since the turn began, or began again
        self._is_rewritten = False  # by the present visit
        self._results = 0  # of tools, so far
        self._new: list[float] = []  # costs of results whose event is still to come

    def shown(self, event: Event, start: Event, waits: Sequence[Wait]) -> Spent:
        return Spent(
            *(event.seq, self.passes, self.rewrites, self.calls, self.tokens),
            *(round(self.cost, 6), self.tools, worked(since(start, event), waits)),
        )

    def take(self, event: Event) -> bool:
        """Count an event; true if it spent something."""
        match event.body:
            case ModelCall() as call:
                self.calls += 1
                self.tokens += call.tokens.total
                self.cost += call.cost
            case Tool():
                self._tool(event.seq)
            case Retrieval() as search:
                self.passes = max(self.passes, search.pass_)
            case Rewrite():
                self._rewrite()
            case body:
                self._note(body)
                return False
        return True

    def _tool(self, seq: int) -> None:
        self.tools += 1
        if self._new and (cost := self._new.pop(0)):
            self.cost += cost
            self.tool_costs[seq] = cost

    def _rewrite(self) -> None:
        if not self._is_rewritten:
            self._is_rewritten = True
            self._rewrites += 1
            self.rewrites = max(self.rewrites, self._rewrites)

    def _note(self, body: Body) -> None:
        """What spends nothing, and yet says what the next events stand for."""
        if isinstance(body, StateDiff):
            self._note_results(body.changed.get("tool_results"))
        elif isinstance(body, Stage) and body.phase == "enter":
            self._is_rewritten = False
            if body.node == BEGIN:
                self._rewrites = self._results = 0

    def _note_results(self, results: Any) -> None:
        if isinstance(results, list):
            fresh = results[self._results :] if len(results) >= self._results else results
            self._results = len(results)
            self._new = [float(one.get("cost", 0)) for one in fresh if isinstance(one, Mapping)]
