"""The limits' settings: what they may be, what turns one off, and what is refused at the start."""

from __future__ import annotations

import pytest

from config import env
from config.errors import BadSettings


def refusal(**given: str) -> str:
    with pytest.raises(BadSettings) as told:
        env.read(given)
    return str(told.value)


@pytest.mark.parametrize("rates", ["20/minute;400/day", "5/10minutes", "1 per second", "3/hour"])
def test_rates_are_kept_as_they_are_given(rates: str) -> None:
    assert env.read({"LIMIT_ASKS_PERSON": rates}).limit_asks_person == rates


@pytest.mark.parametrize("rates", ["20", "20/minuet", "minute", "-1/day", "0/minute", "5/day;"])
def test_rates_that_cannot_be_read_stop_the_start(rates: str) -> None:
    told = refusal(LIMIT_ASKS_ADDRESS=rates)
    assert "LIMIT_ASKS_ADDRESS" in told
    assert "rates such as 20/minute;400/day, or 0 for no limit" in told


def test_zero_turns_a_limit_off() -> None:
    site = env.read(
        {
            "LIMIT_ASKS_PERSON": "0",
            "LIMIT_ASKS_ADDRESS": "0",
            "LIMIT_SOCKETS_PERSON": "0",
            "LIMIT_SOCKETS_ADDRESS": "0",
            "DAILY_TOKENS_PERSON": "0",
            "DAILY_COST_PERSON": "0",
        }
    )
    assert (site.limit_asks_person, site.limit_asks_address) == ("", "")
    assert (site.limit_sockets_person, site.limit_sockets_address) == (0, 0)
    assert (site.daily_tokens_person, site.daily_cost_person) == (0, 0.0)


def test_an_empty_value_is_the_default() -> None:
    assert env.read({"LIMIT_ASKS_PERSON": ""}).limit_asks_person == "20/minute;400/day"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LIMIT_SOCKETS_PERSON", "many"),
        ("DAILY_COST_PERSON", "-1"),
        ("DAILY_TOKENS_PERSON", "1.5"),
        ("TRUSTED_PROXIES", "yes"),
    ],
)
def test_what_is_no_number_stops_the_start(name: str, value: str) -> None:
    assert name in refusal(**{name: value})
