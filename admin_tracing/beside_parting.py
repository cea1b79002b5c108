"""What each of two turns does where they part, in words that differ. Pure.

A step's usual line counts: where both count the same, what was counted is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from admin_tracing.replay import Step
from admin_tracing.summaries import summary
from chat.contracts.events import Body, Event, ModelCall, Retrieval, StateDiff, Verdicts

OVER = "is over"
MOST = 3  # chunks that are named


def told(left: Body | None, right: Body | None) -> tuple[str, str]:
    """A line for each turn at the place where they part; None stands for one that is over."""
    ours, theirs = (_summary(body) for body in (left, right))
    if left is None or right is None or _bare(left) != _bare(right):
        return ours, theirs
    return _named(left, right, ours), _named(right, left, theirs)


def body_of(step: Step, events: Sequence[Event]) -> Body:
    """What stands at a step."""
    return next(event.body for event in events if event.seq == step.first)


def _summary(body: Body | None) -> str:
    return OVER if body is None else summary(body)


def _bare(body: Body) -> str:
    """The line without its times, by which two turns always differ."""
    if isinstance(body, Retrieval | ModelCall):
        body = body.model_copy(update={"ms": 0.0})
    return summary(body)


def _named(body: Body, other: Body, line: str) -> str:
    if isinstance(body, Retrieval) and isinstance(other, Retrieval):
        ours, theirs = ([hit.chunk for hit in each.hits] for each in (body, other))
        return f"{_bare(body).rpartition(' in ')[0]}: {_differing(ours, theirs)}"
    if isinstance(body, Verdicts) and isinstance(other, Verdicts):
        graded = [
            [f"{one.chunk} {one.label.value.lower()}" for one in each.chunks]
            for each in (body, other)
        ]
        return f"{line}: {_differing(*graded)}"
    if isinstance(body, ModelCall):
        return f"{line}, prompt {body.prompt_version}"
    if isinstance(body, StateDiff) and isinstance(other, StateDiff):
        changed = [name for name in body.changed if body.changed[name] != other.changed.get(name)]
        return f"{line}; otherwise: {', '.join(changed)}"
    return line


def _differing(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """From the first place on at which the lists differ."""
    pairs = zip(ours, theirs, strict=False)
    first = next((n for n, (one, other) in enumerate(pairs) if one != other), 0)
    rest = ours[first:]
    more = f" and {len(rest) - MOST} more" if len(rest) > MOST else ""
    return f"from place {first + 1} on {', '.join(rest[:MOST])}{more}"
