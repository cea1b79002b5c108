"""The blast radius: exactly which turns, and whose, a suspect touched within a window.

It is read from the decision records by SQL: what the record does not say did not count. Only the
question whether a control was owed at all needs the turn's events, of the few turns without it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, Max, Min, Q, QuerySet
from django.db.models.functions import Cast, Coalesce

from admin_tracing.counted import counted, in_record, record_shows
from admin_tracing.suspects import Suspect, SuspectKind
from admin_tracing.taxonomy import Reach
from chat.contracts.verdicts import Termination
from chat.models import Turn

BATCH = 2_000  # rows of an export that are read at once


@dataclass(frozen=True, slots=True)
class Extent:
    """How far it went. `first` and `last` are when the outermost turns began, None without any."""

    turns: int
    people: int
    first: datetime | None
    last: datetime | None


def radius(
    suspect: Suspect, since: datetime | None = None, until: datetime | None = None
) -> QuerySet[Turn]:
    """The turns of people that the suspect touched, oldest first; `until` itself is outside."""
    return counted(since, until).filter(touched_by(suspect)).order_by("started_at", "id")


def touched_by(suspect: Suspect) -> Q:
    """The condition on a turn with a record. For lists that filter by it, too."""
    return _CONDITIONS[suspect.kind](suspect.name, suspect.value)


def extent(turns: QuerySet[Turn]) -> Extent:
    """Counts of a radius, in one query."""
    person = Coalesce(
        Cast("conversation__user_id", CharField()), Cast("conversation__visitor", CharField())
    )
    found = turns.order_by().aggregate(
        turns=Count("pk"),
        people=Count(person, distinct=True),
        first=Min("started_at"),
        last=Max("started_at"),
    )
    return Extent(**found)


def reach(turns: QuerySet[Turn], *, ongoing: bool) -> Reach:
    """What the severity's rule weighs, of a radius. `acted`: a person's yes was carried out."""
    found = extent(turns)
    weighed = turns.order_by().aggregate(
        restricted=Count("pk", filter=Q(termination=Termination.RESTRICTED)),
        sensitive=Count("pk", filter=Q(is_sensitive=True)),
        acted=Count("pk", filter=Q(pauses__kind="action", pauses__approved=True)),
    )
    return Reach(
        turns=found.turns,
        people=found.people,
        restricted=weighed["restricted"] > 0,
        sensitive=weighed["sensitive"] > 0,
        acted=weighed["acted"] > 0,
        ongoing=ongoing,
    )


def lines(
    turns: QuerySet[Turn], after: tuple[datetime, Any] | None = None, limit: int = BATCH
) -> list[dict[str, Any]]:
    """One batch of what is needed to write to people, after the last line's time and turn."""
    if after is not None:
        at, turn = after
        turns = turns.filter(Q(started_at__gt=at) | Q(started_at=at, id__gt=turn))
    rows = turns.values(
        *("id", "started_at", "termination", "conversation_id"),
        *("is_sensitive", "confidence", "record__number", "record__digest"),
        *("conversation__user__username", "conversation__user__email", "conversation__visitor"),
    )
    return list(rows[:limit])


def _control(name: str, outcome: str) -> Q:
    return record_shows(f"{name} {outcome}")


def _document(slug: str, version: str) -> Q:
    which = f" && @.version == {int(version)}" if version else ""
    cited = f"$.citations[*] ? (@.chunk starts with {json.dumps(slug + '#')}{which})"
    return Q(in_record(cited))


def _prompt(purpose: str, version: str) -> Q:
    exact = f"@ == {json.dumps(f'{purpose} {version}'.strip())}"
    which = exact if version else f"{exact} || @ starts with {json.dumps(purpose + ' ')}"
    return Q(in_record(f"$.model_calls.*.prompts[*] ? ({which})"))


def _model(name: str, _value: str) -> Q:
    return Q(in_record(f"$.model_calls.*.models[*] ? (@ == {json.dumps(name)})"))


_CONDITIONS = {
    SuspectKind.CONTROL: _control,
    SuspectKind.DOCUMENT: _document,
    SuspectKind.PROMPT: _prompt,
    SuspectKind.MODEL: _model,
}
