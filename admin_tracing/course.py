"""How a question was read, which way it went, and what of it was found: at each step.

Pure. Few events say so, so the page gets them all at once and needs no request for a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from admin_tracing.summaries import words
from chat.contracts.events import Event, QuestionRead, RouteTaken, Verdicts
from chat.contracts.verdicts import Route

LEVELS = (Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE)

NO_ANSWER = "the router gave no answer"


def course(events: Sequence[Event]) -> dict[str, list[Any]]:
    """`read`, `route` and `covered`: lists of [seq, value] in order.

    `covered` is item to found; an item that nobody has looked for yet stands in `read` alone.
    """
    return {
        "read": [[e.seq, _read(e.body)] for e in events if isinstance(e.body, QuestionRead)],
        "route": [[e.seq, route(e.body)] for e in events if isinstance(e.body, RouteTaken)],
        "covered": [[e.seq, e.body.covered] for e in events if isinstance(e.body, Verdicts)],
    }


def route(body: RouteTaken) -> dict[str, str]:
    """The path as two texts: the `line` itself, and `why`."""
    taken = f"taken {words(body.taken)}"
    if body.confidence is None:
        return {"line": taken, "why": _without_confidence(body)}
    decided = f"decided {words(body.decided)} {body.confidence:.2f}"
    return {"line": f"{decided} → {taken}", "why": "; ".join(_whys(body))}


def _without_confidence(body: RouteTaken) -> str:
    """A router that could not say, or that nobody asked."""
    if body.why.startswith(NO_ANSWER):
        reason = body.why.removeprefix(NO_ANSWER).lstrip(": ")
        return f"The router could not say ({words(reason)}), so the documents are searched once."
    return f"No router was asked: {body.why}." if body.why else ""


def _whys(body: RouteTaken) -> list[str]:
    return [why for why in (body.why, _moved(body)) if why]


def _moved(body: RouteTaken) -> str:
    """That another path was taken than was decided; unsure goes up, and so does a bare claim."""
    if body.decided not in LEVELS or body.taken not in LEVELS or body.decided == body.taken:
        return ""
    up = LEVELS.index(body.taken) > LEVELS.index(body.decided)
    return "one level up" if up else "answered without a search"


def _read(body: QuestionRead) -> dict[str, Any]:
    return {
        "standalone": body.standalone,
        "items": list(body.items),
        "intent": words(body.intent),
        "mode": words(body.mode),
        "level": body.context_level.lower(),
    }
