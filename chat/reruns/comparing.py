"""What came out otherwise between two turns, from their facts. Pure; no words of people in it.

Words are held against each other, but only how many there are is told: what differs stands in the
two turns, where it goes when they are erased.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chat.contracts.events import Event
from chat.contracts.turn_facts import content_of, facts_of

Facts = Mapping[str, Any]
Flip = dict[str, Any]
"""`what`, and its value `before` and `after`."""


def told(events: Sequence[Event]) -> dict[str, Any]:
    """The facts of a turn, with its words under `content`, as `compare` wants them."""
    return {**facts_of(events, {}), "content": content_of(events)}


def compare(before: Facts, after: Facts) -> list[Flip]:
    """What differs, the most telling first: `[{"what", "before", "after"}]`.

    Values are names, counts, lists of chunks or, for `controls`, outcomes by control. Where only
    words differ (`answer`, `rewrites`), both values are counts and may be equal. Facts without
    `content` are compared without words.
    """
    flips = []
    for what, (read, shown) in _LOOKS.items():
        was, became = read(before), read(after)
        if was != became:
            flips.append({"what": what, "before": shown(was), "after": shown(became)})
    return [*flips, *_controls(before, after)]


def is_flipped(flips: Sequence[Flip]) -> bool:
    """Did the turn end otherwise?"""
    return any(flip["what"] == "termination" for flip in flips)


def _end(name: str) -> Callable[[Facts], Any]:
    return lambda facts: (facts.get("finished") or {}).get(name)


def _route(name: str) -> Callable[[Facts], Any]:
    return lambda facts: (facts.get("route") or {}).get(name)


def _confidence(facts: Facts) -> str:
    return str(facts.get("confidence", "none"))


def _accepted(facts: Facts) -> list[str]:
    passes = facts.get("passes", ())
    return sorted({chunk for each in passes for chunk in each.get("accepted", ())})


def _found(facts: Facts) -> list[str]:
    passes = facts.get("passes", ())
    return sorted({hit["chunk"] for each in passes for hit in each.get("chunks", ())})


def _citations(facts: Facts) -> list[str]:
    return [citation["chunk"] for citation in facts.get("citations", ())]


def _covered(facts: Facts) -> str:
    items = facts.get("items") or {}
    return f"{items.get('found', 0)} of {items.get('asked', 0)}"


def _unsupported(facts: Facts) -> int:
    return sum(claim.get("supported") is False for claim in facts.get("claims", ()))


def _answer(facts: Facts) -> list[str]:
    return str((facts.get("content") or {}).get("answer", "")).split()


def _rewrites(facts: Facts) -> tuple[int, list[str]]:
    """How many, and the queries without the first one, which is the question's own."""
    queries = (facts.get("content") or {}).get("queries", [])
    rewrites = len(facts.get("rewrites", ()))
    return rewrites, list(queries[1:]) if rewrites else []


def _as_is(value: Any) -> Any:
    return value


_LOOKS: dict[str, tuple[Callable[[Facts], Any], Callable[[Any], Any]]] = {
    "termination": (_end("termination"), _as_is),
    "route": (_route("taken"), _as_is),
    "decided": (_route("decided"), _as_is),
    "accepted": (_accepted, _as_is),
    "citations": (_citations, _as_is),
    "confidence": (_confidence, _as_is),
    "covered": (_covered, _as_is),
    "unsupported": (_unsupported, _as_is),
    "answer": (_answer, len),
    "passes": (_end("passes"), _as_is),
    "rewrites": (_rewrites, lambda value: value[0]),
    "found": (_found, _as_is),
    "calls": (_end("model_calls"), _as_is),
}
"""What is looked at: how it is read from the facts, and what of it is told."""


def _controls(before: Facts, after: Facts) -> list[Flip]:
    """Controls with other outcomes, as one flip."""
    was, became = _outcomes(before), _outcomes(after)
    differ = [name for name in sorted({*was, *became}) if was.get(name) != became.get(name)]
    if not differ:
        return []
    shown = ({name: outcomes.get(name, []) for name in differ} for outcomes in (was, became))
    return [dict(zip(("what", "before", "after"), ("controls", *shown), strict=True))]


def _outcomes(facts: Facts) -> dict[str, list[str]]:
    """Each control's outcomes in order."""
    found: dict[str, list[str]] = defaultdict(list)
    for decision in facts.get("controls", ()):
        found[decision["control"]].append(str(decision["outcome"]))
    return dict(found)
