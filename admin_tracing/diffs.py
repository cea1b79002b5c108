"""What a step changed, made fit to read: fields added, changed and removed, long values cut.

Pure. The full length always stands beside a cut value, and the whole is one request away.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

LONGEST = 600  # characters of one value that are sent unasked
ONE_LINE = 72  # characters of JSON that need no indentation

Kind = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One field. `before` is None where it was added, `after` where it was removed."""

    field: str
    kind: Kind
    before: Any = None
    after: Any = None


def difference(state: Mapping[str, Any], changed: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes that `changed` makes to `state`, in its order; what stays equal is left out.

    None means that a field is gone, as it does in the fold of `admin_tracing.replay`.
    """
    found = (_change(field, state.get(field), after) for field, after in changed.items())
    return tuple(change for change in found if change is not None)


def shown(change: Change, *, full: bool = False) -> dict[str, Any]:
    """A change as JSON values for the page; `full` leaves nothing out."""
    entry: dict[str, Any] = {"field": change.field, "kind": change.kind}
    if isinstance(change.before, dict) and isinstance(change.after, dict):
        inner = difference(change.before, _with_losses(change.before, change.after))
        return entry | {"inner": [shown(one, full=full) for one in inner]}
    grown = _grown(change)
    if grown is not None:
        kept, new = grown
        return entry | {"kept": kept, "after": text(new, full)}
    return entry | {
        "before": None if change.before is None else text(change.before, full),
        "after": None if change.after is None else text(change.after, full),
    }


def text(value: Any, full: bool = False) -> dict[str, Any]:
    """A value as text, its full `length` in characters, and whether it was cut."""
    whole = value if isinstance(value, str) else _written(value)
    cut = not full and len(whole) > LONGEST
    return {
        "text": whole[:LONGEST] if cut else whole,
        "length": len(whole),
        "cut": cut,
        "plain": isinstance(value, str),
    }


def _written(value: Any) -> str:
    """A value for reading: on one line if it is short, else a line for each part."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= ONE_LINE or not isinstance(value, list | dict):
        return line
    return "\n".join(_lines(value, ""))


def _lines(value: Any, indent: str) -> Iterator[str]:
    """`name: value` a line for an object, `- value` for a list, what is inside set in."""
    pairs = value.items() if isinstance(value, dict) else (("-", item) for item in value)
    for name, item in pairs:
        head = f"{indent}-" if name == "-" else f"{indent}{name}:"
        if isinstance(item, list | dict) and item:
            yield head
            yield from _lines(item, f"{indent}  ")
        else:
            yield f"{head} {item if isinstance(item, str) else json.dumps(item)}"


def _with_losses(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """`after` with None for the keys that only `before` has."""
    return after | {key: None for key in before if key not in after}


def _change(field: str, before: Any, after: Any) -> Change | None:
    if before == after:
        return None
    if before is None:
        return Change(field, "added", after=after)
    if after is None:
        return Change(field, "removed", before=before)
    return Change(field, "changed", before=before, after=after)


def _grown(change: Change) -> tuple[int, list[Any]] | None:
    """For a list that only got longer: how many items it had, and the new ones."""
    before, after = change.before, change.after
    if not (isinstance(before, list) and isinstance(after, list) and before):
        return None
    if len(after) <= len(before) or after[: len(before)] != before:
        return None
    return len(before), after[len(before) :]
