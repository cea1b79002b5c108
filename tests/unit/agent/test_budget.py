"""What a turn may spend: the first budget that is used up names the end."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.budget import rewrites_left, spend, used_up
from chat.contracts.events import ModelCall, Tokens
from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Termination

LIMITS = AgentSettings(
    max_passes=3, token_budget=1_000, cost_budget=0.5, wall_clock_ms=60_000, max_rewrites=2
)
NOW = 100.0


def state(**changed: Any) -> Any:
    return {"limits": LIMITS, "started": NOW, **changed}


def call(tokens: int = 10, cost: float = 0.01) -> ModelCall:
    return ModelCall(
        role="main", purpose="answer", model="m", tokens=Tokens(input=tokens), cost=cost
    )


@pytest.mark.parametrize(
    ("spent", "now", "end"),
    [
        ({}, NOW, None),
        ({"passes": 2}, NOW, None),
        ({"passes": 3}, NOW, Termination.PASS_CAP),
        ({"spent_tokens": 999}, NOW, None),
        ({"spent_tokens": 1_000}, NOW, Termination.TOKEN_CAP),
        ({"spent_cost": 0.49}, NOW, None),
        ({"spent_cost": 0.5}, NOW, Termination.COST_CAP),
        ({}, NOW + 59.9, None),
        ({}, NOW + 60, Termination.TIME_CAP),
        ({"passes": 3, "spent_tokens": 1_000}, NOW + 60, Termination.PASS_CAP),
        ({"spent_tokens": 1_000, "spent_cost": 0.5}, NOW + 60, Termination.TOKEN_CAP),
        ({"spent_cost": 0.5}, NOW + 60, Termination.COST_CAP),
    ],
)
def test_the_first_budget_that_is_used_up(
    spent: dict[str, Any], now: float, end: Termination | None
) -> None:
    assert used_up(state(**spent), now) is end


def test_calls_add_to_what_was_spent() -> None:
    before = state(calls=2, spent_tokens=100, spent_cost=0.1)
    after = spend(before, call(), call(tokens=5, cost=0.02))
    assert (after["calls"], after["spent_tokens"]) == (4, 115)
    assert after["spent_cost"] == pytest.approx(0.13)


def test_the_first_call_starts_from_nothing() -> None:
    assert spend(state(), call()) == {"calls": 1, "spent_tokens": 10, "spent_cost": 0.01}


def test_without_calls_nothing_is_added() -> None:
    assert spend(state(calls=1, spent_tokens=9, spent_cost=0.3)) == {
        "calls": 1,
        "spent_tokens": 9,
        "spent_cost": 0.3,
    }


@pytest.mark.parametrize(("rewrites", "left"), [(0, True), (1, True), (2, False), (3, False)])
def test_the_bound_is_on_rewrites(rewrites: int, left: bool) -> None:
    assert rewrites_left(state(rewrites=rewrites)) is left
