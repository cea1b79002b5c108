"""The use cases of labels: give one, once a person and turn. Giving it again takes its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from admin_tracing import incidents
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.models.labels import LABEL_SCHEMA
from admin_tracing.notes import kept
from admin_tracing.taxonomy import Category, Severity
from chat.models import Turn


class BadLabel(ValueError):
    """A label that no page offers. Its text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """An incident that a label names; without a severity, the category's rule says it."""

    category: Category
    severity: Severity | None = None


@transaction.atomic
def give_routing(turn: Turn, user: Any, needed: str, note: str = "") -> RoutingLabel:
    """Say which way the question needed. Raises `BadLabel` or `RedactionFailed`."""
    _ended(turn)
    said = {"needed": _one_of(RoutingLabel.Needed, needed), "note": kept(note)}
    label, _ = RoutingLabel.objects.update_or_create(
        turn=turn, user=user, defaults=said | {"schema": LABEL_SCHEMA}
    )
    return label


@transaction.atomic
def give_groundedness(
    turn: Turn,
    user: Any,
    said: tuple[str | None, str | None],
    *,
    parts: tuple[Mapping[str, bool], Mapping[str, bool]] = ({}, {}),
    trouble: Trouble | None = None,
    note: str = "",
) -> GroundednessLabel:
    """Say whether the answer is `said` = (grounded, correct); None leaves one of them open.

    `parts` are the claims by their ids and the citations by their markers. `trouble` opens an
    incident in the same transaction, once a label and category. Raises `BadLabel` or
    `RedactionFailed`.
    """
    _ended(turn)
    if said == (None, None):
        raise BadLabel("Say whether the answer is held by its sources, or whether it is right.")
    values = {
        "grounded": _one_of(GroundednessLabel.Grounded, said[0]),
        "correct": _one_of(GroundednessLabel.Correct, said[1]),
        "claims": _marks(parts[0]),
        "citations": _marks(parts[1]),
        "incident_category": trouble.category if trouble else "",
        "incident_severity": trouble.severity or "" if trouble else "",
        "note": kept(note),
        "schema": LABEL_SCHEMA,
    }
    label, _ = GroundednessLabel.objects.update_or_create(turn=turn, user=user, defaults=values)
    if trouble is not None:
        incidents.open_from_label(label)
    return label


def give_routing_to_many(user: Any, said: Mapping[UUID, tuple[str, str]]) -> None:
    """`give_routing` of many ended turns at once: (needed, note) by turn, the note screened.

    Call it in a transaction that holds the turns' items. Raises `BadLabel`.
    """
    rows = [
        RoutingLabel(
            turn_id=turn, user=user, needed=_one_of(RoutingLabel.Needed, needed), note=note
        )
        for turn, (needed, note) in said.items()
    ]
    _keep(RoutingLabel, rows, ("needed", "note"))


def give_groundedness_to_many(user: Any, said: Mapping[UUID, tuple[str, str, str]]) -> None:
    """The same for (grounded, correct, note), where one of the first two may be empty.

    Marks and an incident that a label has already stay as they are.
    """
    rows = []
    for turn, (grounded, correct, note) in said.items():
        held = _one_of(GroundednessLabel.Grounded, grounded or None)
        right = _one_of(GroundednessLabel.Correct, correct or None)
        rows.append(
            GroundednessLabel(turn_id=turn, user=user, grounded=held, correct=right, note=note)
        )
    _keep(GroundednessLabel, rows, ("grounded", "correct", "note"))


def _keep(kind: Any, rows: Sequence[Any], fields: Sequence[str]) -> None:
    kind.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["turn", "user"],
        update_fields=[*fields, "schema", "at"],
    )


def _ended(turn: Turn) -> None:
    if turn.status != Turn.Status.FINISHED:
        raise BadLabel("A turn is labelled once it has ended.")


def _one_of(choices: Any, given: str | None) -> str:
    if given is None:
        return ""
    if given not in choices.values:
        raise BadLabel(f"{given!r} is none of {', '.join(choices.values)}.")
    return given


def _marks(given: Mapping[str, bool]) -> dict[str, bool]:
    """A yes or no by id or marker."""
    is_plain = all(isinstance(k, str) and isinstance(v, bool) for k, v in given.items())
    if not is_plain:
        raise BadLabel("Say true or false of each claim and citation.")
    return dict(given)
