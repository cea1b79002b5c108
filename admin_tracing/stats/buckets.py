"""Counts of values by size in buckets a twentieth wide, so that days can be added up. Pure.

A percentile that is read from them is at most 2.5 % off the exact one, whatever the values are,
and merging what several days counted gives what counting them at once would have given.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

WIDTH = 0.05  # a bucket's upper edge is this part above its lower one
ERROR = math.sqrt(1 + WIDTH) - 1  # of a percentile, as a part of the exact value: 2.5 %

NOTHING = -1_000_000  # the bucket of what is 0 or less: a percentile in it is 0
SMALLEST = 1e-9  # what is above 0 and below this counts as this
LARGEST = 1e15

_STEP = math.log1p(WIDTH)
_TINY = 1e-9  # of a rank, so that 0.07 of 100 is the 7th and not the 8th

Buckets = Mapping[int, int]
"""How many values fell into each bucket, by the number of the bucket."""


def bucket_of(value: float) -> int:
    """The bucket of a value. What is 0 or less has one of its own.

    Raises `ValueError` for what is no number.
    """
    if math.isnan(value):
        raise ValueError("No bucket holds what is no number.")
    if value <= 0:
        return NOTHING
    return math.floor(math.log(min(max(value, SMALLEST), LARGEST)) / _STEP)


def value_of(bucket: int) -> float:
    """The value in the middle of a bucket: as far above its lower edge as below its upper one."""
    return 0.0 if bucket == NOTHING else math.exp((bucket + 0.5) * _STEP)


def counted(values: Iterable[float]) -> Counter[int]:
    """The buckets of values."""
    return Counter(bucket_of(value) for value in values)


def merge(several: Iterable[Buckets]) -> Counter[int]:
    """The buckets of several days as those of one."""
    found: Counter[int] = Counter()
    for buckets in several:
        found.update(buckets)
    return found


def percentile(buckets: Buckets, q: float) -> float:
    """The least value that a part `q` (0 to 1) of all values does not exceed, within `ERROR`.

    Raises `ValueError` without any value, and for a `q` outside 0 to 1.
    """
    n = sum(buckets.values())
    if n < 1:
        raise ValueError("Without a value there is no percentile.")
    if not 0 <= q <= 1:
        raise ValueError(f"A percentile is asked for as a part from 0 to 1, not as {q}.")
    rank = max(1, math.ceil(q * n - _TINY))
    seen = 0
    for bucket in sorted(buckets):
        seen += buckets[bucket]
        if seen >= rank:
            return value_of(bucket)
    raise AssertionError("the last bucket holds the last rank")


def as_json(buckets: Buckets) -> dict[str, int]:
    """As a column keeps them: a key of JSON is text."""
    return {str(bucket): n for bucket, n in sorted(buckets.items()) if n}


def from_json(stored: Mapping[str, int]) -> Counter[int]:
    """What `as_json` gave, as buckets again."""
    return Counter({int(bucket): n for bucket, n in stored.items()})
