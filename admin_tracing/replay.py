"""Stored events in, a replay out: steps, visits to nodes, passes and the state at each step.

Pure: it knows the contract and nothing of Django. Any prefix of a turn's events is a replay
too, which is what the page shows while the turn still runs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from admin_tracing.waits import Wait, waits
from chat.contracts.events import Event, Retrieval, Stage, StateDiff, Token, TurnFinished

BANDS = ("input", "evidence", "generation", "output")


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in a node, from its `enter` to the event before the next one's.

    `number` counts the stays in the same node from 1; going on after a pause is the same stay.
    `ms` is None until the node was left; `pass_` is 0 outside of a pass.
    """

    node: str
    band: str
    number: int
    first: int
    last: int
    ms: float | None = None
    paused: bool = False
    pass_: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One place to stand at: an event, or a run of tokens, which is one step together.

    `first` and `last` are event numbers; `ms` and `until_ms` count from the turn's first
    event; `visit` is an index into the visits, -1 before the first node.
    """

    first: int
    last: int
    type: str
    band: str
    visit: int
    ms: float
    until_ms: float
    pass_: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    """All searches with one number and their grading, from their node's `enter` to what it led to.

    A question with parts makes several searches in a pass; `queries` has one for each.
    """

    number: int
    first: int
    last: int
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn, or as much of it as there is. `diffs` pairs event numbers with changed fields."""

    steps: tuple[Step, ...] = ()
    visits: tuple[Visit, ...] = ()
    passes: tuple[Pass, ...] = ()
    diffs: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    waits: tuple[Wait, ...] = ()
    finished: TurnFinished | None = None

    @property
    def path(self) -> tuple[tuple[str, str], ...]:
        """The moves between nodes in order; a pause that goes on in its node is no move."""
        pairs = zip(self.visits, self.visits[1:], strict=False)
        return tuple((a.node, b.node) for a, b in pairs if not (a.paused and a.node == b.node))

    def state_at(self, seq: int) -> dict[str, Any]:
        """The fields known after event `seq`."""
        return fold(changed for number, changed in self.diffs if number <= seq)


@dataclass(frozen=True, slots=True)
class _Placed:
    """An event with the visit it fell into, and the band that it is drawn in."""

    event: Event
    visit: int
    band: str


def build(events: Sequence[Event], boundaries: Mapping[str, str]) -> Replay:
    """The replay of events in order. `boundaries` names the band of each node."""
    visits, placed = _place(events, boundaries)
    passes = _passes(placed, visits)
    return Replay(
        steps=_steps(placed, passes),
        visits=tuple(replace(visit, pass_=_pass_of(visit.first, passes)) for visit in visits),
        passes=passes,
        diffs=tuple((e.seq, e.body.changed) for e in events if isinstance(e.body, StateDiff)),
        waits=waits(events),
        finished=next((e.body for e in events if isinstance(e.body, TurnFinished)), None),
    )


def fold(diffs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Diffs applied in order. A field set to None is gone."""
    state: dict[str, Any] = {}
    for changed in diffs:
        state.update(changed)
    return {field: value for field, value in state.items() if value is not None}


def _place(
    events: Sequence[Event], boundaries: Mapping[str, str]
) -> tuple[list[Visit], list[_Placed]]:
    visits: list[Visit] = []
    placed: list[_Placed] = []
    band = BANDS[0]
    for event in events:
        if isinstance(event.body, Stage):
            _note_stage(visits, event.seq, event.body, boundaries)
        if visits:
            band = visits[-1].band or band
        shown = "output" if isinstance(event.body, TurnFinished) else band
        placed.append(_Placed(event, len(visits) - 1, shown))
    return _lasting(visits, events), placed


def _lasting(visits: Sequence[Visit], events: Sequence[Event]) -> list[Visit]:
    """The visits with their last event: the one before the next visit's first."""
    seqs = [event.seq for event in events]
    ends = [seqs[bisect_left(seqs, after.first) - 1] for after in visits[1:]] + seqs[-1:]
    return [replace(visit, last=end) for visit, end in zip(visits, ends, strict=False)]


def _note_stage(visits: list[Visit], seq: int, stage: Stage, boundaries: Mapping[str, str]) -> None:
    if stage.phase == "enter":
        stays = [visit for visit in visits if visit.node == stage.node]
        goes_on = bool(stays) and stays[-1] is visits[-1] and stays[-1].paused
        number = (stays[-1].number if stays else 0) + (not goes_on)
        band = boundaries.get(stage.node, "")
        visits.append(Visit(stage.node, band, number, first=seq, last=seq))
        return
    for index in range(len(visits) - 1, -1, -1):
        if visits[index].node == stage.node:
            paused = stage.phase == "paused"
            visits[index] = replace(visits[index], ms=stage.ms, paused=paused)
            return


def _passes(placed: Sequence[_Placed], visits: Sequence[Visit]) -> tuple[Pass, ...]:
    """A pass begins where its retrieval's node was entered and ends with the evidence band."""
    passes: list[Pass] = []
    is_open = False
    for item in placed:
        body, seq = item.event.body, item.event.seq
        if isinstance(body, Retrieval) and is_open and passes[-1].number == body.pass_:
            queries = (*passes[-1].queries, body.query)
            passes[-1] = replace(passes[-1], last=seq, queries=queries)
        elif isinstance(body, Retrieval):
            _begin_pass(passes, body, seq, visits[item.visit].first if item.visit >= 0 else seq)
            is_open = True
        elif is_open and item.band == "evidence":
            passes[-1] = replace(passes[-1], last=seq)
        else:
            is_open = False
    return tuple(passes)


def _begin_pass(passes: list[Pass], body: Retrieval, seq: int, entered: int) -> None:
    """Two retrievals in one visit share its `enter`; the later pass then begins at its own."""
    first = entered if not passes or entered > passes[-1].first else seq
    if passes and passes[-1].last >= first:
        passes[-1] = replace(passes[-1], last=first - 1)
    passes.append(Pass(body.pass_, first, seq, (body.query,)))


def _pass_of(seq: int, passes: Sequence[Pass]) -> int:
    return next((p.number for p in passes if p.first <= seq <= p.last), 0)


def _steps(placed: Sequence[_Placed], passes: Sequence[Pass]) -> tuple[Step, ...]:
    steps: list[Step] = []
    if not placed:
        return ()
    start = placed[0].event.at
    for item in placed:
        event = item.event
        ms = round((event.at - start).total_seconds() * 1000, 2)
        if steps and steps[-1].type == Token.TYPE == event.body.TYPE:
            steps[-1] = replace(steps[-1], last=event.seq, until_ms=ms)
            continue
        number = _pass_of(event.seq, passes)
        steps.append(
            Step(
                first=event.seq,
                last=event.seq,
                type=event.body.TYPE,
                band=item.band,
                visit=item.visit,
                ms=ms,
                until_ms=ms,
                pass_=number,
            )
        )
    return tuple(steps)
