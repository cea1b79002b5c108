"""Figures of labels as a page shows them: texts, places on a bar, lines and links. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from admin_tracing.days import Days
from admin_tracing.labelled.figures import Coverage, Figure
from admin_tracing.sparkline import Line, drawn
from admin_tracing.stats import Estimate, Kappa, percent

LEAST_A_DAY = 5  # cases of a day that its point on the line needs


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure: `text` or, instead, `few`; the bar's places are 0 to 1; `query` its turns."""

    text: str
    few: str
    n: str
    interval: str
    low: float
    at: float
    high: float
    query: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A row of a table by day or by version: what it is of, and its figure."""

    name: str
    day: date | None
    figure: Shown
    n: int
    versions: int | None = None


def share_of_all(estimate: Estimate, query: str) -> Shown:
    """A share of all turns, whose query chooses those that hit: an n alone leads nowhere."""
    return share(estimate, "" if estimate.too_few else query)


def share(estimate: Estimate, query: str = "") -> Shown:
    """A share. Its n says as well how many like cases it is worth, where that is less.

    `query` chooses the turns of its n.
    """
    few = estimate.too_few
    return Shown(
        "" if few else percent(estimate.value),
        few,
        "" if few else cases(estimate.n, estimate.n_effective),
        estimate.interval(),
        estimate.low,
        estimate.value,
        estimate.high,
        query if estimate.n else "",
    )


def kappa(value: Kappa, query: str = "") -> Shown:
    """From 0, what chance gives, to 1; below 0 the bar stands at its beginning."""
    has = value.has_number
    return Shown(
        signed(value.value or 0.0) if has else "",
        "" if has else value.said(),
        cases(value.n, value.n_effective) if has else "",
        f"{signed(value.low)} to {signed(value.high)}" if has else "",
        max(0.0, value.low),
        max(0.0, value.value or 0.0),
        max(0.0, value.high),
        query,
    )


def signed(value: float) -> str:
    """Two figures after the point, with a minus where there is one."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def cases(n: int, worth: float) -> str:
    """`n = 412`, or `n = 412, weight of 310` where that is less."""
    return f"n = {n:,}" + (f", weight of {worth:,.0f}" if round(worth) < n else "")


def link(days: Days, **filters: str) -> str:
    """A query of the list for these days."""
    span = {"since": days.first.isoformat(), "until": days.last.isoformat()}
    return urlencode({name: value for name, value in filters.items() if value} | span)


def narrowed(versions: int | None) -> dict[str, str]:
    """The list's filter for the version set that a section is narrowed to."""
    return {} if versions is None else {"versions": str(versions)}


def trend(figure: Figure) -> Sequence[float | None]:
    """A value a day: days with fewer cases would swing the line from end to end."""
    return [one.value if one.n >= LEAST_A_DAY else None for _, one in figure.by_day]


def line(figure: Figure) -> Line:
    return drawn(trend(figure), least_top=1.0)


def by_day(figure: Figure, **filters: str) -> list[Part]:
    """The days with cases, the last one first."""
    return [
        Part("", day, share(one, link(Days(day, 1), **filters)), one.n)
        for day, one in reversed(figure.by_day)
        if one.n
    ]


def by_version(
    figure: Figure, names: Mapping[int | None, str], days: Days, **filters: str
) -> list[Part]:
    """The version sets in the order in which they came, each with its turns."""
    return [
        Part(
            names.get(version, "unknown"),
            None,
            share(one, link(days, **(filters | {"versions": str(version)})) if version else ""),
            one.n,
            version,
        )
        for version, one in figure.by_version
    ]


def covered(coverage: Coverage) -> str:
    """How far the figure reaches, as sentences."""
    if not coverage.drawn:
        return "No turn of these days was drawn."
    part = percent(coverage.share or 0.0)
    told = [f"{coverage.labelled:,} of {coverage.drawn:,} drawn turns are labelled ({part})"]
    if coverage.undecided:
        told.append(f"of {coverage.undecided:,} nobody could tell")
    if coverage.split:
        told.append(f"people are at odds on {coverage.split:,}")
    if coverage.aside:
        told.append(f"{coverage.aside:,} more were picked and count in no estimate")
    if coverage.unseen:
        names = ", ".join(name.replace("_", " ") for name in coverage.unseen)
        part = percent(coverage.unseen_share)
        told.append(f"of {names} none is, so the figure is without that part of the turns ({part})")
    return "; ".join(told) + "."
