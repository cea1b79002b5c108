"""What can go wrong, agreed before it does: six categories, whose they are, and how bad. Pure.

Data, so that a category is looked up and not argued about. `severity` reads the table; a person may
set another, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum


class Choice(StrEnum):
    """A closed set of stored names that forms can offer."""

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        """Pairs of stored name and words."""
        return [(one.value, one.value.replace("_", " ")) for one in cls]


class Severity(Choice):
    """From what can wait for the week to what somebody is woken for."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)


class Category(Choice):
    """What kind of thing happened."""

    UNSUPPORTED_CLAIM = "unsupported_claim"
    WRONGLY_REFUSED = "wrongly_refused"
    SCOPE_BREACH = "scope_breach"
    DATA_LEAK = "data_leak"
    CONTROL_OUTAGE = "control_outage"
    ACTION_IN_ERROR = "action_in_error"


@dataclass(frozen=True, slots=True)
class Reach:
    """What is known of an incident: how many turns and people, and four things that weigh.

    `restricted`: a question of a restricted category is among the turns. `sensitive`: one that
    tells of somebody's health is. `acted`: something was done that a person had to confirm.
    `ongoing`: it still happens.
    """

    turns: int = 1
    people: int = 1
    restricted: bool = False
    sensitive: bool = False
    acted: bool = False
    ongoing: bool = False


FACTS = tuple(one.name for one in fields(Reach))


@dataclass(frozen=True, slots=True)
class Step:
    """At least this severity, if every fact has at least its number (1 for a yes)."""

    to: Severity
    needs: Mapping[str, int]

    def holds(self, reach: Reach) -> bool:
        return all(int(getattr(reach, fact)) >= least for fact, least in self.needs.items())

    @property
    def why(self) -> str:
        """The condition in words: `people at least 10, ongoing`."""
        parts = (f"{f} at least {n}" if f in ("turns", "people") else f for f, n in self.items)
        return ", ".join(parts)

    @property
    def items(self) -> tuple[tuple[str, int], ...]:
        return tuple(self.needs.items())


@dataclass(frozen=True, slots=True)
class Kind:
    """One category: what it means, which group it belongs to, and where its severity starts."""

    means: str
    owner: str
    base: Severity
    steps: tuple[Step, ...] = field(default=())


LOW, MEDIUM, HIGH, CRITICAL = Severity

TAXONOMY: Mapping[Category, Kind] = {
    Category.UNSUPPORTED_CLAIM: Kind(
        "An answer said something that no source holds.",
        "Reviewers",
        LOW,
        (
            Step(MEDIUM, {"ongoing": 1}),
            Step(MEDIUM, {"people": 5}),
            Step(HIGH, {"restricted": 1}),
            Step(HIGH, {"sensitive": 1}),
            Step(HIGH, {"people": 50}),
            Step(CRITICAL, {"people": 500}),
        ),
    ),
    Category.WRONGLY_REFUSED: Kind(
        "Somebody asked what is ours to answer and was turned away.",
        "Support",
        LOW,
        (
            Step(MEDIUM, {"ongoing": 1}),
            Step(MEDIUM, {"people": 5}),
            Step(HIGH, {"sensitive": 1}),
            Step(HIGH, {"people": 50}),
            Step(CRITICAL, {"people": 500, "ongoing": 1}),
        ),
    ),
    Category.SCOPE_BREACH: Kind(
        "An answer was given that must not be given, such as advice about one person's case.",
        "Reviewers",
        MEDIUM,
        (
            Step(HIGH, {"restricted": 1}),
            Step(HIGH, {"people": 10}),
            Step(CRITICAL, {"restricted": 1, "ongoing": 1}),
            Step(CRITICAL, {"people": 100}),
        ),
    ),
    Category.DATA_LEAK: Kind(
        "Something private was stored, sent or shown where it must not be.",
        "Reviewers",
        HIGH,
        (
            Step(CRITICAL, {"sensitive": 1}),
            Step(CRITICAL, {"ongoing": 1}),
            Step(CRITICAL, {"people": 2}),
        ),
    ),
    Category.CONTROL_OUTAGE: Kind(
        "A control did not run where it should have.",
        "Engineers",
        LOW,
        (
            Step(MEDIUM, {"ongoing": 1}),
            Step(MEDIUM, {"turns": 20}),
            Step(HIGH, {"restricted": 1}),
            Step(HIGH, {"sensitive": 1}),
            Step(HIGH, {"acted": 1}),
            Step(HIGH, {"turns": 200}),
            Step(CRITICAL, {"restricted": 1, "ongoing": 1}),
            Step(CRITICAL, {"turns": 2_000, "ongoing": 1}),
        ),
    ),
    Category.ACTION_IN_ERROR: Kind(
        "Something was done that nobody wanted, or to the wrong thing.",
        "Engineers",
        MEDIUM,
        (
            Step(HIGH, {"acted": 1}),
            Step(CRITICAL, {"acted": 1, "ongoing": 1}),
            Step(CRITICAL, {"people": 10}),
        ),
    ),
}


OF_RULE: Mapping[str, Category] = {
    "refusals_doubled": Category.WRONGLY_REFUSED,
    "no_evidence": Category.WRONGLY_REFUSED,
}
"""The category of an alert's rule, where it is no outage."""

OF_ALERT: Mapping[str, Severity] = {"warning": MEDIUM, "critical": HIGH}
"""The least severity of an incident that an alert opened, by the alert's own."""


def severity(category: Category, reach: Reach) -> Severity:
    """The highest of the category's base and every step that holds. More reach is never less."""
    return _held(category, reach)[0]


def why(category: Category, reach: Reach) -> str:
    """What made it so, in words."""
    step = _held(category, reach)[1]
    return step.why if step else "the least of its category"


def _held(category: Category, reach: Reach) -> tuple[Severity, Step | None]:
    kind = TAXONOMY[category]
    best: tuple[Severity, Step | None] = (kind.base, None)
    for step in kind.steps:
        if step.holds(reach) and step.to.rank > best[0].rank:
            best = (step.to, step)
    return best
