"""Rules and counts in, alerts out. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from chat.alerts.conditions import Counts
from chat.alerts.rules import AlertRule, Severity


@dataclass(frozen=True, slots=True)
class Alert:
    """A rule that speaks, of one control or of none (empty), for a window.

    `figure` is what was held against the rule's bound: a share, a number of turns, or seconds; `n`
    is of how many cases.
    """

    rule: str
    control: str
    severity: Severity
    summary: str
    since: datetime
    until: datetime
    figure: float
    n: int


def evaluate(rules: Iterable[AlertRule], counts: Counts) -> tuple[Alert, ...]:
    """The alerts of these rules, in their order. The counts are of the rules' own window."""
    return tuple(
        Alert(
            rule=rule.name,
            control=control,
            severity=rule.severity,
            summary=rule.summary.format(control=control),
            since=counts.since,
            until=counts.until,
            figure=round(figure, 4),
            n=n,
        )
        for rule in rules
        for control, figure, n in rule.condition.found(counts)
    )
