"""With which chance a turn is drawn, and whether it is. Pure.

The number that decides follows from the turn's id alone: every process draws the same turns, and
drawing twice changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

DRAW = "plumbline sample"
SHADOW = "plumbline shadow"
"""Labels that keep two draws of one turn apart. Changing one draws anew."""

_BITS = 53  # of the first 64, so that the number is exact as a float and stays below 1


@dataclass(frozen=True, slots=True)
class Rates:
    """`base` is the share of all turns, above 0; `own` what is drawn on top, by stratum."""

    base: float
    own: Mapping[str, float]

    def of(self, stratum: str) -> float:
        """The chance of a turn of this stratum, above 0 and at most 1."""
        return 1.0 - (1.0 - self.base) * (1.0 - self.own.get(stratum, 0.0))


def number(turn: UUID, label: str = DRAW) -> float:
    """A number from 0 to below 1, even over turns and independent of all that is known of them."""
    digest = hashlib.sha256(f"{turn} {label}".encode()).digest()
    return float(int.from_bytes(digest[:8], "big") >> (64 - _BITS)) / 2.0**_BITS


def is_drawn(turn: UUID, rate: float, label: str = DRAW) -> bool:
    return number(turn, label) < rate
