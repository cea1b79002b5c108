"""How turns end over time, how often nothing was found, and which controls did not run. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from admin_tracing.running.window import DUE, GONE, MISSED, Amounts, Window
from admin_tracing.sparkline import Line, drawn
from admin_tracing.stats.estimate import Estimate
from admin_tracing.stats.intervals import share
from chat.contracts.verdicts import Outcome, Termination

LEAST_A_DAY = 5  # turns of a day that its point on a line needs
NOTHING_FOUND = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
FAILED = (Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED)

Values = tuple[float | None, ...]
"""A value a day, None on a day with too few turns."""


@dataclass(frozen=True, slots=True)
class End:
    """One termination: its turns and share, and its share by day."""

    name: str
    n: int
    of: Estimate
    values: Values
    by_day: tuple[int, ...]

    @property
    def line(self) -> Line:
        return drawn(self.values, least_top=0.05)


def ends(seen: Window) -> list[End]:
    """Every termination that occurred, the most frequent first."""
    turns = seen.turns
    found = [
        End(
            key,
            amount.n,
            share(amount.n, turns),
            _daily(seen, (key,)),
            tuple(_n(seen.on(day, "end"), (key,)) for day in seen.span),
        )
        for key, amount in seen.of("end").items()
    ]
    return sorted(found, key=lambda end: (-end.n, end.name))


def nothing_found(seen: Window) -> tuple[Estimate, Values]:
    """Turns that searched and found nothing that answers, of all that searched.

    Of what ended before a search, or was answered without one, nobody can say whether there is
    anything to be found.
    """
    amounts = seen.of("end")
    return share(_n(amounts, NOTHING_FOUND), _searched(amounts)), tuple(
        _part(_n(on, NOTHING_FOUND), _searched(on))
        for on in (seen.on(day, "end") for day in seen.span)
    )


@dataclass(frozen=True, slots=True)
class Runs:
    """What became of a control, by turns: in how many it was due, and why it did not run.

    A turn in which it failed open once and closed another time is in both, and in `missed` once.
    """

    name: str
    due: int
    missed: int
    open: int
    closed: int
    silent: int
    skipped: int
    values: Values = ()

    @property
    def of(self) -> Estimate:
        return share(self.missed, self.due)

    @property
    def line(self) -> Line:
        return drawn(self.values, least_top=0.05)


def controls(seen: Window) -> list[Runs]:
    """Every control that was due, the one that missed most first. Switched off is not missed."""
    whole = seen.of("control")
    names = {key.rpartition(" ")[0] for key in whole}
    daily = [seen.on(day, "control") for day in seen.span]
    found = [_runs(name, whole, tuple(_missing(on, f"{name} ") for on in daily)) for name in names]
    return sorted(found, key=lambda run: (-run.missed, -run.due, run.name))


def all_controls(seen: Window) -> tuple[Estimate, Values]:
    """Turns in which a control was due and did not run, of all in which one was due."""
    whole = seen.of("controls")
    daily = (seen.on(day, "controls") for day in seen.span)
    return share(_n(whole, (MISSED,)), _n(whole, (DUE,))), tuple(map(_missing, daily))


def decisions(seen: Window) -> tuple[int, int]:
    """The decisions of these turns that did not come about, and all that were due."""
    whole = seen.of("controls")
    missed, due = (round(whole[what].total) if what in whole else 0 for what in (MISSED, DUE))
    return missed, due


def _missing(on: Amounts, before: str = "") -> float | None:
    """The part of a day's turns in which it did not run; `before` names one control."""
    return _part(_n(on, (before + MISSED,)), _n(on, (before + DUE,)))


def _runs(name: str, amounts: Amounts, values: Values) -> Runs:
    def n(what: str) -> int:
        return _n(amounts, (f"{name} {what}",))

    opened, closed = (n(outcome) for outcome in FAILED)
    return Runs(name, n(DUE), n(MISSED), opened, closed, n(GONE), n(Outcome.SKIPPED), values)


def _daily(seen: Window, names: tuple[str, ...]) -> Values:
    days = (seen.on(day, "end") for day in seen.span)
    return tuple(_part(_n(on, names), _n(on, tuple(on))) for on in days)


def _searched(amounts: Amounts) -> int:
    return sum(
        amount.n if key in NOTHING_FOUND else round(amount.total) for key, amount in amounts.items()
    )


def _n(amounts: Amounts, names: tuple[str, ...]) -> int:
    return sum(amounts[name].n for name in names if name in amounts)


def _part(hits: int, n: int) -> float | None:
    return hits / n if n >= LEAST_A_DAY else None
