"""The classifier: it learns clusters, gives the same weights each time, and knows what is far."""

from __future__ import annotations

import numpy as np
import pytest

from chat.adapters.offline.corpus import Vectors
from chat.adapters.offline.scope import train

LABELS = ("loans", "rooms", "cards")


def _clusters(seed: int, each: int = 30) -> tuple[Vectors, list[str]]:
    """Points of length 1 around three axes of a space with eight dimensions."""
    noise = np.random.default_rng(seed).normal(0, 0.15, (len(LABELS) * each, 8))
    points = np.repeat(np.eye(8)[: len(LABELS)], each, axis=0) + noise
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points.astype(np.float32), [label for label in LABELS for _ in range(each)]


def test_unseen_points_get_the_label_of_their_cluster() -> None:
    classifier = train(*_clusters(1))
    points, labels = _clusters(2)

    assert classifier.best(points) == labels


def test_the_same_examples_give_the_same_weights() -> None:
    one, other = train(*_clusters(1)), train(*_clusters(1))

    assert (one.weights == other.weights).all()
    assert (one.bias == other.bias).all()


def test_a_point_far_from_every_cluster_has_a_low_scope() -> None:
    classifier = train(*_clusters(1))
    near, _ = _clusters(2)
    far = np.eye(8, dtype=np.float32)[4:]

    assert classifier.scope(far).max() < classifier.scope(near).min()


def test_more_steps_fit_the_examples_better() -> None:
    points, labels = _clusters(1)
    places = [LABELS.index(label) for label in labels]

    def likelihood(steps: int) -> float:
        classifier = train(points, labels, steps=steps)
        logits = classifier.logits(points)
        own = logits[np.arange(len(labels)), [classifier.labels.index(LABELS[p]) for p in places]]
        return float((own - classifier.scope(points)).mean())

    assert likelihood(2) < likelihood(20)


def test_one_label_is_nothing_to_learn_from() -> None:
    with pytest.raises(ValueError, match="two labels"):
        train(np.eye(2, dtype=np.float32), ["loans", "loans"])


def test_points_that_are_all_alike_can_be_learnt_from() -> None:
    classifier = train(np.ones((4, 2), dtype=np.float32), ["loans", "loans", "rooms", "rooms"])

    assert np.isfinite(classifier.logits(np.eye(2, dtype=np.float32))).all()
