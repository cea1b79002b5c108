"""Where people differ or could not tell: the list, one turn with both labels, the history.

Names are hidden until it is settled: a reviewer weighs what was said and not who said it. They are
A, B and so on in an order that does not tell who was first. The check's verdict is hidden as well,
so that what stands in the end can be held against it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from admin_tracing import queries, queueing
from admin_tracing.access import SENSITIVE, SETTLE, may, requires
from admin_tracing.asked import asked
from admin_tracing.labels import BadLabel
from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement
from admin_tracing.queue_forms import note_in
from admin_tracing.queue_sheet import check_of, rows_of, source, told
from admin_tracing.queue_words import Row, said_in_words, word_of
from admin_tracing.queueing import Job, NotYours, Said
from admin_tracing.story import story
from chat.contracts.errors import RedactionFailed
from chat.models import Turn

LISTED = 200
HISTORY = 50
LETTERS = "ABCDEFGHI"
JOB_OF = {"needed": Job.ROUTING, "grounded": Job.GROUNDEDNESS, "correct": Job.GROUNDEDNESS}

UNSCREENED = "The note could not be screened for private data, so nothing was stored. Try again."


@dataclass(frozen=True, slots=True)
class Voice:
    """What one person said. `who` is a letter, or their name once it is settled."""

    who: str
    words: Mapping[str, str]
    notes: tuple[str, ...]


@require_GET
@never_cache
@requires(SETTLE)
def disagreement_list(request: HttpRequest) -> HttpResponse:
    """What waits for a reviewer, with why; and what was settled last."""
    sensitive = may(request.user, SENSITIVE)
    waiting = queueing.disagreements(sensitive=sensitive)
    count = waiting.count()
    context = {
        "count": count,
        "lines": [_line(item, said, request.user) for item, said in _with_said(waiting[:LISTED])],
        "more": max(0, count - LISTED),
        "history": [_settled(one) for one in queueing.settled(sensitive=sensitive)[:HISTORY]],
        "last": queueing.last_settled(request.user, sensitive=sensitive),
    }
    return render(request, "admin_tracing/disagreements.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(SETTLE)
def disagreement(request: HttpRequest, turn: UUID) -> HttpResponse:
    """One turn with what people said of it; a POST settles what is open."""
    item = _item(turn)
    if request.method == "POST":
        return _settle(request, item)
    return render(request, "admin_tracing/settle.html", _page(request.user, item))


@require_POST
@requires(SETTLE)
def undo(request: HttpRequest) -> HttpResponse:
    """Take back what this reviewer settled last; its turn waits again."""
    sensitive, last = may(request.user, SENSITIVE), request.POST.get("last", "")
    turn = queueing.take_back(request.user, sensitive=sensitive, turn=last)
    if turn is None:
        why = "That was taken back already." if last else "There is nothing to take back."
        messages.error(request, why)
        return redirect("workflow:disagreements")
    messages.success(request, "Taken back. Nothing of what you settled here stands any more.")
    return redirect("workflow:settle", turn)


def _settle(request: HttpRequest, item: QueueItem) -> HttpResponse:
    try:
        jobs, note = _given(request, item), note_in(request.POST)
        with transaction.atomic():
            for job, said in jobs.items():
                queueing.settle(request.user, item.pk, job, said, note)
    except NotYours as refusal:
        return _refused(request, item, str(refusal), 409)
    except BadLabel as wrong:
        return _refused(request, item, str(wrong), 422)
    except RedactionFailed:
        return _refused(request, item, UNSCREENED, 503)
    messages.success(request, "Settled. It stands from now on.")
    if "X-Part" in request.headers:
        return JsonResponse({"next": _after(request)})
    return redirect(_after(request))


def _given(request: HttpRequest, item: QueueItem) -> dict[Job, dict[str, str]]:
    """The jobs that are filled in. Raises `BadLabel` if none is."""
    given = {name: request.POST.get(name, "") for name in JOB_OF}
    jobs: dict[Job, dict[str, str]] = {}
    for name, value in given.items():
        if value:
            jobs.setdefault(JOB_OF[name], {})[name] = value
    if not jobs or any(not given[row.name] for row in _open_rows(item)):
        raise BadLabel("Choose an answer to each question.")
    return jobs


def _after(request: HttpRequest) -> str:
    """The next one that waits for this reviewer, else the list."""
    from django.urls import reverse

    waiting = queueing.disagreements(sensitive=may(request.user, SENSITIVE))[:LISTED]
    for item, said in _with_said(waiting):
        if not queueing.may_settle(request.user, item, said):
            return reverse("workflow:settle", args=(item.pk,))
    return reverse("workflow:disagreements")


def _page(user: Any, item: QueueItem) -> dict[str, Any]:
    turn = item.turn
    shown, left = asked(turn), _open_rows(item)
    is_settled = item.status == QueueItem.Status.SETTLED
    is_open = item.status == QueueItem.Status.OPEN
    return {
        "item": item,
        "turn": turn,
        "asked": shown,
        "story": story(told(turn)),
        "sources": [source(citation) for citation in shown.citations],
        # Who may yet label it themselves hears of nobody else's label.
        "voices": () if is_open else voices(turn, named=is_settled),
        "rows": rows_of(turn),
        "why": [str(one) for one in queueing.why(item)],
        "route_rows": [row for row in left if JOB_OF[row.name] is Job.ROUTING],
        "answer_rows": [row for row in left if JOB_OF[row.name] is Job.GROUNDEDNESS],
        "refusal": queueing.may_settle(user, item),
        "is_open": is_open,
        "is_settled": is_settled,
        "is_waiting": item.status == QueueItem.Status.DISAGREED,
        "check": check_of(turn, shown) if is_settled else "",
        "settlements": [_settled(one) for one in turn.settlements.select_related("user", "turn")],
        "last": queueing.last_settled(user, sensitive=may(user, SENSITIVE)),
    }


def voices(turn: Turn, *, named: bool) -> list[Voice]:
    """Everybody who labelled a turn, in an order of its own for every turn."""
    people: dict[int, dict[str, Any]] = {}
    for kind in (RoutingLabel, GroundednessLabel):
        for label in kind.objects.filter(turn=turn).select_related("user"):
            one = people.setdefault(label.user_id, {"name": str(label.user), "notes": []})
            one["notes"] += [label.note] if label.note else []
    said = queueing.said_by(turn)
    order = sorted(people, key=lambda who: hashlib.sha256(f"{turn.pk} {who}".encode()).digest())
    return [
        Voice(
            who=people[who]["name"] if named else LETTERS[at % len(LETTERS)],
            words={name: word_of(name, value) for name, value in said[who].items()},
            notes=tuple(people[who]["notes"]),
        )
        for at, who in enumerate(order)
    ]


def _open_rows(item: QueueItem) -> list[Row]:
    """The questions that are open, without the answer that settles nothing."""
    jobs = queueing.open_jobs(item)
    rows = [row for row in rows_of(item.turn) if JOB_OF[row.name] in jobs]
    return [_without_expert(row) for row in rows]


def _without_expert(row: Row) -> Row:
    kept = tuple(one for one in row.choices if one.value != "needs_expert")
    return Row(row.name, row.question, kept)


def _with_said(items: Iterable[QueueItem]) -> list[tuple[QueueItem, dict[int, Said]]]:
    """Each item with what people said of it, in as many queries as of one."""
    rows = list(items)
    said = queueing.said_of([item.pk for item in rows])
    return [(item, said.get(item.pk, {})) for item in rows]


def _line(item: QueueItem, said: dict[int, Said], user: Any) -> dict[str, Any]:
    return {
        "item": item,
        "why": ", ".join(queueing.why(item, said)),
        "said": [said_in_words(one) for one in queueing.complete(item.turn, said).values()],
        "mine": bool(queueing.may_settle(user, item, said)),
    }


def _settled(one: Settlement) -> dict[str, Any]:
    said = {name: getattr(one, name) for name in JOB_OF if getattr(one, name)}
    return {"settlement": one, "words": said_in_words(said)}


def _refused(request: HttpRequest, item: QueueItem, why: str, status: int) -> HttpResponse:
    if "X-Part" in request.headers:
        return JsonResponse({"message": why}, status=status)
    context = _page(request.user, item) | {"wrong": why}
    return render(request, "admin_tracing/settle.html", context, status=status)


def _item(turn: UUID) -> QueueItem:
    rows = QueueItem.objects.select_related("turn__question", "turn__conversation")
    item = rows.filter(pk=turn).first()
    if item is None or queries.turn_with_question(turn) is None:
        raise Http404("There is no such turn in the queue.")
    return item
