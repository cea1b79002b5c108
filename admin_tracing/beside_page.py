"""Two turns side by side: the page, the line that both share, and the choice of another turn."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.forms import CharField, Form, TextInput
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing import (
    beside_facts,
    beside_parting,
    beside_reads,
    beside_versions,
    rerun_words,
)
from admin_tracing.access import REPLAY, SENSITIVE, may, requires
from admin_tracing.beside import Beside, Told, beside
from admin_tracing.beside_words import is_apart, pieces
from admin_tracing.replay import build
from admin_tracing.topology import boundaries
from chat.contracts.events import Body
from chat.models import Rerun, Turn

TABS = ("Changed", "Retrieved", "Calls", "Controls", "Raw")
ID_LENGTH = 36  # characters of a turn's id, which an address may stand around


class OtherTurn(Form):
    """The other turn, by its id or by the address of one of its pages."""

    other = CharField(
        label="Turn or address",
        max_length=300,
        widget=TextInput(attrs={"placeholder": "an id, or the address of a replay"}),
    )

    def clean_other(self) -> UUID:
        given: str = self.cleaned_data["other"]
        for place in range(len(given) - ID_LENGTH + 1):
            try:
                return UUID(given[place : place + ID_LENGTH])
            except ValueError:
                continue
        raise ValidationError("That holds no turn's id. Copy the address of its replay.")


@require_GET
@never_cache
@requires(REPLAY)
def two_turns(request: HttpRequest, turn: UUID, other: UUID) -> HttpResponse:
    """What both came to. Their steps are fetched by the page, from each turn's own addresses."""
    left, right = _turn(turn), _turn(other)
    ours, theirs = (beside_reads.events_of(one.pk, beside_facts.COMPARED) for one in (left, right))
    rerun = beside_reads.rerun_between(turn, other)
    names = _names(rerun, left)
    versions = beside_versions.versions(*map(beside_reads.versions_of, (left, right)))
    said = pieces(beside_facts.answer(ours), beside_facts.answer(theirs))
    context = {
        **rerun_words.told(rerun),
        "notes": rerun_words.noted(rerun),
        "left": left,
        "right": right,
        "names": names,
        "sides": tuple(zip(("left", "right"), names, strict=True)),
        "figures": beside_facts.figures(left, right),
        "versions": [row for row in versions if row.differs],
        "alike": [row for row in versions if not row.differs],
        "passes": beside_facts.passes(ours, theirs),
        "controls": beside_facts.controls(ours, theirs),
        "words": said,
        "apart": is_apart(said),
        "same_words": all(piece.kind == "both" for piece in said),
        "tabs": TABS,
    }
    return render(request, "admin_tracing/beside.html", context)


@require_GET
@never_cache
@requires(REPLAY)
def shared_line(request: HttpRequest, turn: UUID, other: UUID) -> JsonResponse:
    """The line of both: `pairs` of [step, step, same], -1 for none, and where they `part`.

    Steps are places in each turn's outline. `parts` is None for turns that never do, else its
    `at`, and in words what each turn does there.
    """
    left, right = _told(_turn(turn)), _told(_turn(other))
    found = beside(left, right)
    pairs = [[_place(pair.left), _place(pair.right), int(pair.same)] for pair in found.pairs]
    return JsonResponse({"pairs": pairs, "parts": _parting(found, left, right)})


@require_GET
@never_cache
@requires(REPLAY)
def choose_other(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Turns that are likely to be compared with this one, and a field for any other."""
    found = _turn(turn)
    form = OtherTurn(request.GET if "other" in request.GET else None, label_suffix="")
    if form.is_valid():
        other = form.cleaned_data["other"]
        if other != turn and beside_reads.exists(other):
            return HttpResponseRedirect(reverse("workflow:beside", args=(turn, other)))
        form.add_error("other", "This is the turn itself." if other == turn else _UNKNOWN)
    likely = beside_reads.likely(found, sensitive=may(request.user, SENSITIVE))
    context = {"turn": found, "form": form, "likely": likely}
    return render(request, "admin_tracing/beside_choose.html", context)


_UNKNOWN = "There is no such turn."


def _turn(turn: UUID) -> Turn:
    found = beside_reads.turn(turn)
    if found is None:
        raise Http404(_UNKNOWN)
    return found


def _names(rerun: Rerun | None, left: Turn) -> tuple[str, str]:
    if rerun is None:
        return "First", "Second"
    return ("As it was", "Run again") if rerun.source_id == left.pk else ("Run again", "As it was")


def _told(turn: Turn) -> Told:
    events = beside_reads.events_of(turn.pk)
    return Told(events, build(events, boundaries()))


def _place(step: int | None) -> int:
    return -1 if step is None else step


def _parting(found: Beside, left: Told, right: Told) -> dict[str, Any] | None:
    if found.parts_at is None:
        return None
    rest = found.pairs[found.parts_at :]
    ours = next((pair.left for pair in rest if pair.left is not None), None)
    theirs = next((pair.right for pair in rest if pair.right is not None), None)
    said = beside_parting.told(_body(left, ours), _body(right, theirs))
    return {"at": found.parts_at, "left": said[0], "right": said[1]}


def _body(told: Told, place: int | None) -> Body | None:
    if place is None:
        return None
    return beside_parting.body_of(told.replay.steps[place], told.events)
