"""The shape of a question, and what counts as a burst of one person or one shape. Pure.

Two questions have one shape if they differ in figures, in what they quote, or in case and signs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

LONGEST = 200  # characters of a question that make its shape
FEWEST = 10  # turns of one hour below which nothing is a burst
TIMES = 5.0  # as many as in the other hours of that day
OTHER_HOURS = 23

QUOTED = re.compile(r"\"[^\"]{1,200}\"|“[^”]{1,200}”|«[^»]{1,200}»|`[^`]{1,200}`")
FIGURES = re.compile(r"\d+")
SIGNS = re.compile(r"[^\w…#]+")


def shape(question: str) -> str:
    """Case folded, quotations as `…`, figures as `#`, and nothing but words between spaces."""
    text = QUOTED.sub(" … ", question[:LONGEST].casefold())
    return SIGNS.sub(" ", FIGURES.sub("#", text)).strip()


def phrase(question: str) -> str:
    """The longest part of a question that all of its shape have, as it was written."""
    parts = FIGURES.sub("\n", QUOTED.sub("\n", question[:LONGEST])).split("\n")
    return max((part.strip() for part in parts), key=len, default="")


@dataclass(frozen=True, slots=True)
class Group:
    """The turns of one hour that have one person, or one shape; `of_day` are those of its day."""

    hour: datetime
    key: str
    n: int
    of_day: int

    @property
    def usual(self) -> float:
        """Turns an hour in the day's other hours."""
        return (self.of_day - self.n) / OTHER_HOURS

    @property
    def is_burst(self) -> bool:
        return self.n >= FEWEST and self.n >= TIMES * self.usual
