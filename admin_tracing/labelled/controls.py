"""Every control against people: precision, recall, kappa, and the turns on which they part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.measured import CONTROLS, Case, Measured
from admin_tracing.labelled.parts import Parts, parts
from admin_tracing.labelled.standing import Labelled, blinded
from admin_tracing.labelled.weights import weights
from admin_tracing.models import Settlement
from admin_tracing.stats import Estimate, Kappa, cohen_grouped
from admin_tracing.stats.weighted import hajek_grouped

FALSE_ALARM = "false_alarm"
MISS = "miss"
ALARM, FAULT, ANY, LABELLED_ANY = "alarm", "fault", "drawn", "labelled"
"""The turns of precision, of recall, of kappa, and of all cases, drawn or not."""


class Told(NamedTuple):
    """One case of a control with its turn; without a weight it was not drawn."""

    turn: UUID
    case: Case
    weight: float | None


@dataclass(frozen=True, slots=True)
class Parted:
    """The turns on which a control and people part, drawn or not, each once."""

    control: Measured
    false_alarms: tuple[UUID, ...]
    misses: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Row(Parted):
    """What a control is worth. `n` counts all cases, drawn or not, of `turns`; the estimates those
    drawn."""

    n: int
    turns: int
    precision: Estimate
    recall: Estimate
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class Labels:
    """What is read once for all controls. `blind` are `answers` as people gave them by themselves,
    which is what tells of a check."""

    routing: Sequence[Labelled]
    answers: Sequence[Labelled]
    blind: Sequence[Labelled]
    parts: Mapping[UUID, Parts]

    def of(self, control: Measured) -> Sequence[Labelled]:
        """The labels that tell of a control."""
        return self.routing if control.of_routing else self.blind


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the drawn turns, for each of the two jobs."""

    routing: Mapping[UUID, float]
    blind: Mapping[UUID, float]

    def of(self, control: Measured) -> Mapping[UUID, float]:
        return self.routing if control.of_routing else self.blind


UNWEIGHED = Weights({}, {})


def controls(days: Days, versions: int | None = None) -> list[Row]:
    """A row for each control, in the order of the agent. Ten queries."""
    labels = read_labels(days, versions)
    drawn = Weights(
        weights(labels.routing, read.drawn(days, Settlement.Job.ROUTING, versions)),
        weights(labels.blind, read.drawn(days, Settlement.Job.GROUNDEDNESS, versions)),
    )
    return [row_of(control, cases_of(control, labels, drawn)) for control in CONTROLS]


def read_labels(days: Days, versions: int | None = None) -> Labels:
    """Everything but weights. Eight queries."""
    return Labels(read.routing(days, versions), *_answers(days, versions))


def _answers(
    days: Days, versions: int | None = None
) -> tuple[list[Labelled], list[Labelled], dict[UUID, Parts]]:
    """All of them as they stand, the same as they were before anybody saw the check's verdict, and
    the parts. To leave out who then changed their mind would leave out where they had parted."""
    rows = read.groundedness(days, versions)
    seen = read.before_seeing()[Settlement.Job.GROUNDEDNESS]
    blind = [blinded(row, "grounded", seen) for row in rows]
    return rows, blind, parts(days, versions, seen)


def told_of(control: Measured, days: Days) -> list[Told]:
    """The cases of one control, for which no more than its labels is read.

    Weights are those of the drawn turns alone, so they say which are in the estimates, and no more.
    """
    if control.of_routing:
        labels = Labels(read.routing(days), (), (), {})
    else:
        labels = Labels((), *_answers(days))
    drawn = Weights(weights(labels.routing, ()), weights(labels.blind, ()))
    return cases_of(control, labels, drawn)


def parted_of(labels: Labels) -> list[Parted]:
    """The turns of every control's work list, for which no weight is needed."""
    told = ((control, cases_of(control, labels)) for control in CONTROLS)
    return [
        Parted(control, parted(cases, FALSE_ALARM), parted(cases, MISS)) for control, cases in told
    ]


def cases_of(control: Measured, labels: Labels, drawn: Weights = UNWEIGHED) -> list[Told]:
    """The control's cases on turns of which something stands."""
    by_turn, nothing = drawn.of(control), Parts()
    return [
        Told(row.facts.turn, case, by_turn.get(row.facts.turn))
        for row in labels.of(control)
        if row.is_decided
        for case in control.cases(row, labels.parts.get(row.facts.turn, nothing))
    ]


def row_of(control: Measured, told: Sequence[Told]) -> Row:
    drawn = [(one.case, one.weight, one.turn) for one in told if one.weight is not None]
    return Row(
        control,
        parted(told, FALSE_ALARM),
        parted(told, MISS),
        len(told),
        len(turns_of(told, LABELLED_ANY)),
        hajek_grouped((fault, w, turn) for (alarm, fault), w, turn in drawn if alarm),
        hajek_grouped((alarm, w, turn) for (alarm, fault), w, turn in drawn if fault),
        cohen_grouped((alarm, fault, w, turn) for (alarm, fault), w, turn in drawn),
    )


def parted(told: Sequence[Told], kind: str) -> tuple[UUID, ...]:
    """The turns of false alarms, or of misses."""
    wanted = (True, False) if kind == FALSE_ALARM else (False, True)
    return tuple(dict.fromkeys(one.turn for one in told if one.case == wanted))


def turns_of(told: Sequence[Told], kind: str) -> tuple[UUID, ...]:
    """The turns of which a control's precision, recall, kappa or n is made, each once."""
    wanted = _KINDS[kind]
    return tuple(dict.fromkeys(one.turn for one in told if wanted(one)))


_KINDS: Mapping[str, Callable[[Told], bool]] = {
    ALARM: lambda one: one.weight is not None and one.case[0],
    FAULT: lambda one: one.weight is not None and one.case[1],
    ANY: lambda one: one.weight is not None,
    LABELLED_ANY: lambda one: True,
}
