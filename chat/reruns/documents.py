"""Which recorded calls still hold, by the documents as they stand today. Database work.

The stamp of the documents is the time at which the newest one came. It tells neither that another
one was taken out, nor that one came while a turn ran.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from chat import wiring
from chat.adapters.llm_offline import NAME
from chat.models import Document, DocumentVersion
from chat.taping.asked import PASSAGE

Call = Mapping[str, Any]


def are_current(calls: Sequence[Call], started: datetime) -> bool:
    """Is every passage that was found still served, and did no document come since `started`?"""
    served = DocumentVersion.objects.filter(document__collection=wiring.COLLECTION, is_current=True)
    if served.filter(ingested_at__gt=started).exists():
        return False
    found = set(_found([call.get("came") for call in calls if call.get("kind") == "search"]))
    slugs = {slug for slug, _ in found}
    current = set(served.filter(document__slug__in=slugs).values_list("document__slug", "number"))
    here = Document.objects.filter(collection=wiring.COLLECTION, slug__in=slugs)
    known = set(here.values_list("slug", flat=True))  # what came with a question is none of them
    return {one for one in found if one[0] in known} <= current


def independent(calls: Sequence[Call]) -> list[Call]:
    """Calls that do not go by the documents. The offline model does: their words weigh in it."""
    return [call for call in calls if (call.get("call") or {}).get("model") != NAME]


def _found(value: Any) -> Iterator[tuple[str, int]]:
    """Document and version of every passage in a JSON value."""
    if isinstance(value, list):
        for each in value:
            yield from _found(each)
    elif isinstance(value, dict):
        if value.keys() >= PASSAGE:
            yield value["document"], value["version"]
        for each in value.values():
            yield from _found(each)
