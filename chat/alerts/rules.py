"""The rules of what ought to wake somebody, as data: what is watched, how closely, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from chat.alerts.conditions import (
    Condition,
    Failures,
    Faults,
    Missing,
    Only,
    Share,
    ShareGrew,
    Silent,
    Slow,
    Unwatched,
)
from chat.contracts.verdicts import Outcome, Termination

Severity = Literal["warning", "critical"]

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class AlertRule:
    """`summary` is for people; `{control}` in it stands for the control that is meant.

    `lasting` is how long Prometheus sees it before it speaks.
    """

    name: str
    severity: Severity
    summary: str
    window: timedelta
    condition: Condition
    lasting: timedelta = timedelta()

    @property
    def expr(self) -> str:
        """The rule as an expression of Prometheus."""
        return self.condition.expr(word(self.window))

    @property
    def by_control(self) -> bool:
        return "{control}" in self.summary


def word(span: timedelta) -> str:
    """A time as Prometheus writes it: 15m, 1h."""
    minutes = int(span.total_seconds() // 60)
    return f"{minutes}m" if minutes % 60 else f"{minutes // 60}h"


RULES: tuple[AlertRule, ...] = (
    AlertRule(
        "control_fails_closed",
        "critical",
        "The control {control} could not run in more than 5 % of its runs. It fails closed: "
        "people are told less than there is.",
        QUARTER,
        Failures((Outcome.FAILED_CLOSED,), above=0.05, least=20),
    ),
    AlertRule(
        "control_fails_open",
        "warning",
        "The control {control} could not run in more than 5 % of its runs. It fails open: turns "
        "went on as if it had passed.",
        QUARTER,
        Failures((Outcome.FAILED_OPEN,), above=0.05, least=20),
    ),
    AlertRule(
        "control_down",
        "critical",
        "The control {control} could not run in nine of ten runs. On a quiet site this speaks "
        "where a share of many runs cannot.",
        QUARTER,
        Failures((Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED), above=0.9, least=3),
    ),
    AlertRule(
        "control_missing",
        "critical",
        "The control {control} ought to have run in a turn and left no decision. A path leads "
        "past it.",
        QUARTER,
        Missing(),
    ),
    AlertRule(
        "control_silent",
        "critical",
        "The control {control} was due and has said nothing at all. It looks healthy and does "
        "not run.",
        QUARTER,
        Silent(least=5),
    ),
    AlertRule(
        "nobody_watches",
        "critical",
        "Turns end and nobody looks whether their controls have run.",
        QUARTER,
        Unwatched(least=5),
    ),
    AlertRule(
        "step_limit",
        "critical",
        "A turn ran into the step limit, which is a defect of the graph and no way out.",
        QUARTER,
        Share((Termination.STEP_LIMIT,), above=0.0, least=1),
    ),
    AlertRule(
        "refusals_doubled",
        "warning",
        "The share of questions turned away as off topic or restricted is twice that of the day "
        "before.",
        HOUR,
        ShareGrew((Termination.OFF_TOPIC, Termination.RESTRICTED), factor=2, above=0.1, least=20),
    ),
    AlertRule(
        "no_evidence",
        "warning",
        "More than 30 % of turns found nothing that answers. Is the handbook there, and the index?",
        HOUR,
        Share((Termination.NO_EVIDENCE, Termination.NO_PROGRESS), above=0.3, least=20),
    ),
    AlertRule(
        "budget_ends_turns",
        "warning",
        "More than 10 % of turns were ended by a budget of tokens, cost, time, passes or tools.",
        HOUR,
        Share(
            (
                Termination.TOKEN_CAP,
                Termination.COST_CAP,
                Termination.TIME_CAP,
                Termination.PASS_CAP,
                Termination.TOOL_CAP,
            ),
            above=0.1,
            least=20,
        ),
    ),
    AlertRule(
        "model_faults",
        "critical",
        "More than 5 % of the calls of models gave no usable answer.",
        QUARTER,
        Faults(("timeout", "failed", "invalid"), above=0.05, least=20),
    ),
    AlertRule(
        "slow_turns",
        "warning",
        "One turn in twenty takes longer than 30 seconds.",
        QUARTER,
        Slow(above=30, least=20),
    ),
    AlertRule(
        "redaction_refuses",
        "critical",
        "What people ask is turned away because redaction could not run. No turn begins, so no "
        "decision tells of it.",
        QUARTER,
        Only(
            'sum(increase(plumbline_refused_frames_total{code="redaction_failed"}[{window}])) > 0'
        ),
    ),
    AlertRule(
        "record_retries",
        "critical",
        "Records of turns could not be sealed at the first try. Is the database there?",
        QUARTER,
        Only("sum(increase(plumbline_record_retries_total[{window}])) > 2"),
    ),
    AlertRule(
        "sockets_refused",
        "warning",
        "Pages were turned away because a person or an address had too many open.",
        QUARTER,
        Only(
            'sum(increase(plumbline_limits_total{limit=~"sockets_.*",outcome="refused"}'
            "[{window}])) > 20"
        ),
    ),
    AlertRule(
        "limits_open",
        "warning",
        "The store of the limits is away: each process counts by itself.",
        QUARTER,
        Only('sum(increase(plumbline_limits_total{outcome="failed_open"}[{window}])) > 0'),
    ),
    AlertRule(
        "no_turns",
        "warning",
        "Pages are open and no turn has ended for an hour.",
        HOUR,
        Only(
            "sum(plumbline_sockets_open) >= 5 "
            "unless sum(increase(plumbline_turns_total[{window}])) > 0"
        ),
        lasting=QUARTER,
    ),
    AlertRule(
        "nothing_scraped",
        "critical",
        "No process of the site can be read. Every other rule is silent while this lasts.",
        QUARTER,
        Only("absent(plumbline_decisions_total)"),
        lasting=timedelta(minutes=5),
    ),
)
