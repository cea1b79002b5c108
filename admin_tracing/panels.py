"""The figures of drift as the quality page shows them: texts, links and a line for each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from admin_tracing.bursts import Burst
from admin_tracing.change_points import FEWEST, Change, Sample, Shift
from admin_tracing.drift import Drift, Figure, VersionChange
from admin_tracing.measures import Measure
from admin_tracing.running.gaps import LINKED
from admin_tracing.sparkline import Line, drawn

LEAST_A_DAY = 5  # turns of a day that its point on the line needs
ENDED = {"shows": "ended"}
MOST_NAMED = 3  # changes without an effect that are named


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table; `query` chooses its turns in the list, if it has any."""

    text: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    day: date
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence on a change; a signal's name where it matters."""

    text: str
    signal: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One section: a number with its n, a line, what changed, and a table by day."""

    name: str
    title: str
    about: str
    value: Cell
    n: str
    line: Line
    top: str
    notes: tuple[Note, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


def panels(seen: Drift) -> list[Panel]:
    """All sections, the count of turns first."""
    return [_volume(seen), *(_panel(figure, seen) for figure in seen.figures)]


def burst_query(burst: Burst) -> str:
    """The turns of a burst in the list: by their keys where an address can name as many."""
    if 0 < len(burst.turns) <= LINKED:
        return urlencode({"turns": ",".join(map(str, burst.turns))})
    hour = {"hour": burst.hour.strftime("%Y-%m-%dT%H:%M")}
    more = {"person": burst.who} if burst.kind == "person" else {"q": burst.words}
    return urlencode(hour | more | {"shows": "ended"})


def _volume(seen: Drift) -> Panel:
    counts = [(day, int(seen.of(day)["turns"])) for day in seen.days]
    rows = [Row(day, (Cell(f"{n:,}", _query(ENDED, day, day) if n else ""),)) for day, n in counts]
    return Panel(
        "turns",
        "Turns",
        "Questions of people that came to an end; lab turns and re-runs are left out.",
        Cell(f"{seen.turns:,}", _query(ENDED, seen.days.first, seen.days.last)),
        f"{seen.days.count} days",
        drawn([float(n) for _, n in counts], _places(seen)),
        f"most on one day: {max(n for _, n in counts):,}",
        (),
        ("Turns",),
        tuple(reversed(rows)),
    )


def _panel(figure: Figure, seen: Drift) -> Panel:
    measure, whole = figure.measure, figure.whole
    every = _query(measure.filters, seen.days.first, seen.days.last)
    enough = whole.n >= FEWEST
    said = _figure(whole.mean, measure) if enough else f"n = {whole.n:,}, too few to say"
    return Panel(
        measure.name,
        measure.title,
        measure.about,
        Cell(said, every if whole.total else ""),
        f"n = {whole.n:,}" if enough else "",
        drawn(_values(figure), _places(seen), _least(measure)),
        _top(figure),
        _notes(figure),
        (*(head for _, head in measure.columns), _unit(measure)),
        tuple(_row(measure, *day) for day in reversed(figure.days)),
    )


def _row(measure: Measure, day: date, sample: Sample, counts: Mapping[str, float]) -> Row:
    cells = [Cell(f"{int(counts[name]):,}") for name, _ in measure.columns]
    link = _query(measure.filters, day, day) if sample.total else ""
    return Row(day, (*cells, Cell(_figure(sample.mean, measure), link)))


def _notes(figure: Figure) -> tuple[Note, ...]:
    """What is sure, each by itself; then in a line what is not, and what is too little to say."""
    told = figure.changes[::-1]
    sure = [
        Note(_changed(at, change, figure.measure), "partly")
        for at, change in told
        if change.is_sure
    ]
    same = [(at, change) for at, change in told if change.z is not None and not change.is_sure]
    few = [(at, change) for at, change in told if change.z is None]
    return (
        *sure,
        *_shifted(figure.shift),
        *_listed("No clear change at the versions of", same),
        *_listed("Too few to say of the versions of", few),
    )


def _changed(at: VersionChange, change: Change, measure: Measure) -> str:
    before, after = (_figure(sample.mean, measure) for sample in (change.before, change.after))
    way = "rose" if change.z is not None and change.z > 0 else "fell"
    moved = f"{way} from {before} to {after} ({_ns(change)})"
    return f"{_day(at.day)}, {at.names} changed: {moved}."


def _listed(what: str, told: Sequence[tuple[VersionChange, Change]]) -> tuple[Note, ...]:
    """One line for changes that come to nothing, the newest few by their days and n."""
    if not told:
        return ()
    days = [f"{_day(at.day)} ({_ns(change)})" for at, change in told[:MOST_NAMED]]
    more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
    return (Note(f"{what} {', '.join(days)}{more}."),)


def _ns(change: Change) -> str:
    return f"n = {change.before.n:,} and {change.after.n:,}"


def _top(figure: Figure) -> str:
    """What the line's highest point stands for."""
    values = [value for value in _values(figure) if value is not None]
    return f"most on one day: {_figure(max(values), figure.measure)}" if values else ""


def _values(figure: Figure) -> list[float | None]:
    """The line's values: days with fewer turns would swing it from end to end."""
    return [sample.mean if sample.n >= LEAST_A_DAY else None for _, sample, _ in figure.days]


def _shifted(shift: Shift | None | str) -> tuple[Note, ...]:
    if isinstance(shift, Shift):
        way = "higher" if shift.is_up else "lower"
        text = f"{way.capitalize()} from {_day(shift.since)} on, without a change of versions."
        return (Note(f"{text} It showed on {_day(shift.noticed)}.", "partly"),)
    return (Note(f"Watch for shifts: {shift}."),) if shift else ()


def _places(seen: Drift) -> Sequence[int]:
    return [(change.day - seen.days.first).days for change in seen.changes]


def _figure(value: float | None, measure: Measure) -> str:
    if value is None:
        return "–"
    return f"{value * 100:.1f} %" if measure.is_share else f"{value:.2f}"


def _least(measure: Measure) -> float:
    """A line of few per cent is not drawn as if it were all."""
    return 0.1 if measure.is_share else 1.0


def _unit(measure: Measure) -> str:
    return "Share" if measure.is_share else "Mean"


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


def _query(filters: Mapping[str, str], first: date, last: date) -> str:
    return urlencode({**filters, "since": first.isoformat(), "until": last.isoformat()})
