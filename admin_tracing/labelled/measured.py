"""The controls that people can be held against: one row each, as data. Pure.

A control that is right raises its alarm where people see the fault, and nowhere else. What it
found and nobody confirms is a false alarm, what people see and it did not is a miss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from admin_tracing.labelled.parts import Parts
from admin_tracing.labelled.standing import Labelled
from chat.contracts.verdicts import Confidence, Route, Termination

BANDS = frozenset(Confidence)
SEARCHES = (Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE)

Case = tuple[bool, bool]
"""Did the control raise its alarm, and do people see the fault?"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: what the control's alarm is, what people say of it, and the cases of a turn.

    `unit` is what is counted: a turn may hold several claims. `of_routing` says which of the two
    jobs tells; `note` what the row cannot see.
    """

    name: str
    title: str
    alarm: str
    fault: str
    unit: str
    of_routing: bool
    cases: Callable[[Labelled, Parts], list[Case]]
    note: str = ""


def _scope(row: Labelled, _parts: Parts) -> list[Case]:
    """What a rule of the site refused is no question of the topic."""
    if row.facts.termination == Termination.RESTRICTED:
        return []
    return [(row.facts.termination == Termination.OFF_TOPIC, row.stands == Route.OFF_TOPIC)]


def _ambiguity(row: Labelled, _parts: Parts) -> list[Case]:
    return [(row.facts.asked_back > 0, row.stands == Route.CLARIFY)]


def _router(row: Labelled, _parts: Parts) -> list[Case]:
    """Only where a way was decided, and one of those was needed."""
    if row.stands not in SEARCHES or row.facts.taken not in SEARCHES:
        return []
    return [(row.facts.decided == Route.ITERATIVE, row.stands == Route.ITERATIVE)]


def _check(row: Labelled, parts: Parts) -> list[Case]:
    return [] if parts.check_acted is None else [(parts.check_acted, row.stands != "yes")]


def _judge(row: Labelled, _parts: Parts) -> list[Case]:
    return [(row.facts.unsupported > 0, row.stands != "yes")]


def _claims(_row: Labelled, parts: Parts) -> list[Case]:
    return _unheld(parts.judged, parts.claims)


def _binding(_row: Labelled, parts: Parts) -> list[Case]:
    return _unheld(parts.bound, parts.citations)


def _relevance(_row: Labelled, parts: Parts) -> list[Case]:
    return _unheld(parts.graded, parts.citations)


def _band(row: Labelled, _parts: Parts) -> list[Case]:
    if row.facts.confidence not in BANDS or row.correct is None or not row.correct.value:
        return []
    is_fine = row.stands == "yes" and row.correct.value == "yes"
    return [(row.facts.confidence in (Confidence.LOW, Confidence.NONE), not is_fine)]


def _unheld(control: Mapping[str, bool], people: Mapping[str, bool]) -> list[Case]:
    """The parts of which both said something."""
    return [(not control[name], not people[name]) for name in people if name in control]


CONTROLS: tuple[Measured, ...] = (
    Measured(
        "scope",
        "Scope",
        "turned away as off topic",
        "people call it off topic",
        "turns",
        True,
        _scope,
    ),
    Measured(
        "ambiguity",
        "Clarification",
        "asked the person back",
        "people say it had to be asked",
        "turns",
        True,
        _ambiguity,
    ),
    Measured(
        "router",
        "Router",
        "decided for several searches",
        "people say it needed several",
        "turns",
        True,
        _router,
        "Turns that were answered by one of the three ways alone.",
    ),
    Measured(
        "relevance",
        "Relevance grading",
        "did not call the passage an answer",
        "people say it does not carry what is said",
        "citations",
        False,
        _relevance,
        "Cited passages alone: what was thrown away nobody sees here.",
    ),
    Measured(
        "groundedness",
        "Grounding check",
        "found fault with the answer",
        "people call it not held, or in part",
        "turns",
        False,
        _check,
        "Turns on which it ran.",
    ),
    Measured(
        "judge",
        "Judge, by answer",
        "called a claim unsupported",
        "people call it not held, or in part",
        "turns",
        False,
        _judge,
        "Every answer; where the check did not run it called nothing.",
    ),
    Measured(
        "claims",
        "Judge, by claim",
        "called the claim unsupported",
        "people call it unsupported",
        "claims",
        False,
        _claims,
    ),
    Measured(
        "citation_binding",
        "Citation binding",
        "says the passage does not carry it",
        "people say it does not",
        "citations",
        False,
        _binding,
    ),
    Measured(
        "confidence",
        "Confidence band",
        "low, or none",
        "people call it not held or not right",
        "turns",
        False,
        _band,
    ),
)

BY_NAME = {row.name: row for row in CONTROLS}
