"""Many turns run again: chosen by the filters of the list, watched while it goes, and stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from admin_tracing import queries, rerun_reads, rerun_words
from admin_tracing.access import RERUN, SENSITIVE, may, requires
from admin_tracing.filters_shown import told
from admin_tracing.forms import TurnFilter
from admin_tracing.jobs import WORKER
from admin_tracing.rerun_forms import WhatIfMany
from chat import reruns
from chat.models import RerunBatch

WRONG = 422


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the filters choose: `count` turns, of which the newest ones that fit are run again."""

    count: int
    fit: tuple[UUID, ...]
    left_out: Mapping[str, int]

    @property
    def beyond(self) -> int:
        """How many are too many for one batch."""
        return max(self.count - reruns.MOST, 0)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(RERUN)
def new_batch(request: HttpRequest) -> HttpResponse:
    """How many turns the filters choose, and what is to be changed; then the batch is asked for."""
    filters = TurnFilter(request.GET, label_suffix="")
    if not filters.is_valid():
        raise Http404("These filters make no sense.")
    used = {name: value for name, value in filters.cleaned_data.items() if value}
    chosen = _chosen(request, used)
    form = WhatIfMany(reruns.offers(), request.POST or None, now={})
    status = 200
    if request.method == "POST":
        status = WRONG
        batch = _asked(request, form, chosen, used)
        if batch is not None:
            return HttpResponseRedirect(reverse("workflow:batch", args=(batch.pk,)))
    context = {"form": form, "chosen": chosen, "filters": told(used), "most": reruns.MOST}
    return render(request, "admin_tracing/batch_new.html", context, status=status)


@require_GET
@never_cache
@requires(RERUN)
def batch_page(request: HttpRequest, batch: int) -> HttpResponse:
    """How far a batch is, which turns flipped and which failed; the part alone while it runs."""
    is_part = request.headers.get("HX-Request") == "true"
    return _page(request, _batch(batch), is_part=is_part)


@require_POST
@requires(RERUN)
def stop_batch(request: HttpRequest, batch: int) -> HttpResponse:
    """Stops what has not ended yet."""
    found = _batch(batch)
    reruns.stop(found)
    return HttpResponseRedirect(reverse("workflow:batch", args=(found.pk,)))


def _chosen(request: HttpRequest, filters: Mapping[str, Any]) -> Chosen:
    rows = queries.chosen(filters, sensitive=may(request.user, SENSITIVE))
    newest = rows.order_by("-started_at", "-id").values_list("pk", flat=True)[: reruns.MOST]
    keys = list(newest)
    if not keys:
        return Chosen(0, (), {})
    sifted = reruns.sift(request.user, keys)
    count = len(keys) if len(keys) < reruns.MOST else rows.count()
    return Chosen(count, sifted.fit, sifted.left_out)


def _asked(
    request: HttpRequest, form: WhatIfMany, chosen: Chosen, filters: Mapping[str, Any]
) -> RerunBatch | None:
    """None with the errors in the form."""
    if not form.is_valid():
        return None
    limit = form.cleaned_data["cost_limit"]
    try:
        batch = reruns.ask(request.user, chosen.fit, form.change, filters=filters, cost_limit=limit)
    except reruns.CannotRerun as problem:
        form.add_error(None, problem.public)
        return None
    WORKER.wake("reruns")
    return batch if isinstance(batch, RerunBatch) else None


def _page(request: HttpRequest, batch: RerunBatch, *, is_part: bool) -> HttpResponse:
    progress = reruns.batch_progress(batch)
    reused, called = rerun_reads.calls(batch)
    context = {
        "batch": batch,
        "progress": progress,
        "changed": rerun_words.changed(batch.change),
        "filters": told(batch.filters),
        "reused": reused,
        "called": called,
        "ways": rerun_reads.ways(batch),
        "flipped": rerun_reads.flipped(batch)[: rerun_reads.SHOWN],
        "failed": rerun_reads.failed(batch)[: rerun_reads.SHOWN],
        "same": [] if is_part else rerun_reads.same(batch)[: rerun_reads.SHOWN],
        "shown": rerun_reads.SHOWN,
        "may_all": may(request.user, SENSITIVE),
    }
    name = "_batch" if is_part else "batch"
    return render(request, f"admin_tracing/{name}.html", context)


def _batch(batch: int) -> RerunBatch:
    found = rerun_reads.batches().filter(pk=batch).first()
    if found is None:
        raise Http404("There is no such batch.")
    return found
