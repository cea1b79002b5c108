"""How sure is it that a question is of a restricted category? Learnt from the site's examples.

For each category the examples stand against the questions that are allowed, the topic's own
examples, and the examples of the other categories. Two things are added: the value of a ridge
regression, and how much nearer the question is to the nearest examples than to the nearest other
questions. A logistic fit makes a probability of the sum, on values that each example gets when it
is left out itself. All of it is in closed form, so that a file is learnt in a tenth of a second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chat.adapters.offline.corpus import Vectors
from chat.adapters.offline.reading import Memory
from chat.adapters.offline.text import spelt_out
from chat.contracts.site_rules import RestrictedCategory

# By AUROC of requests for advice against what customers ask: 0.99 for both together, 0.96 for
# the regression and 0.99 for the nearest alone, which takes more of what a shop is asked.
NEARER = 3.0
NEAREST = 5
PULL = 10.0  # of the regression to zero
FEWEST = 5  # questions on each side of a line that can be learnt
EXPECTED = 0.05  # share of all questions that is taken to be of a category
ROUNDS, CLOSE = 50, 1e-6  # of the logistic fit: at most, and the step that ends it
STEEPEST = 30.0  # of a logit

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class _Line:
    """Between one category and everything else: weights, both sides, and the logistic fit."""

    name: str
    centre: Numbers
    weights: Numbers
    middle: float
    inside: Vectors
    outside: Vectors
    slope: float = 1.0
    base: float = 0.0

    def chance(self, vector: Vectors) -> float:
        """From 0 to 1, higher for more restricted."""
        told = float((vector - self.centre) @ self.weights) + self.middle
        nearer = _nearness(vector @ self.inside.T) - _nearness(vector @ self.outside.T)
        total = self.slope * (told + NEARER * float(nearer)) + self.base
        return 1 / (1 + math.exp(-max(-STEEPEST, min(STEEPEST, total))))


class RestrictedJudge:
    """Scores by category. A category without enough examples has none.

    `others` are questions that are known to be of no category, but for those among the examples.
    """

    def __init__(
        self, memory: Memory, categories: Sequence[RestrictedCategory], others: Sequence[str]
    ) -> None:
        taught = [category for category in categories if _enough(category)]
        self._lines = tuple(_line(memory, category, taught, others) for category in taught)

    def scores(self, vector: Vectors) -> dict[str, float]:
        """How sure, 0 to 1, by the category's name. `vector` has shape (dimensions,)."""
        return {line.name: line.chance(vector) for line in self._lines}


def _enough(category: RestrictedCategory) -> bool:
    return min(len(category.examples), len(category.allowed)) >= FEWEST


def _line(
    memory: Memory,
    category: RestrictedCategory,
    taught: Sequence[RestrictedCategory],
    others: Sequence[str],
) -> _Line:
    known = [text for each in taught for text in each.examples]
    allowed = [text for each in taught for text in each.allowed]
    against = (*allowed, *known, *(text for text in others if text not in known))
    inside = dict.fromkeys(map(spelt_out, category.examples))
    outside = dict.fromkeys(map(spelt_out, against))
    texts = [*inside, *(text for text in outside if text not in inside)]
    return _learnt(category.name, memory.rows(texts), np.arange(len(texts)) < len(inside))


def _learnt(name: str, vectors: Vectors, restricted: Flags) -> _Line:
    rows = vectors.astype(np.float64)
    centre, target = rows.mean(axis=0), np.where(restricted, 1.0, -1.0)
    middle = float(target.mean())
    centred = rows - centre
    alike = centred @ centred.T
    # Rows are fewer than their numbers, or about as many, so that the fit is solved between rows.
    inverse = np.linalg.inv(alike + PULL * np.eye(len(rows)))
    weights = centred.T @ (inverse @ (target - middle))
    hat = alike @ inverse + 1 / len(rows)
    own = np.diagonal(hat)
    left_out = (hat @ target - own * target) / np.maximum(1 - own, CLOSE)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -np.inf)  # nobody is one's own neighbour
    nearer = _nearness(cosines[:, restricted]) - _nearness(cosines[:, ~restricted])
    slope, base = _calibrated(left_out + NEARER * nearer, restricted)
    inside, outside = vectors[restricted], vectors[~restricted]
    return _Line(name, centre, weights, middle, inside, outside, slope, base)


def _nearness(cosines: NDArray[np.floating]) -> Numbers:
    """The mean of the highest few in the last axis; what is no neighbour counts for nothing."""
    highest = np.sort(cosines, axis=-1)[..., -NEAREST:]
    counted = np.isfinite(highest)
    found: Numbers = np.where(counted, highest, 0.0).sum(axis=-1) / counted.sum(axis=-1)
    return found


def _calibrated(values: Numbers, restricted: Flags) -> tuple[float, float]:
    """Slope and base of a logistic fit, by Newton's steps.

    A file has as many examples as its owner thought of, so both sides weigh the same in the fit,
    and the share that is expected in practice comes in afterwards. A small pull keeps the slope
    finite where the sides do not touch.
    """
    rows = np.stack((values, np.ones(len(values))), axis=1)
    weight = np.where(restricted, 0.5 / restricted.sum(), 0.5 / (~restricted).sum()) * len(values)
    found, pull = np.zeros(2), np.diag((0.1, 1e-3))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -STEEPEST, STEEPEST)))
        slope = rows.T @ (weight * (chance - restricted)) + pull @ found
        curve = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + pull
        step = np.linalg.solve(curve, slope)
        found -= step
        if float(np.abs(step).max()) < CLOSE:
            break
    return float(found[0]), float(found[1]) + math.log(EXPECTED / (1 - EXPECTED))
