"""What was filled in on a sheet, as the answers of its jobs. Nothing else of a request is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import QueryDict

from admin_tracing.asked import Asked
from admin_tracing.labels import BadLabel, Trouble
from admin_tracing.queueing import Answer, Job, jobs_of
from admin_tracing.taxonomy import Category, Severity
from chat.models import Turn

LONGEST_NOTE = 2_000
MARKS = {"yes": True, "no": False}


def answers_in(given: QueryDict, turn: Turn, shown: Asked) -> tuple[Answer, ...]:
    """The jobs that are filled in whole; one that is not is left out.

    The note goes with the last job that the turn asks. Raises `BadLabel` for what no sheet offers.
    """
    asks = jobs_of(turn)
    note = note_in(given)
    found = []
    if given.get("needed"):
        words = note if asks[-1] is Job.ROUTING else ""
        found.append(Answer(Job.ROUTING, needed=given["needed"], note=words))
    if Job.GROUNDEDNESS in asks and given.get("grounded") and given.get("correct"):
        found.append(_groundedness(given, shown, note))
    return tuple(found)


def _groundedness(given: QueryDict, shown: Asked, note: str) -> Answer:
    return Answer(
        Job.GROUNDEDNESS,
        grounded=given["grounded"],
        correct=given["correct"],
        parts=(
            _marks(given, "claim", [claim.id for claim in shown.claims]),
            _marks(given, "source", [str(citation.marker) for citation in shown.citations]),
        ),
        trouble=trouble_in(given),
        note=note,
    )


def trouble_in(given: QueryDict) -> Trouble | None:
    """The incident that was named. Raises `BadLabel` for a severity without a category."""
    category, severity = given.get("category", ""), given.get("severity", "")
    try:
        if category:
            return Trouble(Category(category), Severity(severity) if severity else None)
    except ValueError:
        raise BadLabel("That is no kind of incident, or no severity.") from None
    if severity:
        raise BadLabel("A severity belongs to an incident: choose its category.")
    return None


def _marks(given: QueryDict, prefix: str, keys: Sequence[str]) -> Mapping[str, bool]:
    """Yes or no by key, of those keys alone that the turn has."""
    said = {key: given.get(f"{prefix}-{key}", "") for key in keys}
    return {key: MARKS[value] for key, value in said.items() if value in MARKS}


def note_in(given: QueryDict) -> str:
    """The note that was written. Raises `BadLabel` for one that is too long."""
    note: str = given.get("note", "")
    if len(note) > LONGEST_NOTE:
        raise BadLabel(f"A note has at most {LONGEST_NOTE:,} characters.")
    return note
