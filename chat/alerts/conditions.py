"""When a rule speaks: each condition once, as code over counts and as an expression of Prometheus.

Both say the same, so what wakes somebody by Prometheus is what the site itself opens an incident
for. Shares are of what was counted in the window; too few cases are no share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from chat.contracts.verdicts import Control, Outcome

RAN = (Outcome.PASSED, Outcome.ACTED)
DECISIONS = "plumbline_decisions_total"
TURNS = "plumbline_turns_total"


@dataclass(frozen=True, slots=True)
class Counts:
    """What people's turns left behind from `since` up to `until`.

    `decisions` are by control and outcome, `missing` by control, `terminations` of turns that
    ended in the window and `before` of those that ended in the day before it. `model_calls` are by
    outcome, `p95` is in seconds and None without a turn.
    """

    since: datetime
    until: datetime
    decisions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    terminations: Mapping[str, int] = field(default_factory=dict)
    before: Mapping[str, int] = field(default_factory=dict)
    model_calls: Mapping[str, int] = field(default_factory=dict)
    p95: float | None = None

    @property
    def turns(self) -> int:
        return sum(self.terminations.values())

    def of(self, control: str, *outcomes: str) -> int:
        return sum(self.decisions.get((control, outcome), 0) for outcome in outcomes)


class Found(NamedTuple):
    """What a condition saw: of which control, if of one, the figure, and of how many cases."""

    control: str
    figure: float
    n: int


class Condition(Protocol):
    """`found` is what speaks in these counts; `expr` is true in Prometheus where it would.

    `window` is Prometheus' word for the time that is looked at: 15m.
    """

    def found(self, counts: Counts) -> Iterator[Found]: ...

    def expr(self, window: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Failures:
    """More than the share `above` of at least `least` runs of a control ended in `outcomes`."""

    outcomes: tuple[Outcome, ...]
    above: float
    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        for control in Control:
            failures = counts.of(control, *self.outcomes)
            runs = counts.of(control, *RAN, Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED)
            if runs >= self.least and failures > self.above * runs:
                yield Found(control, failures / runs, runs)

    def expr(self, window: str) -> str:
        failures = _by_control(f'{DECISIONS}{{outcome=~"{_any(self.outcomes)}"}}', window)
        runs = _by_control(f'{DECISIONS}{{outcome!="skipped"}}', window)
        return f"{failures} / {runs} > {self.above:g} and {runs} >= {self.least}"


@dataclass(frozen=True, slots=True)
class Missing:
    """A control that ought to have run left no decision, in at least `least` turns."""

    least: int = 1

    def found(self, counts: Counts) -> Iterator[Found]:
        for control, turns in sorted(counts.missing.items()):
            if turns >= self.least:
                yield Found(control, float(turns), counts.turns)

    def expr(self, window: str) -> str:
        missing = _by_control("plumbline_controls_missing_total", window)
        return f"{missing} > 0" if self.least == 1 else f"{missing} >= {self.least}"


@dataclass(frozen=True, slots=True)
class Silent:
    """A control was due in at least `least` turns and left no decision at all."""

    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        for control, turns in sorted(counts.missing.items()):
            if turns >= self.least and not counts.of(control, *Outcome):
                yield Found(control, float(turns), turns)

    def expr(self, window: str) -> str:
        due = _by_control("plumbline_controls_due_total", window)
        return f"{due} >= {self.least} unless {_by_control(DECISIONS, window)} > 0"


@dataclass(frozen=True, slots=True)
class Unwatched:
    """At least `least` turns ended, and nobody looked whether their controls had run."""

    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        if counts.turns >= self.least and not counts.of(Control.POLICY, *Outcome):
            yield Found(Control.POLICY, 0.0, counts.turns)

    def expr(self, window: str) -> str:
        looked = _sum(f'{DECISIONS}{{control="{Control.POLICY}"}}', window)
        return f"{_sum(TURNS, window)} >= {self.least} unless {looked} > 0"


@dataclass(frozen=True, slots=True)
class Share:
    """More than the share `above` of at least `least` turns ended in one of `terminations`."""

    terminations: tuple[str, ...]
    above: float
    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        share = _share(counts.terminations, self.terminations)
        if counts.turns >= self.least and share > self.above:
            yield Found("", share, counts.turns)

    def expr(self, window: str) -> str:
        ended = _sum(f'{TURNS}{{termination=~"{_any(self.terminations)}"}}', window)
        turns = _sum(TURNS, window)
        return f"{ended} / {turns} > {self.above:g} and {turns} >= {self.least}"


@dataclass(frozen=True, slots=True)
class ShareGrew:
    """The share of `terminations` is over `factor` times that of the day before, and `above`."""

    terminations: tuple[str, ...]
    factor: float
    above: float
    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        share = _share(counts.terminations, self.terminations)
        was = _share(counts.before, self.terminations)
        enough = min(counts.turns, sum(counts.before.values())) >= self.least
        if enough and share > max(self.above, self.factor * was):
            yield Found("", share, counts.turns)

    def expr(self, window: str) -> str:
        ended = f'{TURNS}{{termination=~"{_any(self.terminations)}"}}'
        turns, day = _sum(TURNS, window), f"1d] offset {window}"
        share = f"{_sum(ended, window)} / {turns}"
        turns_before = _sum(TURNS, day)
        return (
            f"{share} > {self.factor:g} * {_sum(ended, day)} / {turns_before} "
            f"and {share} > {self.above:g} "
            f"and {turns} >= {self.least} and {turns_before} >= {self.least}"
        )


@dataclass(frozen=True, slots=True)
class Faults:
    """More than the share `above` of at least `least` calls of models ended in `outcomes`."""

    outcomes: tuple[str, ...]
    above: float
    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        calls = sum(counts.model_calls.values())
        share = _share(counts.model_calls, self.outcomes)
        if calls >= self.least and share > self.above:
            yield Found("", share, calls)

    def expr(self, window: str) -> str:
        calls = _sum("plumbline_model_calls_total", window)
        faults = _sum(f'plumbline_model_calls_total{{outcome=~"{_any(self.outcomes)}"}}', window)
        return f"{faults} / {calls} > {self.above:g} and {calls} >= {self.least}"


@dataclass(frozen=True, slots=True)
class Slow:
    """One turn in twenty of at least `least` took longer than `above` seconds."""

    above: float
    least: int

    def found(self, counts: Counts) -> Iterator[Found]:
        if counts.p95 is not None and counts.turns >= self.least and counts.p95 > self.above:
            yield Found("", counts.p95, counts.turns)

    def expr(self, window: str) -> str:
        buckets = f"sum by (le) (increase(plumbline_turn_seconds_bucket[{window}]))"
        turns = _sum(TURNS, window)
        return f"histogram_quantile(0.95, {buckets}) > {self.above:g} and {turns} >= {self.least}"


@dataclass(frozen=True, slots=True)
class Only:
    """What only Prometheus can see, as it is no turn's: `{window}` stands for the window."""

    text: str

    def found(self, counts: Counts) -> Iterator[Found]:
        return iter(())

    def expr(self, window: str) -> str:
        return self.text.replace("{window}", window)


def _share(counted: Mapping[str, int], names: tuple[str, ...]) -> float:
    every = sum(counted.values())
    return sum(counted.get(name, 0) for name in names) / every if every else 0.0


def _sum(series: str, window: str) -> str:
    """`window` may bring an offset, which has to stand behind the bracket."""
    inside, bracket, offset = window.partition("]")
    return f"sum(increase({series}[{inside}]{offset if bracket else ''}))"


def _by_control(series: str, window: str) -> str:
    return f"sum by (control) (increase({series}[{window}]))"


def _any(names: tuple[str, ...]) -> str:
    return "|".join(names)
