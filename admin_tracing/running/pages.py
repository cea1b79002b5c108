"""The list of gaps as a file for whoever writes the documents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing.access import EXPORT, SENSITIVE, may, requires
from admin_tracing.days import WINDOWS, Days
from admin_tracing.models import Export
from admin_tracing.running.gaps import EXAMPLES, Gap, gaps
from admin_tracing.running.lacking import lacks, titles
from admin_tracing.spreadsheet import CONTENT_TYPES, csv_row

USUAL = 30  # days
MARK = "\ufeff"
"""Tells spreadsheets that the file is UTF-8."""

COLUMNS = (
    *("gap", "turns", "without an answer", "found instead", "section", "times found"),
    "words tried",
    *(f"question {number}" for number in range(1, EXAMPLES + 1)),
    *("first", "last"),
)


@require_GET
@never_cache
@requires(EXPORT)
def gaps_file(request: HttpRequest) -> HttpResponse:
    """Every group of the window as CSV, the largest first. Taking it away is written down."""
    given = request.GET.get("days", "")
    count = int(given) if given in {str(each) for each in WINDOWS} else USUAL
    today = timezone.now().date()
    found = lacks(
        Days(today - timedelta(days=count - 1), count), sensitive=may(request.user, SENSITIVE)
    )
    Export.objects.create(
        user=request.user,
        form="gaps csv",
        filters={"days": str(count)},
        turns=len({lack.turn for lack in found}),
    )
    lines = "".join(_lines(gaps(found)))
    response = HttpResponse(MARK + csv_row(COLUMNS) + lines, content_type=CONTENT_TYPES["csv"])
    response["Content-Disposition"] = f'attachment; filename="gaps-{today:%Y-%m-%d}.csv"'
    return response


def _lines(groups: list[Gap]) -> Iterator[str]:
    names = titles(gap.section for gap in groups)
    for gap in groups:
        questions = [example.question for example in gap.examples]
        yield csv_row(
            [
                *(gap.name, gap.n, gap.unanswered, names.get(gap.section, "")),
                *(gap.section, gap.near, " ".join(gap.tried)),
                *(questions + [""] * (EXAMPLES - len(questions))),
                *(gap.first.date().isoformat(), gap.last.date().isoformat()),
            ]
        )
