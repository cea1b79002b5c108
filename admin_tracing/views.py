"""The workflow pages: the list of turns and the replay of one. Read, then render."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing import filters_shown, queries, rerun_reads, rerun_words
from admin_tracing.access import REPLAY, SENSITIVE, may, requires
from admin_tracing.answering import turn_or_404
from admin_tracing.forms import TurnFilter, cursor_from, cursor_text
from admin_tracing.queue_adding import AT_ONCE, how_many_to_label
from admin_tracing.topic_check import topic_figures
from admin_tracing.topology import drawing
from chat.contracts.events import BODY_OF

TABS = ("Changed", "Retrieved", "Calls", "Controls", "Raw")


@require_GET
@never_cache
@requires(REPLAY)
def turn_list(request: HttpRequest) -> HttpResponse:
    """Turns, newest first; a filter or a further page is answered with its part alone."""
    form = TurnFilter(request.GET, label_suffix="")
    filters = form.cleaned_data if form.is_valid() else {}
    may_all = may(request.user, SENSITIVE)
    page = queries.turns(filters, _cursor(request), sensitive=may_all)
    context = {
        "form": form,
        "groups": filters_shown.groups(form),
        "used": filters_shown.used(form, request.GET),
        "turns": page.turns,
        "is_ugliest": bool(filters.get("ugly")),
        "to_label": SimpleLazyObject(
            lambda: how_many_to_label(filters, sensitive=may_all) if form.is_valid() else 0
        ),
        "most_to_label": AT_ONCE,
        "topic": SimpleLazyObject(lambda: topic_figures(filters, timezone.now())),
        "is_filtered": form.is_valid() and form.is_used,
        "next": _address_of_next(request, page),
    }
    return render(request, _list_template(request), context)


@require_GET
@never_cache
@requires(REPLAY)
def replay(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The replay's frame: question, figures and graph. Steps are fetched by the page."""
    context = {
        "turn": turn_or_404(turn),
        "drawing": drawing(),
        "tabs": TABS,
        "types": " ".join(BODY_OF),
        "reruns": [rerun_words.told(rerun) for rerun in rerun_reads.of_turn(turn)],
        "made_by": rerun_words.told(rerun_reads.that_made(turn)),
        "is_labelled": queries.is_labelled(turn),
    }
    return render(request, "admin_tracing/replay.html", context)


@require_GET
@never_cache
@requires(REPLAY)
def figures(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The line of figures alone, for a turn that ended while it was watched."""
    return render(request, "admin_tracing/_figures.html", {"turn": turn_or_404(turn)})


def _cursor(request: HttpRequest) -> queries.Cursor | None:
    try:
        return cursor_from(request.GET.get("before", ""))
    except ValidationError as error:
        raise Http404(error.message) from None


def _list_template(request: HttpRequest) -> str:
    if request.headers.get("HX-Request") != "true":
        return "admin_tracing/turns.html"
    return "admin_tracing/_rows.html" if "before" in request.GET else "admin_tracing/_turns.html"


def _address_of_next(request: HttpRequest, page: queries.TurnList) -> str:
    """The query string of the following page, or nothing."""
    if page.next is None:
        return ""
    query = request.GET.copy()
    query["before"] = cursor_text(page.next)
    return f"?{query.urlencode()}"
