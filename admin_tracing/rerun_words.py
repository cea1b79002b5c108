"""What a re-run changed and what came out otherwise, in words for the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from admin_tracing.summaries import counted, words
from chat import reruns
from chat.models import Rerun

NAMES = {
    "termination": "Ended",
    "route": "Route",
    "decided": "Router decided",
    "accepted": "Accepted chunks",
    "citations": "Cited chunks",
    "covered": "Items found",
    "unsupported": "Claims not supported",
    "answer": "Words of the answer",
    "found": "Chunks found",
    "calls": "Calls",
}
KINDS = {
    "model": ("model call",),
    "search": ("search", "searches"),
    "router": ("router call",),
    "tool": ("tool call",),
    "ask": ("reply", "replies"),
}
MOST_NAMED = 4  # names of a list that are written out


@dataclass(frozen=True, slots=True)
class Flip:
    """One thing that came out otherwise, as texts."""

    what: str
    name: str
    before: str
    after: str


def told(rerun: Rerun | None) -> dict[str, Any]:
    """What a template says of a re-run: what was `changed`, how it `flip`ped, and the `others`."""
    if rerun is None:
        return {"rerun": None}
    found = flips(rerun.flips)
    flip = ending(found)
    others = [one for one in found if one is not flip]
    return {
        "rerun": rerun,
        "changed": changed(rerun.change),
        "flip": flip,
        "others": others,
        "reused": calls(rerun.ledger, reused=True),
        "made": calls(rerun.ledger, reused=False),
    }


def calls(ledger: Sequence[Mapping[str, Any]], *, reused: bool) -> str:
    """`9 model calls, 3 searches`: the calls that were reused, or those that were made."""
    found = Counter(str(line.get("kind")) for line in ledger if bool(line.get("reused")) == reused)
    return ", ".join(counted(number, *KINDS.get(kind, (kind,))) for kind, number in found.items())


def noted(rerun: Rerun | None) -> list[str]:
    """What a re-run could not have as its source had it, for the page that shows both."""
    if rerun is None:
        return []
    try:
        return reruns.notes(rerun)
    except reruns.BadChange:
        return []


def changed(stored: Mapping[str, Any]) -> list[str]:
    """The sentences of a stored change; one that an older version stored is told by its fields."""
    try:
        return reruns.Change.stored(stored).words()
    except reruns.BadChange:
        return [f"{words(name).capitalize()}: {value}." for name, value in stored.items()]


def flips(stored: Sequence[Mapping[str, Any]]) -> list[Flip]:
    """The flips of a re-run's row; outcomes of controls become one flip for each control."""
    return [flip for one in stored for flip in _flips(one)]


def _flips(flip: Mapping[str, Any]) -> list[Flip]:
    what = str(flip.get("what"))
    before, after = flip.get("before"), flip.get("after")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return [
            Flip(what, words(str(name)).capitalize(), _text(was), _text(after.get(name)))
            for name, was in before.items()
        ]
    if what in ("answer", "rewrites") and before == after:
        return [Flip(what, _name(what), "same number", "other words")]
    return [Flip(what, _name(what), *_gained(before, after))]


def ending(found: Sequence[Flip]) -> Flip | None:
    """The flip of how the turn ended, if it ended otherwise."""
    return next((flip for flip in found if flip.what == "termination"), None)


def _name(what: str) -> str:
    return NAMES.get(what, words(what).capitalize())


def _gained(before: Any, after: Any) -> tuple[str, str]:
    """Long lists are told by what is in one alone."""
    if not isinstance(before, list) or not isinstance(after, list):
        return _text(before), _text(after)
    if max(len(before), len(after)) <= MOST_NAMED:
        return _text(before), _text(after)
    gone = [one for one in before if one not in after]
    new = [one for one in after if one not in before]
    return (
        f"{len(before)}" + (f", without {_text(gone)}" if gone else ""),
        f"{len(after)}" + (f", new {_text(new)}" if new else ""),
    )


def _text(value: Any) -> str:
    if value is None or value == "" or value == []:
        return "none"
    if isinstance(value, list):
        more = len(value) - MOST_NAMED
        rest = f" and {counted(more, 'other')}" if more > 0 else ""
        return ", ".join(_text(one) for one in value[:MOST_NAMED]) + rest
    if isinstance(value, str):
        return value if "#" in value else words(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
