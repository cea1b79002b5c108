"""The pages of incidents: which there are, one with its blast radius, and that radius as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from admin_tracing import blast, incidents, touched
from admin_tracing.access import INCIDENTS, REPLAY, SENSITIVE, may, requires, requires_async
from admin_tracing.case_forms import SuspectForm
from admin_tracing.models import BlastRead, Incident
from admin_tracing.spreadsheet import CONTENT_TYPES
from admin_tracing.taxonomy import TAXONOMY, Category, Severity
from chat.db import in_db
from chat.models import Turn

SHOWN = 100  # turns of a radius on the page; a file has all
LISTED = 200  # incidents

Shown = Callable[[Mapping[str, Any]], dict[str, Any]]


@require_GET
@never_cache
@requires(INCIDENTS)
def incident_list(request: HttpRequest) -> HttpResponse:
    """What is not closed first, the worst of it at the top."""
    rows = Incident.objects.select_related("turn").alias(over=Q(status=Incident.Status.CLOSED))
    order = sorted(rows.order_by("over", "-opened_at", "-id")[:LISTED], key=_urgency)
    return render(request, "admin_tracing/incidents.html", {"incidents": order})


@require_GET
@never_cache
@requires(INCIDENTS)
def incident_page(request: HttpRequest, incident: int) -> HttpResponse:
    """One incident, its log, and whom it touched; that somebody looked is written down."""
    found = _incident(incident)
    return _page(request, found, SuspectForm(incident=found))


@require_POST
@requires(INCIDENTS)
def name_suspect(request: HttpRequest, incident: int) -> HttpResponse:
    """Set suspect and window, and go back to what they touched."""
    found = _incident(incident)
    form = SuspectForm(request.POST, incident=found)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    incidents.suspect(found, request.user, form.suspect, form.window)
    messages.success(request, "Suspect and window are set.")
    return redirect("workflow:incident", incident=found.pk)


@require_GET
@requires_async(INCIDENTS)
async def blast_file(request: HttpRequest, incident: int, form: str) -> HttpResponse:
    """All turns of the radius, streamed in batches that hold no connection between them."""
    if form not in touched.WRITERS:
        raise Http404("There is no such file.")
    turns = await in_db(_read_as_file, request, incident, form)
    lines = _streamed(turns, form, await in_db(_shown_to, request.user))
    response = StreamingHttpResponse(lines, content_type=CONTENT_TYPES[form])
    name = f"incident-{incident}-turns.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


async def _streamed(turns: QuerySet[Turn], form: str, shown: Shown) -> AsyncIterator[str]:
    header, line = touched.WRITERS[form]
    yield header
    after = None
    while batch := await in_db(blast.lines, turns, after):
        yield "".join(line(shown(row)) for row in batch)
        after = batch[-1]["started_at"], batch[-1]["id"]


def _shown_to(user: Any) -> Shown:
    """What somebody may see of a line."""
    return dict if may(user, SENSITIVE) else touched.cut


def _page(
    request: HttpRequest, incident: Incident, form: SuspectForm, status: int = 200
) -> HttpResponse:
    turns = _radius(incident)
    extent = blast.extent(turns) if turns is not None else None
    if extent is not None:
        _note(incident, request.user, BlastRead.Form.PAGE, extent.turns)
    context = {
        "incident": incident,
        "about": TAXONOMY[Category(incident.category)].means,
        "suspect": incidents.suspect_of(incident),
        "form": form,
        "extent": extent,
        "lines": _lines(turns, _shown_to(request.user)) if turns is not None else [],
        "shown": SHOWN,
        "log": incident.changes.select_related("user"),
        "may_replay": may(request.user, REPLAY),
    }
    return render(request, "admin_tracing/incident.html", context, status=status)


def _lines(turns: QuerySet[Turn], shown: Shown) -> list[dict[str, Any]]:
    rows = blast.lines(turns, limit=SHOWN)
    return [touched.told(shown(row)) | {"when": row["started_at"]} for row in rows]


def _radius(incident: Incident) -> QuerySet[Turn] | None:
    """None while nothing is suspected."""
    whom = incidents.suspect_of(incident)
    return None if whom is None else blast.radius(whom, incident.since, incident.until)


def _read_as_file(request: HttpRequest, incident: int, form: str) -> QuerySet[Turn]:
    found = _incident(incident)
    turns = _radius(found)
    if turns is None:
        raise Http404("Nothing is suspected yet.")
    _note(found, request.user, form, blast.extent(turns).turns)
    return turns


def _note(incident: Incident, user: Any, form: str, turns: int) -> None:
    whom = incidents.in_words(incident)
    BlastRead.objects.create(incident=incident, user=user, form=form, suspect=whom, turns=turns)


def _incident(pk: int) -> Incident:
    rows = Incident.objects.select_related("turn", "label__user", "opened_by")
    found: Incident = get_object_or_404(rows, pk=pk)
    return found


def _urgency(incident: Incident) -> tuple[bool, int, float]:
    """Open before closed, then by severity, then by age."""
    is_closed = incident.status == Incident.Status.CLOSED
    return is_closed, -Severity(incident.severity).rank, -incident.opened_at.timestamp()
