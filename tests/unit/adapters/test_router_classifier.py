"""The classifier behind the router: learnt, validated, calibrated, kept as JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from chat.adapters.query_shapes import NAMES_OF_SHAPES
from chat.adapters.route_classifier import (
    LABELS,
    Labelled,
    RouteClassifier,
    calibrated,
    fitted,
    nearest_centroid,
    probabilities,
    validated,
)
from chat.contracts.verdicts import Route
from chat.guardrails.routes import LEVELS
from tests.doubles.embedder import WordEmbedder

WIDTH = 384

SAID = {
    Route.DIRECT: "thank you so much {}",
    Route.SINGLE_SHOT: "where is the {} of my account?",
    Route.ITERATIVE: "compare the {} and the plan that is cheaper than both",
}
THINGS = ("invoice", "backup", "server", "domain", "card", "ticket", "region", "price")
EXAMPLES: list[Labelled] = [
    (said.format(thing), route) for route, said in SAID.items() for thing in THINGS
]


def vectors(examples: list[Labelled]) -> Any:
    return WordEmbedder().embed([query for query, _ in examples])


@pytest.fixture(scope="module")
def classifier() -> RouteClassifier:
    return fitted(EXAMPLES, vectors(EXAMPLES))


@pytest.mark.parametrize("route", LEVELS)
def test_a_query_like_the_examples_goes_their_way(
    classifier: RouteClassifier, route: Route
) -> None:
    query = SAID[route].format("refund")
    (guess,) = classifier.guesses([query], WordEmbedder().embed([query]))
    assert guess.route is route
    assert 0.85 < guess.confidence <= 1


def test_the_guess_says_how_it_came_to_be(classifier: RouteClassifier) -> None:
    query = "compare the refund and the credit"
    (guess,) = classifier.guesses([query], WordEmbedder().embed([query]))
    shares, _, seen = guess.why.partition("; ")
    assert [part.split()[0] for part in shares.split(", ")] == [str(level) for level in LEVELS]
    assert sum(float(part.split()[1]) for part in shares.split(", ")) == pytest.approx(1, abs=0.02)
    assert "compares" in seen
    assert "length" not in seen


def test_the_same_examples_give_the_same_classifier(classifier: RouteClassifier) -> None:
    again = fitted(EXAMPLES, vectors(EXAMPLES))
    assert again.as_json() == classifier.as_json()


def test_an_example_is_judged_by_those_who_have_not_seen_it() -> None:
    """Labels by lot can be learnt by heart, so only held-out guesses are near chance."""
    chance = np.random.default_rng(5)
    words = ["".join(chance.choice(list("abcdefgh"), 6)) for _ in range(150)]
    lot: list[Labelled] = [(word, LEVELS[place % 3]) for place, word in enumerate(words)]
    found = validated(lot, vectors(lot))
    hits = [guess.route is route for guess, (_, route) in zip(found.guesses, lot, strict=True)]
    assert sum(hits) / len(hits) < 0.6
    again = fitted(lot, vectors(lot)).guesses(words, vectors(lot))
    known = [guess.route is route for guess, (_, route) in zip(again, lot, strict=True)]
    assert sum(known) / len(known) > 0.8


def test_guesses_stand_in_the_order_of_the_examples() -> None:
    found = validated(EXAMPLES, vectors(EXAMPLES))
    assert [guess.route for guess in found.guesses] == [route for _, route in EXAMPLES]


def test_the_nearest_centroid_goes_by_the_vectors_alone() -> None:
    found = validated(EXAMPLES, vectors(EXAMPLES), nearest_centroid)
    assert [guess.route for guess in found.guesses] == [route for _, route in EXAMPLES]


def test_the_temperature_makes_a_loud_classifier_modest() -> None:
    """Right six times of ten and always loud: its confidence becomes six of ten."""
    logits = np.array([[9.0, 0.0, -99.0]] * 10, dtype=np.float32)
    names = [LABELS[0]] * 6 + [LABELS[1]] * 4
    loud = probabilities(logits, 1.0)[0, 0]
    modest = probabilities(logits, calibrated(logits, names))[0, 0]
    assert loud > 0.99
    assert modest < 0.92  # the grid of temperatures ends at 4


def test_a_shy_classifier_that_is_right_gets_bolder() -> None:
    logits = np.array([[0.3, 0.0, 0.0]] * 20, dtype=np.float32)
    assert calibrated(logits, [LABELS[0]] * 20) < 1


def test_probabilities_sum_to_one_even_of_huge_logits() -> None:
    found = probabilities(np.array([[1e4, -1e4, 0.0]], dtype=np.float32), 0.1)
    assert found.sum() == pytest.approx(1)


def test_json_gives_the_same_guesses(classifier: RouteClassifier) -> None:
    stored = json.loads(json.dumps(classifier.as_json()))
    back = RouteClassifier.from_json(stored, WIDTH)
    assert back is not None
    queries = [query for query, _ in EXAMPLES]
    one = classifier.guesses(queries, vectors(EXAMPLES))
    other = back.guesses(queries, vectors(EXAMPLES))
    assert [guess.route for guess in one] == [guess.route for guess in other]
    assert [g.confidence for g in one] == pytest.approx([g.confidence for g in other], abs=1e-4)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"shapes": ["length"]},
        {"shapes": list(reversed(NAMES_OF_SHAPES))},
        {"labels": ["direct", "single_shot", "iterative"]},
        {"centre": [0.0]},
        {"bias": [0.0]},
        {"weights": [[0.0, 0.0, 0.0]]},
        {"temperature": 0},
        {"temperature": "warm"},
        {"colour": "red"},
    ],
)
def test_weights_of_another_version_are_not_used(
    classifier: RouteClassifier, spoilt: dict[str, Any]
) -> None:
    assert RouteClassifier.from_json(classifier.as_json() | spoilt, WIDTH) is None


@pytest.mark.parametrize("stored", [None, {}, [], "weights", 3])
def test_what_is_no_classifier_is_not_used(stored: object) -> None:
    assert RouteClassifier.from_json(stored, WIDTH) is None


def test_weights_of_another_space_are_not_used(classifier: RouteClassifier) -> None:
    assert RouteClassifier.from_json(classifier.as_json(), WIDTH + 1) is None


def test_each_path_needs_examples() -> None:
    few = [example for example in EXAMPLES if example[1] is not Route.ITERATIVE]
    with pytest.raises(ValueError, match="iterative"):
        fitted(few, vectors(few))


def test_a_path_that_no_router_decides_is_refused() -> None:
    odd: list[Labelled] = [*EXAMPLES, ("hello", Route.GREETING)]
    with pytest.raises(ValueError, match="no router decides"):
        fitted(odd, vectors(odd))
