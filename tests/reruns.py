"""Rows of re-runs written by hand, for pages: what was changed and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chat.models import Rerun, RerunBatch
from tests import stored
from tests.traces import one_search, refund_with_one_rewrite

CHANGE = {"check_order": "budget"}
LEDGER = [
    {"kind": "model", "purpose": "grade", "reused": True, "cost": 0.0, "ms": 0.0},
    {"kind": "search", "purpose": "search", "reused": True, "cost": 0.0, "ms": 0.0},
    {"kind": "model", "purpose": "answer", "reused": False, "cost": 0.0012, "ms": 840.0},
]
FLIPS = [
    {"what": "termination", "before": "answered", "after": "no_evidence"},
    {"what": "accepted", "before": ["refunds#refund-timing"], "after": []},
    {"what": "controls", "before": {"relevance": ["acted"]}, "after": {"relevance": ["passed"]}},
]


def rerun(source: Any = None, result: Any = None, **fields: Any) -> Rerun:
    """A re-run that is done and flipped, with the turn it was made from and the one it made."""
    source = source or stored.finished_turn(refund_with_one_rewrite())
    given: dict[str, Any] = {
        "status": Rerun.Status.DONE,
        "change": CHANGE,
        "ledger": LEDGER,
        "flips": FLIPS,
        "is_flipped": True,
        "reused": 2,
        "called": 1,
        "cost": "0.0012",
    }
    if result is None and given["status"] == fields.get("status", Rerun.Status.DONE):
        result = stored.running_turn(
            one_search(3), kind="rerun", status="finished", termination="no_evidence", passes=1
        )
    return Rerun.objects.create(source=source, turn=result, **(given | fields))


def batch(reruns: Sequence[Rerun] = (), **fields: Any) -> RerunBatch:
    """A batch with these re-runs in it."""
    done = [one for one in reruns if one.status == Rerun.Status.DONE]
    given: dict[str, Any] = {
        "change": CHANGE,
        "filters": {"termination": "answered"},
        "status": RerunBatch.Status.DONE,
        "total": len(reruns),
        "done": len(done),
        "flipped": sum(one.is_flipped for one in done),
        "failed": sum(one.status == Rerun.Status.FAILED for one in reruns),
    }
    made = RerunBatch.objects.create(**(given | fields))
    Rerun.objects.filter(pk__in=[one.pk for one in reruns]).update(batch=made)
    return made
