"""The address that gives turns away: streamed, with the filters of the list, and written down."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from admin_tracing.access import (
    EXPORT,
    LABEL,
    RECORDS,
    REPLAY,
    SENSITIVE,
    may,
    requires_async,
    turned_away,
)
from admin_tracing.exporting import columns
from admin_tracing.exporting.columns import Row
from admin_tracing.exporting.rows import batch
from admin_tracing.forms import TurnFilter
from admin_tracing.labelled import choosing
from admin_tracing.models import Export
from admin_tracing.spreadsheet import CONTENT_TYPES, csv_row, json_row
from chat.db import in_db

Lines = Callable[[Row], list[dict[str, Any]]]

FORMS: Mapping[str, tuple[tuple[str, ...], Lines, bool]] = {
    "spreadsheet": (columns.SHEET, columns.sheet, False),
    "everything": (columns.EVERYTHING, columns.everything, True),
    "labels": (columns.LABELS, columns.labels, True),
}
"""By name: the columns, what makes the lines of a turn, and whether it needs the whole turn."""

VERDICTS = ("termination", "confidence", "shows", "control", *choosing.FIELDS)
"""Filters that tell what a check or people said of a turn: which turns they choose is the word."""

UNTOLD = {"q": "(words)", "person": "(a person)"}

MARK = "\ufeff"
"""Tells spreadsheets that the file is UTF-8."""

BAD_FORM = "The form is spreadsheet, everything or labels, as csv or jsonl.\n"


@require_GET
@requires_async(EXPORT)
async def export(request: HttpRequest) -> HttpResponse:
    """Turns that the list's filters choose: `form` says what of them, `as` in which shape."""
    form, shape = request.GET.get("form", "spreadsheet"), request.GET.get("as", "csv")
    filters = TurnFilter(request.GET)
    if form not in FORMS or shape not in CONTENT_TYPES:
        return _bad(BAD_FORM)
    if not await in_db(filters.is_valid):
        said = (f"{name}: {why[0]}" for name, why in filters.errors.items())
        return _bad("\n".join(said) + "\n")
    may_see = await in_db(_may_see, request)
    if not may_see and (form != "spreadsheet" or _tells(filters.cleaned_data)):
        return await in_db(_refused, request)
    sensitive = await in_db(may, request.user, SENSITIVE)
    taken = await in_db(_noted, request, f"{form} {shape}", filters.cleaned_data)
    blind = not may_see or await in_db(may, request.user, LABEL)
    lines = columns.blind_sheet if blind and form == "spreadsheet" else FORMS[form][1]
    stream = _stream(form, shape, filters.cleaned_data, lines, sensitive=sensitive, taken=taken)
    response = StreamingHttpResponse(stream, content_type=CONTENT_TYPES[shape])
    name = f"turns-{form}-{timezone.now():%Y-%m-%d}.{shape}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # nginx would hold the first lines back
    return response


async def _stream(
    form: str,
    shape: str,
    filters: Mapping[str, Any],
    lines: Lines,
    *,
    sensitive: bool,
    taken: Export,
) -> AsyncGenerator[str, None]:
    """The head at once, then batch after batch; how many went is written down at the end."""
    names, _, whole = FORMS[form]
    count = 0
    if shape == "csv":
        yield MARK + csv_row(names)
    async for rows in _batches(filters, sensitive=sensitive, whole=whole):
        count += len(rows)
        told = [line for row in rows for line in lines(row)]
        yield "".join(_line(line, names, shape) for line in told)
    await in_db(Export.objects.filter(pk=taken.pk).update, turns=count)


async def _batches(
    filters: Mapping[str, Any], *, sensitive: bool, whole: bool
) -> AsyncIterator[list[Row]]:
    after = None
    while True:
        rows, after = await in_db(batch, filters, after, sensitive=sensitive, whole=whole)
        if not rows:
            return
        yield rows


def _line(line: Mapping[str, Any], names: tuple[str, ...], shape: str) -> str:
    return csv_row([line[name] for name in names]) if shape == "csv" else json_row(line)


def _may_see(request: HttpRequest) -> bool:
    """Decisions and labels are for who may see them on a page. Others may yet label blind."""
    return may(request.user, RECORDS) or may(request.user, REPLAY)


def _tells(filters: Mapping[str, Any]) -> bool:
    return any(filters.get(name) for name in VERDICTS)


def _refused(request: HttpRequest) -> HttpResponse:
    return turned_away(request, REPLAY, {}) or HttpResponse(status=403)


def _noted(request: HttpRequest, form: str, filters: Mapping[str, Any]) -> Export:
    used = {name: str(value) for name, value in filters.items() if value}
    # What was looked for may be what somebody said, and who it was is forgotten with them.
    used |= {name: told for name, told in UNTOLD.items() if name in used}
    return Export.objects.create(user=request.user, form=form, filters=used)


def _bad(why: str) -> HttpResponse:
    return HttpResponseBadRequest(why, content_type="text/plain; charset=utf-8")
