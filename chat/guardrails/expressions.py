"""Is an expression that an owner wrote safe to run on what people type? Told before it ever runs.

Python's engine tries every way in which repeats can share out a text, so the product of their
widths bounds its work. An expression has to keep that product small; then its time grows with the
length of the text alone. The syntax is read here no further than that takes.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass

LONGEST = 700  # characters of one expression
WIDEST = 200  # of one repeat
WAYS = 100_000  # in which all repeats of an expression may share out a text
TOO_MANY_WAYS = (
    f"its repeats can share out a text in more than {WAYS:,} ways. Make them narrower, or split it "
    "into several."
)

_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_TOKEN = re.compile(
    r"(?P<refused>\\[1-9]|\(\?P=|\(\?\(|\(\?#|\(\?[aiLmsux]+\))"
    r"|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<open>\((?:\?(?:[:=!>]|<[=!]|P<\w+>|[aiLmsux]*(?:-[imsx]+)?:))?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<repeat>[*+?]|\{(?P<low>\d*)(?P<comma>,?)(?P<top>\d*)\})[?+]?|.",
    re.DOTALL,
)


def problem(expression: str) -> str:
    """What is wrong with it and what to write instead, as a sentence; empty when it may run."""
    if not expression.strip():
        return "it is empty, and would match every question. Remove it."
    if len(expression) > LONGEST:
        return f"it is longer than {LONGEST} characters. Split it into several."
    try:
        with warnings.catch_warnings():  # what a later Python will read in another way
            warnings.simplefilter("error", FutureWarning)
            compiled = re.compile(expression, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError, FutureWarning) as error:
        return f"it does not compile ({error}). Mend it there."
    if compiled.search(""):
        return "it matches an empty text, and so every question. Make a word of it required."
    reading = _Reading()
    return next(filter(None, map(reading.take, _TOKEN.finditer(expression))), "")


class _Reading:
    """Counts ways while it reads. One level of `_open` for each group that is open."""

    def __init__(self) -> None:
        self._open = [_Group()]
        self._closed = 0  # ways of the group that was just closed; 0 after anything else

    def take(self, token: re.Match[str]) -> str:
        """What is wrong with this token, or ""."""
        closed, self._closed = self._closed, 0
        if token["refused"]:
            return "it refers back to a group, sets a flag or holds a note. Write it without."
        if token["open"]:
            self._open.append(_Group(looks=token["open"] in _LOOKS))
        elif token["close"]:
            self._close()
        elif token["or"]:
            self._open[-1].next_branch()
        elif token["repeat"] and (wrong := self._repeat(token, closed)):
            return wrong
        return TOO_MANY_WAYS if self._ways() > WAYS else ""

    def _close(self) -> None:
        inner = self._open.pop()
        # What a look ahead or behind has found is never tried again in another way.
        self._closed = 1 if inner.looks else inner.total()
        self._open[-1].peak = max(self._open[-1].peak, self._open[-1].ways * inner.high())
        self._open[-1].ways *= self._closed

    def _repeat(self, token: re.Match[str], closed: int) -> str:
        width = _width(token)
        if width is None:
            return f"{token['repeat']} has no upper bound. Write {{0,{WIDEST}}} or less instead."
        if width > WIDEST:
            return f"{token['repeat']} is wider than {WIDEST}. Write a smaller bound."
        if closed and token["repeat"] != "?":
            return f"{token['repeat']} repeats a group. Repeat one character, or write it out."
        group = self._open[-1]
        group.ways = group.ways // closed * (closed + 1) if closed else group.ways * (width + 1)
        return ""

    def _ways(self) -> int:
        return math.prod(group.ways for group in self._open[:-1]) * self._open[-1].high()


@dataclass(slots=True)
class _Group:
    """The ways of a group's branch that is being read, and of those before it."""

    looks: bool = False
    ways: int = 1
    before: int = 1
    peak: int = 1

    def next_branch(self) -> None:
        self.before, self.ways = self.total(), 1

    def total(self) -> int:
        """Of its branches the widest counts, since at one place mostly one of them fits."""
        return max(self.before, self.ways)

    def high(self) -> int:
        """The most that was tried anywhere in it."""
        return max(self.peak, self.total())


def _width(token: re.Match[str]) -> int | None:
    """How far a repeat can stretch; None without an end."""
    if token["repeat"] == "?":
        return 1
    if token["low"] is None:
        return None
    if not token["comma"]:
        return 0
    return int(token["top"]) - int(token["low"] or 0) if token["top"] else None
