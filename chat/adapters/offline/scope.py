"""Softmax regression over embeddings, with a score of how much a text is in scope at all. Pure.

The same classifier serves two labels with a few hundred examples and 150 labels with
thousands. It is trained in the process, by accelerated gradient descent with a fixed number of
steps, so that the same examples always give the same classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chat.adapters.offline.corpus import Vectors

Floats = NDArray[np.float32]

STEPS = 200
STRENGTH = 10.0  # of the examples against the pull to zero: 1 / regularisation


@dataclass(frozen=True)
class Classifier:
    """Labels and the weights that tell them apart. `logits` are not probabilities."""

    labels: tuple[str, ...]
    centre: Floats
    weights: Floats
    bias: Floats

    def logits(self, vectors: Vectors) -> Floats:
        """Shape (texts, labels), in the order of `labels`."""
        found = (vectors - self.centre) @ self.weights + self.bias
        return found.astype(np.float32)

    def scope(self, vectors: Vectors) -> Floats:
        """How much each text is like any of the labels: the log of the summed exponents.

        Better than the top probability, which is high wherever two labels are told apart,
        even far from both: AUROC 0.975 against 0.958 on clinc150.
        """
        logits = self.logits(vectors)
        top = logits.max(axis=1, keepdims=True)
        summed: Floats = top[:, 0] + np.log(np.exp(logits - top).sum(axis=1))
        return summed

    def best(self, vectors: Vectors) -> list[str]:
        """The likeliest label of each text."""
        return [self.labels[index] for index in self.logits(vectors).argmax(axis=1)]


def train(vectors: Vectors, labels: Sequence[str], *, steps: int = STEPS) -> Classifier:
    """Fit a classifier. `vectors` has one row a label in `labels`; two labels or more."""
    names = tuple(sorted(set(labels)))
    if len(names) < 2:
        raise ValueError("a classifier needs examples of at least two labels")
    places = {name: place for place, name in enumerate(names)}
    target = np.eye(len(names), dtype=np.float32)[[places[label] for label in labels]]
    centre: Floats = vectors.mean(axis=0)
    centred, spread = _scaled(vectors - centre)
    weights = _descend(centred, target, spread, steps)
    return Classifier(names, centre, weights[:-1], weights[-1] * np.float32(np.sqrt(spread)))


def _scaled(centred: Floats) -> tuple[Floats, float]:
    """Rows with a column for the bias, and their largest variance in any direction.

    The column is as large as that variance, so that one step length suits both.
    """
    spread = float(np.linalg.eigvalsh(centred.T @ centred / len(centred))[-1]) or 1.0
    column = np.full((len(centred), 1), np.sqrt(spread), dtype=np.float32)
    return np.hstack((centred, column)), spread


def _descend(rows: Floats, target: Floats, spread: float, steps: int) -> Floats:
    """Nesterov's descent, which starts its momentum anew when it overshoots."""
    pull = 1.0 / (STRENGTH * len(rows))
    length = np.float32(1.0 / (spread + pull))
    weights = np.zeros((rows.shape[1], target.shape[1]), dtype=np.float32)
    ahead, pace = weights, 1.0
    for _ in range(steps):
        slope = rows.T @ (_softmax(rows @ ahead) - target) / len(rows) + pull * ahead
        new = (ahead - length * slope).astype(np.float32)
        if float((slope * (new - weights)).sum()) > 0:
            pace = 1.0
        faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead = (new + np.float32((pace - 1) / faster) * (new - weights)).astype(np.float32)
        weights, pace = new, faster
    return weights


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares
