"""The figures of running on the first screen: no results, second passes, p95, cost, controls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

from admin_tracing.days import Days
from admin_tracing.running import ends, passes, times
from admin_tracing.running.ends import Values
from admin_tracing.running.reading import window
from admin_tracing.running.window import Amount, Window
from admin_tracing.sections import Headline
from admin_tracing.stats.estimate import Estimate, percent, too_few
from admin_tracing.summaries import cents, duration, fine_percent


def headlines(days: Days) -> list[Headline]:
    """From one reading of the kept figures."""
    seen = window(days, "end", "pass", "took", "turn", "controls")
    found = [_no_results(seen), _second_pass(seen), _p95(seen), _cost(seen), _controls(seen)]
    return [_without(one, seen.uncounted) for one in found]


def _without(one: Headline, days: Sequence[date]) -> Headline:
    """The same, with the days that are not, or not all, in it."""
    if not days:
        return one
    which = f"{days[0].day} {days[0]:%b}" if len(days) == 1 else f"{len(days)} days"
    said = f", {which} not counted yet"
    return replace(one, n=one.n and one.n + said, few=one.few and one.few + said)


def _no_results(seen: Window) -> Headline:
    about = Headline(
        *("no_results", "No results", "Turns that searched and found nothing that answers.", ""),
        query=_query(seen, shows="nothing_found"),
        section="ends",
    )
    return _share(about, *ends.nothing_found(seen))


def _second_pass(seen: Window) -> Headline:
    about = Headline(
        *("second_pass", "Second-pass gain"),
        *("Turns that further passes took from nothing to an answer, of all with any.", ""),
        query=_query(seen, shows="rescued"),
        section="passes",
    )
    found = passes.rescue(seen)
    return _share(about, found.of, found.values)


def _controls(seen: Window) -> Headline:
    found, trend = ends.all_controls(seen)
    about = Headline(
        *("controls", "Controls that did not run"),
        *("Turns in which a control was due and did not run.", ""),
        query=_query(seen, shows="control_missed"),
        section="controls",
        signal="failed" if found.value > 0 and not found.too_few else "",
    )
    return _share(about, found, trend, fine_percent)


def _p95(seen: Window) -> Headline:
    buckets = times.together(seen.of("took"))
    ms, n = times.quantile(buckets, 0.95), sum(buckets.values())
    trend = [times.quantile(times.together(seen.on(day, "took")), 0.95) for day in seen.span]
    return Headline(
        "p95",
        "p95",
        "Nineteen of twenty turns took at most this long.",
        "" if ms is None else duration(ms),
        "" if ms is None else f"n = {n:,}",
        f"n = {n:,}, too few to say" if ms is None else "",
        interval="" if ms is None else _between(*times.reach(buckets, 0.95)),
        trend=trend,
        query="" if ms is None else _query(seen, longer=str(times.beyond(ms)), shows="ended"),
        section="times",
    )


def _between(low: float, high: float | None) -> str:
    return f"{duration(low)} to {duration(high)}" if high else f"{duration(low)} or more"


def _cost(seen: Window) -> Headline:
    turn = seen.of("turn").get("", Amount())
    unknown = turn.of["unknown"]
    is_unknown = unknown > 0 and not turn.total
    few = too_few(turn.n, turn.n)
    why = few or ("Price unknown" if is_unknown else "")
    daily = [seen.on(day, "turn").get("", Amount()) for day in seen.span]
    n = f"n = {turn.n:,}" + (f", {unknown:,} of unknown price" if unknown else "")
    return Headline(
        *("cost", "Cost a turn", "The mean of all calls and tools of a turn."),
        "" if why else cents(turn.mean),
        n if not few else "",
        why,
        trend=[None if is_unknown else _mean(day) for day in daily],
        query=_query(seen, shows="ended") if turn.n else "",
        section="cost",
    )


def _mean(amount: Amount) -> float | None:
    return amount.mean if amount.n >= ends.LEAST_A_DAY else None


def _share(
    about: Headline, found: Estimate, trend: Values, form: Callable[[float], str] = percent
) -> Headline:
    """The figure with its value, its interval and its line, or that there are too few.

    Its query chooses the turns that hit, so an n alone leads nowhere.
    """
    if found.too_few:
        return replace(about, few=found.too_few, trend=trend, query="")
    return replace(
        about,
        text=form(found.value),
        n=f"n = {found.n:,}",
        low=found.low,
        at=found.value,
        high=found.high,
        interval=found.interval(form),
        trend=trend,
    )


def _query(seen: Window, **filters: str) -> str:
    span = {"since": seen.span.first.isoformat(), "until": seen.span.last.isoformat()}
    return urlencode({**filters, **span})
