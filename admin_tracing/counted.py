"""Which turns count: those of people that are over; lab turns and re-runs stand outside.

What a figure counts and what the list shows for it are one condition, which stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    BooleanField,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
)

from chat.contracts.events import NOBODYS
from chat.contracts.verdicts import Termination
from chat.models import Feedback, Pause, Turn

ANSWERED = Q(termination__in=(Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT))
LONGEST = 300  # characters of what a record is said to show
AT_ONCE = ANSWERED & Q(passes=1)
GIVEN_UP = (Pause.Status.EXPIRED, Pause.Status.ENDED)
VOTED = Q(feedback__isnull=False)
MADE_ANEW = Q(
    Exists(
        Turn.objects.filter(
            kind="regenerate",
            question=OuterRef("question"),
            started_at__gt=OuterRef("started_at"),
        )
    )
)
"""The question was answered once more on request."""


def in_record(path: str) -> Func:
    """Does the decision record of a turn hold anything at this SQL/JSON path?"""
    return Func(
        F("record__facts"),
        Value(path),
        template="(%(expressions)s)",
        arg_joiner=" @? ",
        output_field=BooleanField(),
    )


def record_shows(what: str) -> Q:
    """Does the decision record of a turn show this? By an index: no record is read for it.

    Its words are those of `chat.models.sql.RECORD_SHOWS`.
    """
    words = Value([what[:LONGEST]], output_field=ArrayField(TextField()))
    held = Func(
        F("record__facts"),
        words,
        template="(plumbline_shows(%(expressions)s)",
        arg_joiner=") @> ",
        output_field=BooleanField(),
    )
    return Q(held)


RESCUED = ANSWERED & Q(passes__gt=1) & record_shows("rescued")

SHOWS: Mapping[str, Q] = {
    "ended": Q(status=Turn.Status.FINISHED),
    "answered": ANSWERED,
    "refused": Q(termination__in=(Termination.OFF_TOPIC, Termination.RESTRICTED)),
    "asked_back": Q(asked_back__gt=0),
    "abandoned": Q(status=Turn.Status.FINISHED)
    & Q(
        Exists(
            Pause.objects.filter(
                turn=OuterRef("pk"), kind=Pause.Kind.CLARIFICATION, status__in=GIVEN_UP
            )
        )
    ),
    "gap": ANSWERED & Q(gaps__gt=0),
    "unsupported": ANSWERED & Q(unsupported__gt=0),
    "all_supported": ANSWERED & Q(unsupported=0),
    "judged_unheld": Q(unsupported__gt=0),
    "judged_held": Q(unsupported=0),
    "liked": Q(feedback__vote=Feedback.Vote.UP),
    "disliked": Q(feedback__vote=Feedback.Vote.DOWN),
    "nothing_found": Q(termination__in=(Termination.NO_EVIDENCE, Termination.NO_PROGRESS)),
    "one_pass": Q(passes=1),
    "further_passes": Q(passes__gt=1),
    "rescued": RESCUED,
    "rescued_and_voted": RESCUED & VOTED,
    "rescued_and_made_anew": RESCUED & MADE_ANEW,
    "answered_at_once": AT_ONCE,
    "answered_at_once_and_voted": AT_ONCE & VOTED,
    "answered_at_once_and_made_anew": AT_ONCE & MADE_ANEW,
    "searched_afterwards": Q(shadow__has_evidence__isnull=False),
    "found_afterwards": Q(shadow__has_evidence=True),
    "control_missed": record_shows("missed"),
}
"""What a turn may show, by the name of the list's filter."""


def counted(since: datetime | None = None, until: datetime | None = None) -> QuerySet[Turn]:
    """Ended turns of people that began from `since` on and before `until`."""
    rows = Turn.objects.filter(status=Turn.Status.FINISHED).exclude(kind__in=NOBODYS)
    if since is not None:
        rows = rows.filter(started_at__gte=since)
    return rows.filter(started_at__lt=until) if until is not None else rows
