"""The draw: even, the same everywhere, and independent of what is known of a turn."""

from __future__ import annotations

import random
import subprocess
import sys
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.sampling.chances import DRAW, SHADOW, Rates, is_drawn, number
from config.variables import BASE_DIR

KNOWN = UUID("00000000-0000-4000-8000-000000000001")
shares = st.floats(0.0, 1.0)


def ids(count: int, seed: int = 7) -> list[UUID]:
    dice = random.Random(seed)
    return [UUID(int=dice.getrandbits(128), version=4) for _ in range(count)]


@given(st.uuids())
def test_the_number_lies_from_0_to_below_1(turn: UUID) -> None:
    assert 0.0 <= number(turn) < 1.0


@given(st.uuids())
def test_a_rate_of_1_draws_everything_and_one_of_0_nothing(turn: UUID) -> None:
    assert is_drawn(turn, 1.0)
    assert not is_drawn(turn, 0.0)


@given(st.uuids(), shares, shares)
def test_who_is_drawn_at_a_rate_is_drawn_at_every_higher_one(
    turn: UUID, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    assert is_drawn(turn, high) or not is_drawn(turn, low)


def test_another_process_draws_the_same_number() -> None:
    code = "from uuid import UUID; from admin_tracing.sampling.chances import number; "
    code += f"print(repr(number(UUID({str(KNOWN)!r}))))"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=True
    )
    assert float(told.stdout) == number(KNOWN)


def test_a_tenth_of_the_numbers_lies_in_each_tenth() -> None:
    counts = [0] * 10
    for turn in ids(20_000):
        counts[int(number(turn) * 10)] += 1
    assert all(1_830 < count < 2_170 for count in counts)  # four standard deviations


def test_two_draws_of_one_turn_know_nothing_of_each_other() -> None:
    turns = ids(20_000)
    both = sum(is_drawn(turn, 0.3, DRAW) and is_drawn(turn, 0.5, SHADOW) for turn in turns)
    assert 2_800 < both < 3_200


@given(st.floats(0.0001, 1.0), shares)
def test_the_chance_is_that_of_either_draw(base: float, own: float) -> None:
    rate = Rates(base, {"direct": own}).of("direct")
    assert max(base, own) - 1e-9 <= rate <= min(1.0, base + own) + 1e-9


def test_a_stratum_without_a_rate_of_its_own_has_the_share_of_all() -> None:
    rates = Rates(0.05, {"judged_bad": 1.0, "direct": 0.25})
    assert abs(rates.of("rest") - 0.05) < 1e-12
    assert rates.of("judged_bad") == 1.0
    assert abs(rates.of("direct") - 0.2875) < 1e-12
