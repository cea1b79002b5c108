"""Figures of merit over scores and labels. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = Sequence[float] | NDArray[Any]


def auroc(positive: Sequence[bool], scores: Numbers) -> float:
    """The chance that a positive scores higher than a negative, ties counted half.

    Raises ValueError unless both occur.
    """
    labels = np.asarray(positive, dtype=bool)
    positives, negatives = int(labels.sum()), int((~labels).sum())
    if not positives or not negatives:
        raise ValueError("positives and negatives are both needed")
    ranks = mean_ranks(np.asarray(scores, dtype=float))
    above = float(ranks[labels].sum()) - positives * (positives + 1) / 2
    return above / (positives * negatives)


def accuracy(said: Sequence[str], true: Sequence[str]) -> float:
    """The share that is right; 0 of nothing."""
    right = sum(a == b for a, b in zip(said, true, strict=True))
    return right / len(true) if true else 0.0


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line. Raises OSError."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1; equal scores share the mean of their ranks."""
    _, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    means: NDArray[np.float64] = (last - (counts - 1) / 2)[where]
    return means
