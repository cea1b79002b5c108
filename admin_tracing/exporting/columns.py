"""What stands in a file: the sheet that people fill in, and all that is known of a turn. Pure.

The sheet shows no verdict: whoever writes a yes or no into it is asked before they are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SHEET = (
    *("turn", "question", "route", "passes", "termination", "answer"),
    *("right", "grounded", "needed", "note"),
)
"""`right` is the empty column for a yes or no; the three after it may stay empty."""

TO_FILL = ("right", "grounded", "needed", "note")
CAVEAT = "_with_caveat"  # what an end that is told blind goes without

EVERYTHING = (
    *("turn", "conversation", "kind", "started_at", "finished_at", "question", "standalone"),
    *("route_decided", "route_confidence", "route_taken", "termination", "answer", "confidence"),
    *("passes", "model_calls", "tokens", "cost_usd", "ms", "unsupported", "citations", "gaps"),
    *("asked_back", "vote", "versions", "decision", "routing_labels", "groundedness_labels"),
    *("settled", "stratum", "rate", "evidence_afterwards", "sensitive", "erased"),
)

LABELS = (
    *("turn", "job", "by", "at", "needed", "grounded", "correct", "claims", "citations"),
    *("incident", "note", "settles", "schema"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One turn with what belongs to it. `columns` are those of its table, JSON values all."""

    turn: str
    question: str
    answer: str
    columns: Mapping[str, Any]
    versions: Mapping[str, Any] = field(default_factory=dict)
    decision: Mapping[str, Any] = field(default_factory=dict)
    standalone: str = ""
    labels: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


def sheet(row: Row) -> list[dict[str, Any]]:
    """The line that people fill in."""
    told = row.columns
    line = {
        "turn": row.turn,
        "question": row.question,
        "route": told["route_taken"],
        "passes": told["passes"],
        "termination": told["termination"],
        "answer": row.answer,
    }
    return [line | dict.fromkeys(TO_FILL, "")]


def blind_sheet(row: Row) -> list[dict[str, Any]]:
    """The same for who may label: that there was a caveat is a verdict."""
    return [
        line | {"termination": str(line["termination"]).removesuffix(CAVEAT)} for line in sheet(row)
    ]


def everything(row: Row) -> list[dict[str, Any]]:
    """One line with all that is known of a turn."""
    known = {
        "turn": row.turn,
        "question": row.question,
        "standalone": row.standalone,
        "answer": row.answer,
        "versions": dict(row.versions),
        "decision": dict(row.decision),
        "routing_labels": [_of(label) for label in row.labels if label["job"] == "routing"],
        "groundedness_labels": [
            _of(label) for label in row.labels if label["job"] == "groundedness"
        ],
        "settled": [_of(label) for label in row.labels if label["settles"]],
        **row.columns,
        **row.more,
    }
    return [{name: known.get(name) for name in EVERYTHING}]


def labels(row: Row) -> list[dict[str, Any]]:
    """A line a label, the settled ones too."""
    return [
        {"turn": row.turn} | {name: label.get(name) for name in LABELS[1:]} for label in row.labels
    ]


def _of(label: Mapping[str, Any]) -> dict[str, Any]:
    """A label without what its place says already."""
    return {name: value for name, value in label.items() if name not in ("job", "settles")}
