"""The page of the queue: the next item, what was said of it, and the way back.

Looking takes nothing: a page shows what its person has before them already, or a form that takes
the turn, which the script sends at once. A script asks for parts of the page with the header
`X-Part`; without one every form posts and leads on to a whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from admin_tracing import queueing
from admin_tracing.access import LABEL, SENSITIVE, may, requires
from admin_tracing.answering import turn_or_404
from admin_tracing.asked import asked
from admin_tracing.labels import BadLabel
from admin_tracing.queue_forms import answers_in
from admin_tracing.queue_sheet import reading, sheet
from admin_tracing.queue_words import NO_ANSWER
from admin_tracing.queueing import NotYours
from admin_tracing.taxonomy import Category, Severity
from chat.contracts.errors import RedactionFailed
from chat.models import Turn

BY_HAND = "hand"

UNSCREENED = "The note could not be screened for private data, so nothing was stored. Try again."


@require_GET
@never_cache
@requires(LABEL)
def queue(request: HttpRequest) -> HttpResponse:
    """The item before this person, else the way to take the next, or what an empty queue says."""
    sensitive = may(request.user, SENSITIVE)
    mine = queueing.mine(request.user, sensitive=sensitive)
    if mine is not None:
        return _item(request, turn_or_404(mine))
    return _waiting(request, queueing.left(request.user, sensitive=sensitive))


@require_GET
@never_cache
@requires(LABEL)
def one(request: HttpRequest, turn: UUID) -> HttpResponse:
    """A given turn: its sheet if this person has it, else what was said, and the way to take it."""
    found = _labelled_here(turn)
    if refusal := queueing.why_not(request.user, found):
        return _closed(request, refusal)
    if request.user.pk in queueing.holders(turn):  # also one that they had left to others before
        return _item(request, found)
    return render(request, _template(request), {"to_take": reading(found)})


@require_POST
@requires(LABEL)
def take(request: HttpRequest) -> HttpResponse:
    """Put the next item before this person."""
    return _next(request)


@require_POST
@requires(LABEL)
def take_one(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Put a given turn before this person; one that is in no queue comes into it."""
    found = _labelled_here(turn)
    refusal = queueing.why_not(request.user, found)
    if not refusal:
        queueing.add([turn], BY_HAND, user=request.user)
        refusal = "" if queueing.take_this(request.user, turn) else queueing.TAKEN
    if refusal:
        return _refused(request, refusal, "workflow:queue")
    return _item(request, found) if _is_part(request) else redirect("workflow:label_one", turn)


@require_POST
@requires(LABEL)
def label(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Store the jobs that are filled in, and stay."""
    found = turn_or_404(turn)

    def store() -> None:
        for answer in answers_in(request.POST, found, asked(found)):
            queueing.give(request.user, turn, answer)

    return _tried(request, turn, store, lambda: _stored(request, found))


@require_POST
@requires(LABEL)
def done(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Store all, and go on with the next."""
    found = turn_or_404(turn)

    def store() -> None:
        queueing.done(request.user, turn, answers_in(request.POST, found, asked(found)))

    return _tried(request, turn, store, lambda: _next(request))


@require_POST
@requires(LABEL)
def skip(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Leave it to others, and go on with the next."""
    queueing.skip(request.user, turn)
    return _next(request)


@require_POST
@requires(LABEL)
def undo(request: HttpRequest) -> HttpResponse:
    """Take back the last review; its item comes again."""
    try:
        turn = queueing.undo(request.user)
    except NotYours as refusal:
        return _refused(request, str(refusal), "workflow:queue")
    if turn is None:
        return _refused(request, "There is nothing to take back.", "workflow:queue")
    found = turn_or_404(turn)
    if found.is_sensitive and not may(request.user, SENSITIVE):
        return _next(request)
    if why := queueing.why_not(request.user, found):
        return _refused(request, f"Taken back. {why}", "workflow:queue")
    return _item(request, found) if _is_part(request) else redirect("workflow:label_one", turn)


def _next(request: HttpRequest) -> HttpResponse:
    item = queueing.take(request.user, sensitive=may(request.user, SENSITIVE))
    if not _is_part(request):
        return redirect("workflow:queue")
    return _waiting(request, 0) if item is None else _item(request, turn_or_404(item.pk))


def _labelled_here(turn: UUID) -> Turn:
    found = turn_or_404(turn)
    if not queueing.may_be_labelled(found):
        raise Http404("There is no such turn to label.")
    return found


def _waiting(request: HttpRequest, left: int) -> HttpResponse:
    """How many wait for this person, with the way to take the next; of none, where they come from.

    Who asked for the next and got none is told so, whatever a count may say.
    """
    can_undo = queueing.last_review(request.user) is not None
    return render(request, _template(request), {"left": left, "can_undo": can_undo})


def _item(request: HttpRequest, turn: Turn) -> HttpResponse:
    context = {
        "item": sheet(turn, request.user, _place(request.user, turn)),
        "no_answer": NO_ANSWER,
        "categories": Category.choices(),
        "severities": Severity.choices(),
        "can_undo": queueing.last_review(request.user) is not None,
    }
    return render(request, _template(request), context)


def _place(user: Any, turn: Turn) -> str:
    """`12 of 40`: the number of this item today, of those done and those that wait."""
    before = queueing.done_today(user, turn.pk)
    after = queueing.left(user, sensitive=may(user, SENSITIVE), but=turn.pk)
    return f"{before + 1} of {before + 1 + after}"


def _stored(request: HttpRequest, turn: Turn) -> HttpResponse:
    """What the sheet shows now that something is stored."""
    if not _is_part(request):
        return redirect("workflow:label_one", turn.pk)
    shown = sheet(turn, request.user)
    seen = render(request, "admin_tracing/_queue_seen.html", {"item": shown}).content.decode()
    return JsonResponse(
        {"may_look": shown.may_look, "complete": shown.seen is not None, "seen": seen}
    )


def _tried(
    request: HttpRequest,
    turn: UUID,
    store: Callable[[], None],
    then: Callable[[], HttpResponse],
) -> HttpResponse:
    """Do it, or say why not: 409 where somebody else was first, 422 where a label does not fit."""
    try:
        store()
    except NotYours as refusal:
        return _refused(request, str(refusal), "workflow:queue")
    except BadLabel as wrong:
        return _refused(request, str(wrong), "workflow:label_one", turn, status=422)
    except RedactionFailed:
        return _refused(request, UNSCREENED, "workflow:label_one", turn, status=503)
    return then()


def _refused(
    request: HttpRequest, why: str, where: str, *about: Any, status: int = 409
) -> HttpResponse:
    if _is_part(request):
        return JsonResponse({"message": why}, status=status)
    messages.error(request, why)
    return redirect(where, *about)


def _closed(request: HttpRequest, why: str) -> HttpResponse:
    context = {"why": why}
    return render(request, _template(request), context, status=409)


def _is_part(request: HttpRequest) -> bool:
    return "X-Part" in request.headers


def _template(request: HttpRequest) -> str:
    return "admin_tracing/_queue_item.html" if _is_part(request) else "admin_tracing/queue.html"
