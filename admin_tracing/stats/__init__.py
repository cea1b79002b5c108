"""Figures with what they are worth: shares with intervals, agreement, confusion, percentiles.

Pure: the standard library alone. What is too few to say anything says so here, in one place.
"""

from __future__ import annotations

from admin_tracing.stats.buckets import bucket_of, merge, percentile
from admin_tracing.stats.confusion import Confusion, Pair, confusion
from admin_tracing.stats.estimate import FEWEST, NOTHING, Estimate, percent, too_few
from admin_tracing.stats.intervals import share, wilson
from admin_tracing.stats.kappa import Kappa, cohen, cohen_grouped, fleiss
from admin_tracing.stats.weighted import hajek, kish

__all__ = [
    "FEWEST",
    "NOTHING",
    "Confusion",
    "Estimate",
    "Kappa",
    "Pair",
    "bucket_of",
    "cohen",
    "cohen_grouped",
    "confusion",
    "fleiss",
    "hajek",
    "kish",
    "merge",
    "percent",
    "percentile",
    "share",
    "too_few",
    "wilson",
]
