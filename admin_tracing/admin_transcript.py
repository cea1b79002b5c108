"""The small form beside each turn of a transcript in Django admin, and its way back there.

Who may label a turn and has not said all of it yet reads the transcript blind: no confidence, no
caveat, no word on whether a source carries what is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from admin_tracing import queries, queueing
from admin_tracing.access import LABEL, may, requires
from admin_tracing.asked import asked
from admin_tracing.labels import BadLabel
from admin_tracing.queue_forms import answers_in
from admin_tracing.queue_sheet import rows_of, said_of
from admin_tracing.queue_words import Row
from admin_tracing.queueing import NotYours
from chat.contracts.errors import RedactionFailed
from chat.contracts.events import Claim
from chat.models import Turn

UNSCREENED = "The note could not be screened for private data, so nothing was stored. Try again."
NOTHING = "Choose an answer first: the way, or both questions on the answer."


@dataclass(frozen=True, slots=True)
class Inline:
    """One turn's form. `why_not` stands in its place; `blind` hides what a check made of it."""

    rows: tuple[Row, ...]
    said: Mapping[str, Any]
    claims: Sequence[Claim]
    blind: bool
    why_not: str


def inlines(turns: Sequence[UUID], user: Any) -> dict[UUID, Inline]:
    """The forms of those turns that somebody may label, by turn."""
    if not may(user, LABEL):
        return {}
    rows = Turn.objects.filter(queueing.MAY_BE_LABELLED, pk__in=list(turns))
    return {
        turn.pk: _inline(turn, user) for turn in rows.select_related("conversation", "question")
    }


def _inline(turn: Turn, user: Any) -> Inline:
    refusal = queueing.why_not(user, turn)
    has_said_all = queueing.see(user, turn.pk)
    return Inline(
        rows=rows_of(turn),
        said=said_of(turn, user),
        claims=asked(turn).claims,
        # Who others keep from it now may label it later, and would not be blind any more.
        blind=not has_said_all and not queueing.why_never(user, turn),
        why_not=refusal,
    )


@require_POST
@requires(LABEL)
def label_by_hand(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Store what was filled in beside a turn of a transcript, and go back to it."""
    found = queries.turn_with_question(turn)
    if found is None or not queueing.may_be_labelled(found):
        raise Http404("There is no such turn to label.")
    try:
        stored = _give(request, found)
    except (NotYours, BadLabel) as refusal:
        messages.error(request, str(refusal))
    except RedactionFailed:
        messages.error(request, UNSCREENED)
    else:
        say = messages.success if stored else messages.warning
        say(request, "Your label is stored." if stored else NOTHING)
    transcript = reverse("admin:chat_conversation_change", args=(found.conversation_id,))
    return redirect(f"{transcript}#turn-{turn}")


def _give(request: HttpRequest, turn: Turn) -> bool:
    """True if at least one job was filled in."""
    given = answers_in(request.POST, turn, asked(turn))
    if given and (refusal := queueing.why_not(request.user, turn)):
        raise NotYours(refusal)
    if given:
        queueing.add([turn.pk], "hand", user=request.user)
    for answer in given:
        queueing.give(request.user, turn.pk, answer)
    return bool(given)
