"""The figures of a window as values: amounts by kind and key, in all and by day. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from admin_tracing.days import Days

TOOLS = "tools"
"""The purpose of what is paid for tools, which are no calls of a model."""

GONE = "missing"
"""The outcome of a control that was due and left no decision."""

DUE, MISSED = "due", "missed"
"""What a control was besides its outcome: not switched off; not run, for whatever reason."""


@dataclass(slots=True)
class Amount:
    """How often, how much in all, and counts by name or by bucket."""

    n: int = 0
    total: float = 0.0
    of: Counter[str] = field(default_factory=Counter)

    def add(self, n: int, total: float, of: Mapping[str, int]) -> None:
        self.n += n
        self.total += total
        self.of.update(of)

    @property
    def mean(self) -> float:
        """0 of nothing."""
        return self.total / self.n if self.n else 0.0


Amounts = Mapping[str, Amount]
"""By key."""

Read = tuple[date | None, str, str, int, float, Mapping[str, int]]
"""A row of `rollup`, or one of several days together, which has no day."""


@dataclass(frozen=True, slots=True)
class Window:
    """The figures of a window, by kind and key; `days` has those that are told by day.

    `uncounted` days have turns that are not, or not all, among the figures.
    """

    span: Days
    whole: Mapping[str, Amounts]
    days: Mapping[tuple[str, date], Amounts]
    uncounted: tuple[date, ...] = ()

    def of(self, kind: str) -> Amounts:
        return self.whole.get(kind, {})

    def on(self, day: date, kind: str) -> Amounts:
        return self.days.get((kind, day), {})

    @property
    def turns(self) -> int:
        return sum(amount.n for amount in self.of("end").values())


def gathered(span: Days, rows: Iterable[Read], uncounted: tuple[date, ...] = ()) -> Window:
    """Rows added up by kind and key, and by day where they have one. Pure."""
    whole: defaultdict[str, defaultdict[str, Amount]] = defaultdict(lambda: defaultdict(Amount))
    days: defaultdict[tuple[str, date], dict[str, Amount]] = defaultdict(dict)
    for day, kind, key, n, total, of in rows:
        whole[kind][key].add(int(n), float(total), of)
        if day is not None:
            days[kind, day].setdefault(key, Amount()).add(int(n), float(total), of)
    return Window(span, whole, days, uncounted)
