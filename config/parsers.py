"""From the text of an environment variable to a typed value.

A parser is a function with a description of what it allows; it raises ValueError on anything else.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

TRUE = frozenset({"true", "1", "yes", "on"})
FALSE = frozenset({"false", "0", "no", "off"})
PRICE_KEYS = frozenset({"input", "cached_input", "output"})

LONGEST_DAYS = 36_500

Prices = Mapping[str, Mapping[str, float]]
Days = Mapping[str, int]
Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Parser:
    """`parse` turns text into a value; `allowed` completes the sentence "must be …"."""

    parse: Callable[[str], Any]
    allowed: str


def text() -> Parser:
    return Parser(str, "any text")


def flag() -> Parser:
    return Parser(_flag, "true or false")


def whole(low: int, high: int) -> Parser:
    return Parser(
        lambda given: int(_between(int(given), low, high)), f"a whole number {low}-{high}"
    )


def number(low: float, high: float) -> Parser:
    return Parser(lambda given: _between(float(given), low, high), f"a number {low:g}-{high:g}")


def choice(*options: str) -> Parser:
    return Parser(lambda given: _one_of(given.lower(), options), f"one of {', '.join(options)}")


def words() -> Parser:
    """A comma-separated list, as a tuple; blanks around the parts do not count."""
    return Parser(_words, "a list separated by commas")


def address(*schemes: str) -> Parser:
    allowed = f"an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}"
    return Parser(lambda given: _address(given, schemes), allowed)


def rates() -> Parser:
    """How often something may happen, checked and kept as text; empty for never too often."""
    return Parser(_rates, "rates such as 20/minute;400/day, or 0 for no limit")


def days(default: Days) -> Parser:
    """Days by name; a name that is not given keeps its default, and 0 means for ever."""
    allowed = f"JSON of the form {{name: days}}, with names from {', '.join(default)}"
    return Parser(lambda given: _days(given, default), allowed)


def shares(default: Shares) -> Parser:
    """Shares 0 to 1 by name; a name that is not given keeps its default."""
    allowed = f"JSON of the form {{name: share 0-1}}, with names from {', '.join(default)}"
    return Parser(lambda given: _shares(given, default), allowed)


def prices() -> Parser:
    keys = ", ".join(sorted(PRICE_KEYS))
    return Parser(_prices, f"JSON of the form {{model: {{{keys}: USD per million tokens}}}}")


def _flag(given: str) -> bool:
    word = given.lower()
    if word not in TRUE | FALSE:
        raise ValueError(given)
    return word in TRUE


def _between(value: float, low: float, high: float) -> float:
    if not low <= value <= high:  # also false for NaN
        raise ValueError(value)
    return value


def _one_of(given: str, options: tuple[str, ...]) -> str:
    if given not in options:
        raise ValueError(given)
    return given


def _words(given: str) -> tuple[str, ...]:
    return tuple(part for part in (piece.strip() for piece in given.split(",")) if part)


def _address(given: str, schemes: tuple[str, ...]) -> str:
    if urlsplit(given).scheme not in schemes or "://" not in given:
        raise ValueError(given)
    return given


def _rates(given: str) -> str:
    from limits import parse_many  # takes a tenth of a second that few commands need

    if given == "0":
        return ""
    if any(item.amount < 1 for item in parse_many(given)):
        raise ValueError(given)
    return given


def _days(given: str, default: Days) -> Days:
    table = json.loads(given)
    if not isinstance(table, dict) or not table.keys() <= default.keys():
        raise ValueError(given)
    if any(type(value) is not int or not 0 <= value <= LONGEST_DAYS for value in table.values()):
        raise ValueError(given)
    return MappingProxyType({**default, **table})


def _shares(given: str, default: Shares) -> Shares:
    table = json.loads(given)
    if not isinstance(table, dict) or not table.keys() <= default.keys():
        raise ValueError(given)
    if any(type(value) not in (int, float) or not 0 <= value <= 1 for value in table.values()):
        raise ValueError(given)
    return MappingProxyType({**default, **table})


def _prices(given: str) -> Prices:
    table = json.loads(given)
    if not isinstance(table, dict):
        raise ValueError(given)
    return MappingProxyType({model: _price(row) for model, row in table.items()})


def _price(row: object) -> Mapping[str, float]:
    if not isinstance(row, dict) or not row or not row.keys() <= PRICE_KEYS:
        raise ValueError(row)
    values = {key: float(value) for key, value in row.items()}
    if any(value < 0 or not math.isfinite(value) for value in values.values()):
        raise ValueError(row)
    return MappingProxyType(values)
