"""The quality page: eight figures on one screen, then sections that are read one by one.

The page arranges what each room of figures gives; every section has an address of its own, so that
a slow one keeps nobody waiting for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing import moving
from admin_tracing.access import RECORDS, REPLAY, may, requires_one_of
from admin_tracing.counted import counted
from admin_tracing.days import WINDOWS, Days
from admin_tracing.labelled import sections as labelled
from admin_tracing.labelled.named import names
from admin_tracing.running import headlines as running_headlines
from admin_tracing.running import sections as running
from admin_tracing.sections import HEADLINES, Headline, Section

USUAL = 30  # days


@require_GET
@never_cache
@requires_one_of(REPLAY, RECORDS)
def quality(request: HttpRequest) -> HttpResponse:
    """The first screen and the places of the sections; another window is its part alone."""
    days = _days(request)
    has_turns = counted(days.since, days.until).exists()
    context = _frame(request, days) | {
        "has_turns": has_turns,
        "headlines": _headlines(days) if has_turns else [],
        "sections": _sections(days),
    }
    return render(request, f"admin_tracing/{'_' * _is_fetched(request)}quality.html", context)


@require_GET
@never_cache
@requires_one_of(REPLAY, RECORDS)
def section(request: HttpRequest, section: str) -> HttpResponse:
    """One section: what is inside it for the page, or a page of its own."""
    days = _days(request)
    every = _sections(days)
    found = next((one for one in every if one.name == section), None)
    if found is None:
        raise Http404("There is no such section.")
    versions = _versions(request)
    context = _frame(request, days) | {"section": found} | _narrowed(versions, every)
    context |= found.context(days, versions)
    whole = "admin_tracing/quality_section.html"
    return render(request, found.template if _is_fetched(request) else whole, context)


def _frame(request: HttpRequest, days: Days) -> dict[str, object]:
    return {"days": days, "windows": WINDOWS, "may_replay": may(request.user, REPLAY)}


def _narrowed(versions: int | None, every: Sequence[Section]) -> dict[str, object]:
    """The version set that is chosen, its name, and the sections that can be of it alone."""
    if versions is None:
        return {"versions": None}
    return {
        "versions": versions,
        "version_name": names([versions]).get(versions, ""),
        "also": [one for one in every if one.knows_versions],
    }


def _headlines(days: Days) -> list[Headline]:
    """The eight, in their order; those that no room gives are left out."""
    given = {
        one.name: one for one in (*labelled.headlines(days), *running_headlines.headlines(days))
    }
    return [given[name] for name in HEADLINES if name in given]


def _sections(days: Days) -> list[Section]:
    return [*labelled.sections(days), *running.sections(days), *moving.sections(days)]


def _days(request: HttpRequest) -> Days:
    given = request.GET.get("days", "")
    count = int(given) if given in {str(window) for window in WINDOWS} else USUAL
    today = timezone.now().date()
    return Days(today - timedelta(days=count - 1), count)


def _versions(request: HttpRequest) -> int | None:
    """The version set that a section is narrowed to; what is no number narrows nothing."""
    given = request.GET.get("versions", "")
    return int(given) if given.isdecimal() and len(given) < 10 else None


def _is_fetched(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"
