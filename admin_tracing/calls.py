"""What each model call of a turn was given and what came back: `<turn>/calls/?from=&to=`, as JSON.

A `model_call` event tells purpose, tokens and time; the turn's tape has the rest. They are the
same call where purpose and figures are, taken in order.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from admin_tracing.access import REPLAY, requires_async
from admin_tracing.answering import LAST, as_json, number
from chat import prompting, tapes
from chat.contracts.events import ModelCall
from chat.db import in_db
from chat.models import Turn, TurnEvent

MOST = 200  # calls of one answer
LONGEST = 40_000  # characters of one text

FAULTS = {
    "model": "The model gave no usable answer.",
    "nonsense": "What came back was no answer to what was asked.",
    "unstorable": "What came back could not be stored.",
}
RULES = "The offline model has no prompt: it goes by rules, of which this is the version."
STAND_IN = "A stand-in spoke here, which has no prompt."
UNKNOWN = "The words of this version are not known here."

Call = Mapping[str, Any]


@require_GET
@requires_async(REPLAY)
async def turn_calls(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The calls whose events have a number between `from` and `to`, and the prompts they used."""
    first, last = number(request, "from", 1), number(request, "to", LAST)
    found = await in_db(calls_between, turn, first, last)
    return as_json(found)


def calls_between(turn_id: UUID, first: int, last: int) -> dict[str, Any]:
    """`calls` with `seq`, `given`, `came` or `fault`, and `prompt`; `why` where there is no tape.

    `prompts` has, by name, the text of each version or the sentence that stands in its place.
    Raises `Http404`.
    """
    turn = Turn.objects.filter(pk=turn_id).first()
    if turn is None:
        raise Http404("There is no such turn.")
    heard = tapes.of(turn_id)
    if heard is None:
        return {"calls": [], "prompts": {}, "why": tapes.why_none(turn)}
    rows = TurnEvent.objects.filter(turn=turn_id, type=ModelCall.TYPE, seq__lte=last)
    pairs = matched(rows.order_by("seq").values_list("seq", "data"), heard.calls)
    shown = [_shown(seq, call) for seq, call in pairs if seq >= first][:MOST]
    return {"calls": shown, "prompts": _prompts(shown), "why": ""}


def matched(
    events: Iterable[tuple[int, Mapping[str, Any]]], calls: Iterable[Call]
) -> list[tuple[int, Call]]:
    """Each event's number with its call; an event of a run that was given up has none."""
    waiting: dict[str, deque[Call]] = defaultdict(deque)
    for call in calls:
        if told := call.get("call"):
            waiting[told["purpose"]].append(call)
    pairs = []
    for seq, data in events:
        same = (call for call in waiting[data["purpose"]] if call["call"] == data)
        if (found := next(same, None)) is not None:
            waiting[data["purpose"]].remove(found)
            pairs.append((seq, found))
    return pairs


def _shown(seq: int, call: Call) -> dict[str, Any]:
    shown = {
        "seq": seq,
        "given": _cut(call["given"]),
        "prompt": call["call"]["prompt_version"],
        "model": call["call"]["model"],
    }
    if "fault" in call:
        kind = call["fault"]["type"]
        return {**shown, "fault": FAULTS.get(kind, FAULTS["model"])} | _wrote(call)
    return {**shown, "came": _cut(call["came"])} | _wrote(call)


def _wrote(call: Call) -> dict[str, Any]:
    """What was on the screen, where it is not what came back."""
    return {"wrote": _cut(call["wrote"])} if call.get("wrote") else {}


def _cut(value: Any) -> Any:
    """The value with texts that are too long to be read cut, with their length told."""
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return {name: _cut(each) for name, each in value.items()}
    return [_cut(each) for each in value] if isinstance(value, list) else value


def _prompts(shown: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    used = {call["prompt"]: call["model"] for call in shown}
    known = prompting.words_of(used.keys())
    return {
        name: {"text": known[name].system} if name in known else {"why": _why(name, model)}
        for name, model in used.items()
    }


def _why(name: str, model: str) -> str:
    """Why a call has no prompt to show."""
    if not name:
        return STAND_IN
    return RULES if model.startswith("offline") else UNKNOWN
