"""The lab's pages: ask for a run, watch its table fill, look after the owner's own set."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from admin_tracing import lab_set
from admin_tracing.access import LAB, REPLAY, may, requires
from admin_tracing.jobs import WORKER
from admin_tracing.lab_forms import WHOLE, LabForm, chosen_in, variants_from
from admin_tracing.lab_view import FILES, shown
from admin_tracing.lab_words import rough_of
from chat import lab_costs, lab_questions, lab_runs
from chat.contracts.errors import ChatError
from chat.lab_costs import BadLimit
from chat.lab_questions import QuestionRefused
from chat.lab_runs import RunRefused
from chat.lab_table import BadVariant
from chat.models import Chunk, LabQuestion, LabRun
from chat.queries import SERVED_COLLECTION
from chat.sample.loader import golden_five

EARLIER = 10  # runs in the list
OFFERED = 8  # labelled turns, before one asks for more


@require_GET
@never_cache
@requires(LAB)
def lab(request: HttpRequest) -> HttpResponse:
    """The newest run, or what the lab is for."""
    return _page(request, LabRun.objects.first())


@require_GET
@never_cache
@requires(LAB)
def lab_run(request: HttpRequest, run: int) -> HttpResponse:
    """One run; what fetches it while it goes on has its part alone."""
    found = get_object_or_404(LabRun, pk=run)
    if request.headers.get("HX-Request") == "true":
        return render(request, "admin_tracing/_lab_run.html", _run_context(found))
    return _page(request, found)


@require_POST
@requires(LAB)
def lab_start(request: HttpRequest) -> HttpResponse:
    """Ask for a run. The worker of any process takes it."""
    form = LabForm(request.POST)
    if form.is_valid():
        try:
            given = form.cleaned_data
            limit = given["cost_limit"]
            run = lab_runs.start(request.user, given["questions"], form.variants, cost_limit=limit)
        except (RunRefused, BadVariant, BadLimit) as wrong:
            form.add_error(None, str(wrong))
        else:
            WORKER.wake("lab_runs")
            return redirect("workflow:lab_run", run=run.pk)
    return _page(request, LabRun.objects.first(), form, status=422)


@require_GET
@never_cache
@requires(LAB)
def lab_estimate(request: HttpRequest) -> HttpResponse:
    """What a run of what is chosen would roughly cost, or why it cannot be run."""
    form = LabForm(request.GET)
    if form.is_valid():
        told = _roughly(form.cleaned_data)
    else:
        told = next(iter(form.errors.values()))[0]
    return render(request, "admin_tracing/_lab_estimate.html", {"estimate": told})


@require_POST
@requires(LAB)
def lab_stop(request: HttpRequest, run: int) -> HttpResponse:
    """End a run; what it found stays."""
    get_object_or_404(LabRun, pk=run)
    lab_runs.stop(run)
    return redirect("workflow:lab_run", run=run)


@require_GET
@never_cache
@requires(LAB)
def lab_file(request: HttpRequest, run: int, form: str) -> HttpResponse:
    """The run's table as a file."""
    if form not in FILES:
        raise Http404("There is no such file.")
    content_type, written = FILES[form]
    found = get_object_or_404(LabRun, pk=run)
    response = HttpResponse(written(found), content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="lab-run-{run}.{form}"'
    return response


@require_POST
@requires(LAB)
def lab_add(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Take a labelled turn's question into the own set, by one click from any page."""
    added, problem = None, ""
    try:
        added = lab_set.add_from(turn, request.user)
    except QuestionRefused as refused:
        problem = str(refused)
    except ChatError as fault:
        problem = fault.public
    if request.headers.get("HX-Request") == "true":
        return _added(request, added, problem)
    if added is None:
        messages.error(request, problem)
    else:
        messages.success(
            request, f"It is in the own set now, as “{added.get_expects_display().lower()}”."
        )
    return _to_set()


@require_POST
@requires(LAB)
def lab_remove(request: HttpRequest, question: int) -> HttpResponse:
    """Take a question out of the own set; one click brings it back."""
    return _changed(request, lab_questions.remove(question))


@require_POST
@requires(LAB)
def lab_restore(request: HttpRequest, question: int) -> HttpResponse:
    """Bring a question back."""
    try:
        return _changed(request, lab_questions.restore(question))
    except QuestionRefused as refused:
        messages.error(request, str(refused))
        return _to_set()


def _added(request: HttpRequest, added: LabQuestion | None, problem: str) -> HttpResponse:
    """What takes the place of the button; in the lab of its row, which is one of the set then."""
    if added is not None and "in_place" in request.POST:
        context = {"question": added, "is_new": True}
        return render(request, "admin_tracing/_lab_question.html", context)
    context = {"added": added, "problem": problem}
    answer = render(request, "admin_tracing/_lab_added.html", context)
    answer["HX-Retarget"] = "this"  # the button alone: its row stays
    return answer


def _changed(request: HttpRequest, question: LabQuestion | None) -> HttpResponse:
    if question is None:
        raise Http404("There is no such question.")
    if request.headers.get("HX-Request") == "true":
        return render(request, "admin_tracing/_lab_question.html", {"question": question})
    return _to_set()


def _to_set() -> HttpResponse:
    answer = redirect("workflow:lab")
    answer["Location"] += "#own"
    return answer


def _page(
    request: HttpRequest, run: LabRun | None, form: LabForm | None = None, status: int = 200
) -> HttpResponse:
    rows = LabQuestion.objects.exclude(question="").select_related("source")
    own = list(rows)
    chosen = chosen_in(run) if run else WHOLE
    earlier = lab_costs.with_cost(LabRun.objects.all())[:EARLIER]
    offers = lab_set.offers() if may(request.user, REPLAY) else []
    context = {
        "form": form or LabForm(initial=chosen),
        "estimate": _roughly(chosen) if form is None else "",
        "earlier": [_earlier(each) for each in earlier],
        "own": [each for each in own if each.is_active],
        "removed": [each for each in own if not each.is_active],
        "offers": offers[:OFFERED],
        "more_offers": offers[OFFERED:],
        "has_handbook": _has_handbook(),
        **(_run_context(run) if run else {}),
    }
    return render(request, "admin_tracing/lab.html", context, status=status)


def _run_context(run: LabRun) -> dict[str, Any]:
    return {"shown": shown(run), "run": run}


def _roughly(chosen: Mapping[str, Any]) -> str:
    questions, variants = chosen["questions"], variants_from(chosen)
    try:
        asked = lab_runs.questions_for(questions, variants)
    except (RunRefused, BadVariant) as wrong:
        return str(wrong)
    rough = lab_costs.rough(questions, len(asked), variants)
    return rough_of(rough, Decimal(chosen["cost_limit"]))


def _earlier(run: LabRun) -> dict[str, Any]:
    chosen = chosen_in(run)
    return {"run": run, "chosen": chosen, "bounds": ", ".join(chosen["bounds"])}


def _has_handbook() -> bool:
    """Are the passages in the index that answer the golden five?"""
    wanted = {chunk for golden in golden_five() for chunk in golden.answer_chunks}
    there = Chunk.objects.filter(collection=SERVED_COLLECTION, is_current=True, key__in=wanted)
    return there.count() == len(wanted)
