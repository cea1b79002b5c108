"""Version sets by the names that pages give them."""

from __future__ import annotations

from collections.abc import Iterable

from chat.models import VersionSet


def names(wanted: Iterable[int]) -> dict[int, str]:
    """By key: the beginning of the digest, and the day on which the set was first seen."""
    rows = VersionSet.objects.filter(pk__in=list(wanted))
    told = rows.values_list("pk", "digest", "first_seen")
    return {pk: f"{digest[:8]}, from {seen.day} {seen:%b}" for pk, digest, seen in told}
