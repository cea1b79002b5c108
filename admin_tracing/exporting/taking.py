"""Labels from a file become those of whoever brought it: each line whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from admin_tracing import queueing
from admin_tracing.exporting.reading import Problem, Said
from admin_tracing.labels import BadLabel, Trouble, give_groundedness, give_routing
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.taxonomy import Category, Severity
from chat.contracts.errors import RedactionFailed
from chat.contracts.events import NOBODYS
from chat.models import Turn

IMPORTED = "file"  # where an item of the queue comes from that a file brought
NO_ANSWER = "no source was to hold this answer: only needed can be filled in"


@dataclass(slots=True)
class Taken:
    """What became of a file: labels by what happened to them, and lines that were not taken."""

    new: int = 0
    changed: int = 0
    same: int = 0
    problems: list[Problem] = field(default_factory=list)


def take(said: Sequence[Said], user: Any, *, sensitive: bool) -> Taken:
    """Give each label. A line that cannot be taken is told and keeps no other from being taken."""
    taken = Taken()
    turns = Turn.objects.select_related("conversation").in_bulk({each.turn for each in said})
    for each in said:
        why = _refused(turns.get(each.turn), user, sensitive=sensitive)
        if why:
            taken.problems.append(Problem(each.line, why))
            continue
        try:
            with transaction.atomic():
                queueing.add([each.turn], IMPORTED, user=user)
                _give(each, turns[each.turn], user, taken)
                queueing.given_elsewhere(user, each.turn)
                queueing.recount(each.turn)
        except (BadLabel, RedactionFailed) as error:
            taken.problems.append(Problem(each.line, str(error)))
    return taken


def _refused(turn: Turn | None, user: Any, *, sensitive: bool) -> str:
    if turn is None or (turn.is_sensitive and not sensitive):
        return "there is no such turn"
    if turn.kind in NOBODYS:
        return "lab turns and re-runs are not labelled"
    if turn.erased_at is not None:
        return "what was said in this turn is erased"
    if turn.status != Turn.Status.FINISHED:
        return "A turn is labelled once it has ended."
    return queueing.why_never(user, turn)


def _give(said: Said, turn: Turn, user: Any, taken: Taken) -> None:
    if (said.grounded or said.correct) and not queueing.holds_answer(turn):
        raise BadLabel(NO_ANSWER)  # such a turn is not asked this, so nobody could settle it
    if said.needed:
        had = RoutingLabel.objects.filter(turn=turn, user=user).first()
        before = (had.needed, had.note) if had else None
        label = give_routing(turn, user, said.needed, said.note)
        _count(taken, before, (label.needed, label.note))
    if said.grounded or said.correct:
        old = GroundednessLabel.objects.filter(turn=turn, user=user).first()
        was = (old.grounded, old.correct, old.note) if old else None
        given = give_groundedness(
            turn,
            user,
            (
                said.grounded or (old.grounded if old else "") or None,
                said.correct or (old.correct if old else "") or None,
            ),
            parts=(old.claims, old.citations) if old else ({}, {}),
            trouble=_trouble(old),
            note=said.note or (old.note if old else ""),
        )
        _count(taken, was, (given.grounded, given.correct, given.note))


def _trouble(old: GroundednessLabel | None) -> Trouble | None:
    """The incident that the label names already; no file says anything of it."""
    if old is None or not old.incident_category:
        return None
    severity = old.incident_severity
    return Trouble(Category(old.incident_category), Severity(severity) if severity else None)


def _count(taken: Taken, before: tuple[str, ...] | None, after: tuple[str, ...]) -> None:
    if before is None:
        taken.new += 1
    elif before == after:
        taken.same += 1
    else:
        taken.changed += 1
