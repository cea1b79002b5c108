"""The outline of a replay and the details of its steps, as JSON values for the page.

Pure. The outline is small, so that a turn with thousands of events opens at once; the rest
is asked for by range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import Any

from admin_tracing.diffs import difference, shown
from admin_tracing.meters import Limits, ended_by, limits, spent, tool_costs
from admin_tracing.replay import BANDS, Replay, fold
from admin_tracing.summaries import summary
from admin_tracing.waits import Wait
from chat.contracts.events import DraftWithdrawn, Event, Retrieval, StateDiff, Token


def outline(replay: Replay) -> dict[str, Any]:
    """Steps, visits and passes as rows without names, to keep thousands of them short.

    A step is [first, last, type, band, visit, pass, ms, until_ms], where type and band are
    places in `types` and `bands`; a visit is [node, first, last, pass, number, ms, paused], a
    pass [number, first, last], a wait [after, for, ms, until_ms].
    """
    types = sorted({step.type for step in replay.steps})
    place = {name: index for index, name in enumerate((*types, *BANDS))}
    shift = len(types)
    return {
        "types": types,
        "bands": BANDS,
        "steps": [
            [
                *(s.first, s.last, place[s.type], place[s.band] - shift),
                *(s.visit, s.pass_, s.ms, s.until_ms),
            ]
            for s in replay.steps
        ],
        "visits": [
            [v.node, v.first, v.last, v.pass_, v.number, v.ms, v.paused] for v in replay.visits
        ],
        "passes": [[p.number, p.first, p.last] for p in replay.passes],
        "waits": [[w.after, w.for_, w.ms, w.until_ms] for w in replay.waits],
        "finished": replay.finished is not None,
    }


def budget(events: Sequence[Event], waits: Sequence[Wait], now: Limits) -> dict[str, Any]:
    """What was spent, step by step, as JSON rows: the other half of the outline.

    A row of `spent` is [seq, passes, rewrites, tokens, cost, tools], and is there only where
    something was spent; `tool_costs` is [seq, cost]. `ended` is [seq, meter] or None.
    """
    return {
        "limits": asdict(limits(events, now)),
        "spent": [
            [row.seq, row.passes, row.rewrites, row.tokens, row.cost, row.tools]
            for row in spent(events, waits)
        ],
        "tool_costs": [list(pair) for pair in tool_costs(events).items()],
        "ended": ended_by(events),
    }


def details(
    events: Sequence[Event], before: Sequence[Mapping[str, Any]], *, full: bool = False
) -> list[dict[str, Any]]:
    """One entry a step of a range of events. `before` holds the diffs that came earlier.

    An entry has `first`, `last`, `type`, `summary` and `wire` (the frame as it was sent, tokens
    joined); a state diff has `changes`, and a search the `items` that it was for, as far as the
    diffs before it say so.
    """
    state = fold(before)
    entries: list[dict[str, Any]] = []
    for is_token, group in groupby(events, key=lambda event: isinstance(event.body, Token)):
        if is_token:
            entries.append(_token_entry(list(group)))
            continue
        for event in group:
            entries.append(_entry(event, state, full))
            if isinstance(event.body, StateDiff):
                state = fold((state, event.body.changed))
    return entries


def tokens(events: Sequence[Event], start: datetime) -> list[list[Any]]:
    """The draft as it came: [seq, ms, offset, text], without an offset where it was withdrawn.

    The text is then the reason.

    `ms` counts from `start`, the time of the turn's first event.
    """
    rows: list[list[Any]] = []
    for event in events:
        row: list[Any] = [event.seq, round((event.at - start).total_seconds() * 1000, 2)]
        if isinstance(event.body, Token):
            row += [event.body.offset, event.body.text]
        elif isinstance(event.body, DraftWithdrawn):
            row += [None, event.body.why]
        rows.append(row)
    return rows


def _entry(event: Event, state: Mapping[str, Any], full: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "first": event.seq,
        "last": event.seq,
        "type": event.body.TYPE,
        "summary": summary(event.body),
        "wire": event.wire(),
    }
    if isinstance(event.body, StateDiff):
        changes = difference(state, event.body.changed)
        entry["changes"] = [shown(change, full=full) for change in changes]
    if isinstance(event.body, Retrieval):
        entry["items"] = _items(event.body.query, state)
    return entry


def _items(query: str, state: Mapping[str, Any]) -> list[str]:
    """The items that were searched with this query; none where the state does not know it."""
    queries = state.get("queries")
    if not isinstance(queries, Mapping):
        return []
    return [item for item, words in queries.items() if words == query]


def _token_entry(run: Sequence[Event]) -> dict[str, Any]:
    bodies = [event.body for event in run if isinstance(event.body, Token)]
    joined = Token(offset=bodies[0].offset, text="".join(body.text for body in bodies))
    last = run[-1]
    whole = Event(turn=last.turn, seq=last.seq, at=last.at, body=joined)
    return {
        "first": run[0].seq,
        "last": last.seq,
        "type": Token.TYPE,
        "summary": summary(joined),
        "wire": whole.wire(),
    }
