"""The page that takes a filled-in file, and says what became of each of its lines.

What was taken stays taken, so a file that was too long for one go is brought again and goes on.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from admin_tracing.access import LABEL, SENSITIVE, may, requires
from admin_tracing.exporting.reading import BadFile, read
from admin_tracing.exporting.taking import take

LARGEST = 5 * 1024 * 1024  # bytes
SHOWN = 100  # problems on the page


class FileForm(forms.Form):
    file = forms.FileField(
        label="Filled-in file",
        help_text="The exported spreadsheet as CSV, or JSON lines. At most 5 MB.",
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.jsonl,text/csv"}),
    )

    def clean_file(self) -> Any:
        given = self.cleaned_data["file"]
        if given.size > LARGEST:
            raise forms.ValidationError("The file is larger than 5 MB. Split it.")
        return given


@require_http_methods(["GET", "POST"])
@never_cache
@requires(LABEL)
def import_labels(request: HttpRequest) -> HttpResponse:
    """The labels of a file become those of whoever brings it."""
    form = FileForm(request.POST or None, request.FILES or None, label_suffix="")
    if request.method == "GET":
        return _page(request, {"form": FileForm(label_suffix="")})
    if not form.is_valid():
        return _page(request, {"form": form}, status=422)
    file = form.cleaned_data["file"]
    try:
        said, problems = read(file.read(), as_json=_is_json(file.name))
    except BadFile as error:
        form.add_error("file", str(error))
        return _page(request, {"form": form}, status=422)
    taken = take(said, request.user, sensitive=may(request.user, SENSITIVE))
    told = sorted([*problems, *taken.problems], key=lambda problem: problem.line)
    context = {
        "form": FileForm(label_suffix=""),
        "taken": taken,
        "name": file.name,
        "problems": told[:SHOWN],
        "more": max(0, len(told) - SHOWN),
    }
    return _page(request, context)


def _is_json(name: str) -> bool:
    return name.lower().endswith((".jsonl", ".json"))


def _page(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "admin_tracing/import.html", context, status=status)
