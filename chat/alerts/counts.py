"""What people's turns left behind in the database, counted for the rules.

Decisions and calls are read from the event rows by their time, through an index that holds these
two kinds alone. Lab turns and re-runs count for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil

from django.db.models import Count, QuerySet

from chat.alerts.conditions import Counts
from chat.alerts.evaluation import Alert, evaluate
from chat.alerts.rules import RULES
from chat.contracts.events import Decision, ModelCall
from chat.contracts.turn_facts import silent_in
from chat.contracts.verdicts import Control, Outcome
from chat.models import Turn, TurnEvent

COUNTED = ("ask", "regenerate", "edit")
LONGEST = timedelta(hours=2)  # from a turn's start to its end, with the times that it waits
DAY = timedelta(days=1)


def check(now: datetime) -> tuple[Alert, ...]:
    """The alerts of this moment, of every rule that the database can tell. Database work."""
    alerts: list[Alert] = []
    for window in sorted({rule.window for rule in RULES}):
        rules = [rule for rule in RULES if rule.window == window]
        alerts += evaluate(rules, recent_counts(now - window, now))
    return tuple(alerts)


def recent_counts(since: datetime, until: datetime) -> Counts:
    """What happened from `since` up to `until`. Database work."""
    times = sorted(
        ms / 1000 for ms in _ended(since, until).values_list("ms", flat=True) if ms is not None
    )
    return Counts(
        since=since,
        until=until,
        decisions=_decisions(since, until),
        missing=_missing(since, until),
        terminations=_terminations(since, until),
        before=_terminations(since - DAY, since),
        model_calls=_model_calls(since, until),
        p95=times[ceil(0.95 * len(times)) - 1] if times else None,
    )


def _decisions(since: datetime, until: datetime) -> Mapping[tuple[str, str], int]:
    rows = _events(Decision.TYPE, since, until).values_list("data__control", "data__outcome")
    return {(control, outcome): n for control, outcome, n in rows.annotate(n=Count("pk"))}


def _missing(since: datetime, until: datetime) -> Mapping[str, int]:
    """Turns by the control that was silent in them, as the policy's own decisions say."""
    told = _events(Decision.TYPE, since, until).filter(
        data__control=Control.POLICY.value, data__outcome=Outcome.ACTED.value
    )
    reasons = told.values_list("data__reason", flat=True)
    return Counter(control for reason in reasons for control in silent_in(reason))


def _model_calls(since: datetime, until: datetime) -> Mapping[str, int]:
    rows = _events(ModelCall.TYPE, since, until).values_list("data__outcome")
    return dict(rows.annotate(n=Count("pk")))


def _terminations(since: datetime, until: datetime) -> Mapping[str, int]:
    return dict(_ended(since, until).values_list("termination").annotate(n=Count("pk")))


def _events(type_: str, since: datetime, until: datetime) -> QuerySet[TurnEvent]:
    return TurnEvent.objects.filter(
        type=type_, at__gte=since, at__lt=until, turn__kind__in=COUNTED
    ).order_by()


def _ended(since: datetime, until: datetime) -> QuerySet[Turn]:
    """By their start first, which has an index."""
    return Turn.objects.filter(
        started_at__gte=since - LONGEST,
        started_at__lt=until,
        finished_at__gte=since,
        finished_at__lt=until,
        kind__in=COUNTED,
    ).order_by()
