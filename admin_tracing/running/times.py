"""How long nodes and routes take: percentiles from the kept buckets. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil, sqrt

from admin_tracing.running.window import Amount, Amounts
from admin_tracing.stats.buckets import ERROR, Buckets, from_json, merge, percentile
from admin_tracing.stats.estimate import FEWEST, too_few
from admin_tracing.stats.intervals import Z

QUANTILES = (0.5, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Times:
    """The line of a node or a route: p50, p95 and p99 in ms, None where `n` is too few for one."""

    key: str
    n: int
    values: tuple[float | None, ...]
    is_slowest: bool = False

    @property
    def too_few(self) -> str:
        return too_few(self.n, self.n)

    @property
    def told(self) -> tuple[tuple[float | None, int | None], ...]:
        """Each value with the ms above which a turn took longer."""
        return tuple((ms, None if ms is None else beyond(ms)) for ms in self.values)

    @property
    def p95(self) -> float | None:
        return self.values[1]


def times(amounts: Amounts) -> list[Times]:
    """A line for each, the slowest p95 first and marked; those with too few at the end."""
    lines = [_line(key, amount) for key, amount in amounts.items()]
    lines.sort(key=lambda line: (line.p95 is None, -(line.p95 or 0.0), -line.n, line.key))
    is_told = len(lines) > 1 and lines[0].p95 is not None
    return [_marked(lines[0]), *lines[1:]] if is_told else lines


def enough(n: int, q: float) -> bool:
    """Is there a value beyond the quantile? One above p99 needs a hundred."""
    return n >= FEWEST and n * (1 - q) >= 1 - 1e-9


def quantile(buckets: Buckets, q: float) -> float | None:
    """None where there are too few values for it."""
    return percentile(buckets, q) if enough(sum(buckets.values()), q) else None


def reach(buckets: Buckets, q: float) -> tuple[float, float | None]:
    """Where the true quantile lies, by the ranks around it, whatever the values are like.

    Conover, Practical Nonparametric Statistics. None for an upper end that so few values do not
    have: it is beyond the largest. Raises `ValueError` without any value.
    """
    n = sum(buckets.values())
    off = Z * sqrt(n * q * (1 - q))
    low, high = max(1, round(n * q - off)), round(n * q + off + 1)
    return percentile(buckets, low / n), percentile(buckets, high / n) if high <= n else None


def beyond(ms: float) -> int:
    """The whole ms above which a turn took longer than a quantile, whose bucket ends here."""
    return ceil(ms * (1 + ERROR))


def together(amounts: Amounts) -> Counter[int]:
    """The buckets of all."""
    return merge(from_json(amount.of) for amount in amounts.values())


def _line(key: str, amount: Amount) -> Times:
    buckets = from_json(amount.of)
    return Times(key, amount.n, tuple(quantile(buckets, q) for q in QUANTILES))


def _marked(line: Times) -> Times:
    return Times(line.key, line.n, line.values, is_slowest=True)
