"""What two turns came to, side by side: figures, passes with their chunks, and controls.

Pure: few events say all of it, so that a page of two long turns reads little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol

from admin_tracing.summaries import counted, words
from chat.contracts.events import Answer, Claims, Decision, Event, Retrieval, Verdicts

COMPARED = (Retrieval.TYPE, Verdicts.TYPE, Decision.TYPE, Claims.TYPE, Answer.TYPE)
"""The types of events that are read here."""

MOST_OUTCOMES = 6  # runs of outcomes of one control that are written out


class Figures(Protocol):
    """The columns of a turn that are compared; `cost` is US dollars."""

    termination: str
    route_decided: str
    route_taken: str
    route_confidence: float | None
    passes: int
    model_calls: int
    tokens: int
    confidence: str
    gaps: int
    unsupported: int


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of both turns as texts."""

    name: str
    left: str
    right: str

    @property
    def differs(self) -> bool:
        return self.left != self.right


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk of a pass with its grade; `alone` says that the other turn has it not, or not so."""

    chunk: str
    label: str
    score: float
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """What one turn searched and found in a pass. A pass without a verdict has ungraded chunks."""

    queries: tuple[str, ...] = ()
    found: tuple[Found, ...] = ()

    @property
    def accepted(self) -> int:
        return sum(one.label in ("ANSWERS", "UNGRADED") for one in self.found)


@dataclass(frozen=True, slots=True)
class PassRow:
    """A pass of both turns; a side is None where a turn had no such pass."""

    number: int
    left: Side | None
    right: Side | None

    @property
    def differs(self) -> bool:
        return self.left is None or self.right is None or _seen(self.left) != _seen(self.right)

    @property
    def is_reordered(self) -> bool:
        """True where both found the same with the same grades, in another order."""
        if self.left is None or self.right is None or not self.differs:
            return False
        ours, theirs = _seen(self.left), _seen(self.right)
        return ours[0] == theirs[0] and sorted(ours[1]) == sorted(theirs[1])


@dataclass(slots=True)
class _Pass:
    queries: list[str] = field(default_factory=list)
    hits: dict[str, float] = field(default_factory=dict)
    grades: dict[str, str] = field(default_factory=dict)


def figures(left: Figures, right: Figures) -> list[Row]:
    """The line of figures of both, times and costs aside."""
    return [
        Row("Ended", *(words(turn.termination) or "not yet" for turn in (left, right))),
        Row("Route", *(_route(turn) for turn in (left, right))),
        Row("Confidence", *(turn.confidence or "–" for turn in (left, right))),
        Row("Passes", *(f"{turn.passes:,}" for turn in (left, right))),
        Row("Calls", *(f"{turn.model_calls:,}" for turn in (left, right))),
        Row("Tokens", *(f"{turn.tokens:,}" for turn in (left, right))),
        Row("Gaps", *(f"{turn.gaps:,}" for turn in (left, right))),
        Row("Unsupported", *(counted(turn.unsupported, "claim") for turn in (left, right))),
    ]


def passes(left: Sequence[Event], right: Sequence[Event]) -> list[PassRow]:
    """A row for each pass that either turn had."""
    ours, theirs = _passes(left), _passes(right)
    return [
        PassRow(
            number,
            _side(ours.get(number), theirs.get(number)),
            _side(theirs.get(number), ours.get(number)),
        )
        for number in sorted({*ours, *theirs})
    ]


def controls(left: Sequence[Event], right: Sequence[Event]) -> list[Row]:
    """Each control's outcomes in order."""
    ours, theirs = _outcomes(left), _outcomes(right)
    names = list(dict.fromkeys([*ours, *theirs]))
    return [
        Row(words(name), _listed(ours.get(name, [])), _listed(theirs.get(name, [])))
        for name in names
    ]


def answer(events: Sequence[Event]) -> str:
    """The last answer's text, or nothing."""
    found = [event.body.text for event in events if isinstance(event.body, Answer)]
    return found[-1] if found else ""


def _route(turn: Figures) -> str:
    if turn.route_confidence is None:
        return words(turn.route_taken) or "–"
    return f"{words(turn.route_decided)} {turn.route_confidence:.2f} → {words(turn.route_taken)}"


def _passes(events: Sequence[Event]) -> dict[int, _Pass]:
    found: dict[int, _Pass] = {}
    for event in events:
        body = event.body
        if isinstance(body, Retrieval):
            each = found.setdefault(body.pass_, _Pass())
            each.queries.append(body.query)
            each.hits.update({hit.chunk: hit.score for hit in body.hits})
        elif isinstance(body, Verdicts):
            grades = {one.chunk: one.label.value for one in body.chunks}
            found.setdefault(body.pass_, _Pass()).grades.update(grades)
    return found


def _side(one: _Pass | None, other: _Pass | None) -> Side | None:
    if one is None:
        return None
    rows = (
        Found(chunk, one.grades.get(chunk, ""), score, _is_alone(chunk, one, other))
        for chunk, score in one.hits.items()
    )
    return Side(tuple(one.queries), tuple(rows))


def _is_alone(chunk: str, one: _Pass, other: _Pass | None) -> bool:
    return (
        other is None or chunk not in other.hits or one.grades.get(chunk) != other.grades.get(chunk)
    )


def _seen(side: Side) -> tuple[list[str], list[tuple[str, str]]]:
    return sorted(side.queries), [(one.chunk, one.label) for one in side.found]


def _outcomes(events: Sequence[Event]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event.body, Decision):
            found.setdefault(event.body.control.value, []).append(event.body.outcome.value)
    return found


def _listed(outcomes: Sequence[str]) -> str:
    """`passed, acted ×2`; a control that made no decision has a dash."""
    runs = list(_runs(outcomes))
    more = f", {len(runs) - MOST_OUTCOMES} more" if len(runs) > MOST_OUTCOMES else ""
    return ", ".join(runs[:MOST_OUTCOMES]) + more if runs else "–"


def _runs(outcomes: Sequence[str]) -> Iterator[str]:
    for outcome, run in groupby(outcomes):
        times = len(list(run))
        yield words(outcome) if times == 1 else f"{words(outcome)} ×{times}"
