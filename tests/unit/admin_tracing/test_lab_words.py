"""The lab's sentences about what a run roughly costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from admin_tracing.lab_words import rough_of
from chat.lab_costs import Rough

DOLLAR = Decimal(1)


@pytest.mark.parametrize(
    ("rough", "words"),
    [
        (
            Rough(5, 16, "offline"),
            "5 questions with each of 16 settings: 80 turns. No cost with the offline model.",
        ),
        (
            Rough(1, 1, "runs", 0.004),
            "1 question, one turn each. About 0.40 ¢, at 0.40 ¢ a turn, as in earlier runs of "
            "the kind.",
        ),
        (
            Rough(20, 2, "turns", 0.01),
            "20 questions with each of 2 settings: 40 turns. About 40 ¢, at 1.00 ¢ a turn, as "
            "people’s turns of late.",
        ),
        (
            Rough(5, 1, "nothing"),
            "5 questions, one turn each. What a turn costs is not known yet: none has ended with "
            "this model.",
        ),
        (
            Rough(5, 1, "unpriced", models=("a", "b")),
            "5 questions, one turn each. a, b have no price in LLM_PRICES, so what that costs is "
            "not counted, and the limit does not stop it.",
        ),
    ],
)
def test_what_is_known_of_the_cost_is_said(rough: Rough, words: str):
    assert rough_of(rough, DOLLAR) == words


def test_a_run_that_would_reach_its_limit_is_said_to_stop_on_the_way():
    assert "stop on the way" not in rough_of(Rough(10, 1, "runs", 0.1), DOLLAR)
    assert rough_of(Rough(11, 1, "runs", 0.1), DOLLAR).endswith(
        "That is more than the limit, so it will stop on the way."
    )
