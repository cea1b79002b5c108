"""A turn run again with something changed: the form on its replay, the wait, and where it leads."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from admin_tracing import rerun_reads, rerun_words
from admin_tracing.access import RERUN, SENSITIVE, may, requires
from admin_tracing.jobs import WORKER
from admin_tracing.queries import turn_with_question
from admin_tracing.rerun_forms import WhatIf
from chat import reruns
from chat.models import Rerun, Turn

WRONG = 422  # what the browser shows in place


@require_http_methods(["GET", "POST"])
@never_cache
@requires(RERUN)
def what_if(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The form, or with a change that fits, the wait for the re-run that it asked for."""
    found = _turn(turn)
    if request.method != "POST":
        return _form(request, found, _what_if(request, turn))
    form = _what_if(request, turn)
    if not form.is_valid():
        return _form(request, found, form, WRONG)
    try:
        asked = reruns.ask(request.user, [turn], form.change)
    except reruns.CannotRerun as problem:
        form.add_error(None, problem.public)
        return _form(request, found, form, WRONG)
    WORKER.wake("reruns")
    return _waiting(request, found, Rerun.objects.get(pk=asked.pk))


@require_GET
@never_cache
@requires(RERUN)
def rerun_state(request: HttpRequest, turn: UUID, rerun: int) -> HttpResponse:
    """How far a re-run is; once it is done, the way to both turns side by side."""
    found = Rerun.objects.filter(pk=rerun, source=turn).first()
    if found is None:
        raise Http404("There is no such re-run.")
    return _waiting(request, _turn(turn), found)


@require_POST
@requires(RERUN)
def stop_rerun(request: HttpRequest, turn: UUID, rerun: int) -> HttpResponse:
    """Stops a re-run that waits or runs."""
    found = Rerun.objects.filter(pk=rerun, source=turn).first()
    if found is None:
        raise Http404("There is no such re-run.")
    reruns.stop(found)
    found.refresh_from_db()
    return _waiting(request, _turn(turn), found)


@require_GET
@never_cache
@requires(RERUN)
def rerun_list(request: HttpRequest) -> HttpResponse:
    """Batches, and re-runs of single turns, newest first."""
    may_all = may(request.user, SENSITIVE)
    singles = rerun_reads.singles(sensitive=may_all)[: rerun_reads.LISTED]
    context = {
        "batches": [
            {"batch": batch, "changed": rerun_words.changed(batch.change)}
            for batch in rerun_reads.batches()[: rerun_reads.LISTED]
        ],
        "singles": [rerun_words.told(rerun) for rerun in singles],
    }
    return render(request, "admin_tracing/reruns.html", context)


def _what_if(request: HttpRequest, turn: UUID) -> WhatIf:
    given = request.POST if request.method == "POST" else None
    return WhatIf(reruns.offers(), given, now=rerun_reads.settings_of(turn))


def _form(request: HttpRequest, turn: Turn, form: WhatIf, status: int = 200) -> HttpResponse:
    context = {"turn": turn, "form": form, "cautions": reruns.cautions(turn)}
    return render(request, _template(request, "what_if"), context, status=status)


def _waiting(request: HttpRequest, turn: Turn, rerun: Rerun) -> HttpResponse:
    if rerun.status == Rerun.Status.DONE and rerun.turn_id:
        return _gone(request, reverse("workflow:beside", args=(turn.pk, rerun.turn_id)))
    context = {"turn": turn, "rerun": rerun, "changed": rerun_words.changed(rerun.change)}
    return render(request, _template(request, "rerun_state"), context)


def _gone(request: HttpRequest, address: str) -> HttpResponse:
    """A part of a page cannot be led elsewhere, so the page is."""
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def _template(request: HttpRequest, name: str) -> str:
    """The part alone for a page that is open, else a page of its own around it."""
    is_part = request.headers.get("HX-Request") == "true"
    return f"admin_tracing/{'_' if is_part else ''}{name}.html"


def _turn(turn: UUID) -> Turn:
    found = turn_with_question(turn)
    if found is None:
        raise Http404("There is no such turn.")
    return found
