"""What a turn asks of whoever labels it: the way always, the answer where there is one to hold.

A greeting, a turn that was turned away and an answer from no document have nothing that sources
could hold, so nobody is asked whether they do.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.queueing.agreement import UNDECIDED, Job
from chat.contracts.events import NOBODYS
from chat.contracts.verdicts import Route, Termination
from chat.models import Turn

ANSWERS: Final = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
FROM_DOCUMENTS: Final = (Route.SINGLE_SHOT, Route.ITERATIVE, Route.BASIC)
HOLDS_ANSWER: Final = Q(citations__gt=0) | Q(
    termination__in=ANSWERS, route_taken__in=FROM_DOCUMENTS
)
"""Of a turn: its answer can be held against sources."""

MAY_BE_LABELLED: Final = Q(status=Turn.Status.FINISHED, erased_at__isnull=True) & ~Q(
    kind__in=NOBODYS
)
"""Of a turn: it ended, it is a person's, and what was said in it is still there."""


def holds_answer(turn: Turn) -> bool:
    """`HOLDS_ANSWER` of a turn in hand."""
    from_documents = turn.termination in ANSWERS and turn.route_taken in FROM_DOCUMENTS
    return turn.citations > 0 or from_documents


def may_be_labelled(turn: Turn) -> bool:
    """`MAY_BE_LABELLED` of a turn in hand."""
    ended = turn.status == Turn.Status.FINISHED and turn.erased_at is None
    return ended and turn.kind not in NOBODYS


def jobs_of(turn: Turn) -> tuple[Job, ...]:
    """The jobs that a turn asks for, in the order in which they are asked."""
    return (Job.ROUTING, Job.GROUNDEDNESS) if holds_answer(turn) else (Job.ROUTING,)


def is_definite(said: str) -> bool:
    """Does this answer say something of the turn?"""
    return bool(said) and said not in UNDECIDED


DEFINITE_NEEDED: Final = tuple(one for one in RoutingLabel.Needed.values if is_definite(one))
DEFINITE_GROUNDED: Final = tuple(
    one for one in GroundednessLabel.Grounded.values if is_definite(one)
)
DEFINITE_CORRECT: Final = tuple(one for one in GroundednessLabel.Correct.values if is_definite(one))
