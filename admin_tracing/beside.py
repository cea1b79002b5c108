"""Two turns on one line: which step of one stands beside which of the other, and where they part.

Pure. Stays in nodes are matched first and the steps inside matched stays after them, so that a
loop which ran once more does not push everything behind it out of place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from admin_tracing.matching import Key, matched
from admin_tracing.replay import Replay, Step
from chat.contracts.events import (
    Action,
    Answer,
    Body,
    Claims,
    Clarification,
    Decision,
    Event,
    Failure,
    ModelCall,
    QuestionRead,
    Retrieval,
    Rewrite,
    RouteTaken,
    Stage,
    StateDiff,
    Token,
    Tool,
    TurnFinished,
    TurnStarted,
    Verdicts,
)

FOLLOWS = (StateDiff.TYPE, Token.TYPE)
"""Steps that only show what another step decided: turns do not part at them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A place on the shared line: the steps' places in their turns, None where there is none.

    `same` says that both say the same, times and costs aside.
    """

    left: int | None
    right: int | None
    same: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """The shared line; `parts_at` is the first place at which the turns part, if they do."""

    pairs: tuple[Pair, ...] = ()
    parts_at: int | None = None


class Told(NamedTuple):
    """A turn as it is compared: its events, and the replay built from them."""

    events: Sequence[Event]
    replay: Replay


class _Stay(NamedTuple):
    """A run of steps in one visit, by their places; the end of a turn is a stay of its own."""

    key: Key
    steps: Sequence[int]


def beside(left: Told, right: Told) -> Beside:
    """The two turns aligned. Every step of both stands in one pair, in its turn's order."""
    keys = _keys(left), _keys(right)
    stays = _stays(left.replay), _stays(right.replay)
    found = matched([stay.key for stay in stays[0]], [stay.key for stay in stays[1]])
    pairs: list[Pair] = []
    for here, there in _zipped(found, len(stays[0]), len(stays[1])):
        ours = stays[0][here].steps if here is not None else ()
        theirs = stays[1][there].steps if there is not None else ()
        pairs += _inside(ours, theirs, *keys)
    types = [step.type for step in left.replay.steps], [step.type for step in right.replay.steps]
    first = next((n for n, pair in enumerate(pairs) if _parts(pair, *types)), None)
    return Beside(tuple(pairs), first)


def _inside(
    ours: Sequence[int], theirs: Sequence[int], left: Sequence[Key], right: Sequence[Key]
) -> list[Pair]:
    found = matched([left[place] for place in ours], [right[place] for place in theirs])
    return [
        Pair(
            None if here is None else ours[here],
            None if there is None else theirs[there],
            here is not None and there is not None and left[ours[here]] == right[theirs[there]],
        )
        for here, there in _zipped(found, len(ours), len(theirs))
    ]


def _zipped(
    found: Sequence[tuple[int, int]], left: int, right: int
) -> list[tuple[int | None, int | None]]:
    """Matches with what stands between them: the left one's first, then the right one's."""
    rows: list[tuple[int | None, int | None]] = []
    here = there = 0
    for one, other in [*found, (left, right)]:
        rows += [(place, None) for place in range(here, one)]
        rows += [(None, place) for place in range(there, other)]
        if one < left:
            rows.append((one, other))
        here, there = one + 1, other + 1
    return rows


def _parts(pair: Pair, left: Sequence[str], right: Sequence[str]) -> bool:
    kinds = {left[pair.left] if pair.left is not None else ""}
    kinds.add(right[pair.right] if pair.right is not None else "")
    return not pair.same and not kinds & set(FOLLOWS)


def _stays(replay: Replay) -> list[_Stay]:
    numbered = enumerate(replay.steps)
    groups = groupby(numbered, key=lambda item: _stay_of(item[1]))
    stays = []
    for visit, group in groups:
        places = [place for place, _ in group]
        stays.append(_Stay(_stay_key(visit, replay), places))
    return stays


def _stay_of(step: Step) -> int | None:
    return None if step.type == TurnFinished.TYPE else step.visit


def _stay_key(visit: int | None, replay: Replay) -> Key:
    if visit is None:
        return Key("the end")
    if visit < 0:
        return Key("the start")
    found = replay.visits[visit]
    return Key(found.node, (found.pass_, found.number))


def _keys(told: Told) -> list[Key]:
    """A key for each step: what it is, and what it says without times, costs and ids."""
    bodies = {event.seq: event.body for event in told.events}
    return [
        Key((step.type, *_kind(bodies[step.first])), _said(step, bodies))
        for step in told.replay.steps
    ]


def _kind(body: Body) -> tuple[Hashable, ...]:
    """What has to be equal for two steps to stand beside each other, besides their type."""
    if isinstance(body, Stage):
        return body.node, body.phase
    if isinstance(body, ModelCall):
        return (body.purpose,)
    if isinstance(body, Decision):
        return (body.control,)
    return (body.tool,) if isinstance(body, Tool) else ()


def _said(step: Step, bodies: dict[int, Body]) -> Hashable:
    body = bodies[step.first]
    if isinstance(body, Token):
        return "".join(
            said.text
            for seq in range(step.first, step.last + 1)
            if isinstance(said := bodies.get(seq), Token)
        )
    return _SAID[type(body)](body) if type(body) in _SAID else ()


_SAID: dict[type[Body], Callable[..., Hashable]] = {
    TurnStarted: lambda b: b.question,
    QuestionRead: lambda b: (b.standalone, b.items, b.intent, b.mode),
    StateDiff: lambda b: repr(sorted(b.changed.items(), key=lambda item: item[0])),
    RouteTaken: lambda b: (b.decided, b.taken),
    Retrieval: lambda b: (b.query, b.asked, tuple(hit.chunk for hit in b.hits)),
    Verdicts: lambda b: (
        tuple((chunk.chunk, chunk.label) for chunk in b.chunks),
        tuple(sorted(b.covered.items())),
    ),
    Rewrite: lambda b: (b.before, b.after),
    ModelCall: lambda b: (b.model, b.prompt_version, b.outcome),
    Decision: lambda b: b.outcome,
    Claims: lambda b: tuple((claim.label, claim.supported) for claim in b.claims),
    Clarification: lambda b: (b.question, b.options),
    Action: lambda b: (b.tool, b.summary),
    Tool: lambda b: (b.phase, b.summary),
    Answer: lambda b: (b.text, b.confidence, tuple(cited.chunk for cited in b.citations)),
    Failure: lambda b: b.code,
    TurnFinished: lambda b: b.termination,
}
