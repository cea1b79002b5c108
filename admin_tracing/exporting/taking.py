"""Labels from a file become those of whoever brought it: each line whole or not at all.

A file is taken in slices, each in a transaction of its own. What was taken when a process is
killed stays, and whoever brings the file again goes on from there: a line that says what stands
already writes nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction

from admin_tracing import labels, queueing
from admin_tracing.access import SETTLE, may
from admin_tracing.exporting.reading import Problem, Said
from admin_tracing.models import (
    GroundednessLabel,
    QueueItem,
    Review,
    RoutingLabel,
    Settlement,
)
from admin_tracing.models.labels import LABEL_SCHEMA
from admin_tracing.notes import kept
from chat.contracts.errors import RedactionFailed
from chat.contracts.events import NOBODYS
from chat.models import Turn

log = logging.getLogger(__name__)

IMPORTED = "file"  # where an item of the queue comes from that a file brought
SLICE = 250  # lines of one transaction
LONGEST = 30.0  # seconds, after which no further slice begins
TRIES = 3  # of one slice, when the database ends it in favour of somebody else's work
NO_ANSWER = "no source was to hold this answer: only needed can be filled in"
NOT_BLIND = "others have labelled it, and who settles may have read what they said"
ROUTE = ("needed", "note", "schema")
ANSWER = ("grounded", "correct", "note", "schema")

Words = Mapping[str, Any]
"""A label that stands: some of `ROUTE` or `ANSWER`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's own labels by turn, as they are before a file comes."""

    ways: Mapping[UUID, Words]
    answers: Mapping[UUID, Words]


@dataclass(slots=True)
class Taken:
    """What became of a file: labels by what happened to them, and lines that were not taken.

    `left` counts the lines that were not reached; `new`, `changed` and `same` count labels, of
    which a line may have two.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    left: int = 0
    problems: list[Problem] = field(default_factory=list)

    def add(self, other: Taken) -> None:
        self.new += other.new
        self.changed += other.changed
        self.same += other.same
        self.problems += other.problems


def take(
    said: Sequence[Said],
    user: Any,
    *,
    sensitive: bool,
    clock: Callable[[], float] = time.monotonic,
) -> Taken:
    """Give each label. A line that cannot be taken is told and keeps no other from being taken.

    `sensitive`: may they read turns that tell of somebody's health? `clock` gives seconds.
    """
    taken, until = Taken(), clock() + LONGEST
    for at in range(0, len(said), SLICE):
        done = None if at and clock() > until else _tried(said[at : at + SLICE], user, sensitive)
        if done is None:
            taken.left = len(said) - at
            break
        taken.add(done)
    return taken


def _tried(said: Sequence[Said], user: Any, sensitive: bool) -> Taken | None:
    """What became of a slice; None if the database did not let it through."""
    for _ in range(TRIES):
        try:
            return _slice(said, user, sensitive)
        except OperationalError as error:  # a deadlock, or no connection
            log.warning("a slice of a file of labels was ended: %s", error)
    return None


def _slice(said: Sequence[Said], user: Any, sensitive: bool) -> Taken:
    taken = Taken()
    turns = Turn.objects.select_related("conversation").in_bulk([each.turn for each in said])
    fit = [each for each in said if _fits(each, turns.get(each.turn), user, sensitive, taken)]
    stands = _standing(fit, user)
    news = [each for each in _screened(fit, stands, taken) if _says_more(each, stands, taken)]
    if news:
        _write(news, turns, user, taken)
    return taken


@transaction.atomic
def _write(said: Sequence[Said], turns: Mapping[UUID, Turn], user: Any, taken: Taken) -> None:
    keys = [each.turn for each in said]
    queueing.add(keys, IMPORTED, user=user)
    read = _may_have_been_read(queueing.locked_items(keys), user)
    settled = set(Settlement.objects.filter(turn__in=keys).values_list("turn", flat=True))
    open_ = []
    for each in said:
        is_settled = each.turn in settled
        why = queueing.why_never_of(user, turns[each.turn], is_settled=is_settled)
        why = why or (NOT_BLIND if each.turn in read else "")
        taken.problems += [Problem(each.line, why)] if why else []
        open_ += [] if why else [each]
    _give(open_, user, taken)


def _may_have_been_read(items: Sequence[QueueItem], user: Any) -> set[UUID]:
    """Turns whose labels by others are open to whoever settles, and that they have not labelled."""
    if not may(user, SETTLE):
        return set()
    full = {item.pk for item in items if item.status != QueueItem.Status.OPEN}
    for kind in (RoutingLabel, GroundednessLabel):
        full -= set(kind.objects.filter(user=user, turn__in=full).values_list("turn", flat=True))
    return full


def _fits(said: Said, turn: Turn | None, user: Any, sensitive: bool, taken: Taken) -> bool:
    why = _refused(said, turn, user, sensitive)
    taken.problems += [Problem(said.line, why)] if why else []
    return not why


def _refused(said: Said, turn: Turn | None, user: Any, sensitive: bool) -> str:
    """Why a line cannot be taken now or later. That its turn was settled shows under the lock."""
    if turn is None or (turn.is_sensitive and not sensitive):
        return "there is no such turn"
    if turn.kind in NOBODYS:
        return "lab turns and re-runs are not labelled"
    if turn.erased_at is not None:
        return "what was said in this turn is erased"
    if turn.status != Turn.Status.FINISHED:
        return "A turn is labelled once it has ended."
    if why := queueing.why_never_of(user, turn, is_settled=False):
        return why
    if (said.grounded or said.correct) and not queueing.holds_answer(turn):
        return NO_ANSWER  # such a turn is not asked this, so nobody could settle it
    return ""


def _screened(said: Sequence[Said], stands: Standing, taken: Taken) -> list[Said]:
    """The lines with their notes as they may be stored, before anything is locked.

    A note that stands like this already was screened when it came.
    """
    found = []
    for each in said:
        notes = [
            one[each.turn]["note"] for one in (stands.ways, stands.answers) if each.turn in one
        ]
        try:
            is_known = each.note in notes
            found.append(each if is_known else replace(each, note=kept(each.note)))
        except RedactionFailed as error:
            taken.problems.append(Problem(each.line, str(error)))
    return found


def _says_more(said: Said, stands: Standing, taken: Taken) -> bool:
    """False, and counted, for a line that says what stands already: nothing is locked for it."""
    pairs = _pairs(said, stands)
    if any(after != before for after, before in pairs):
        return True
    taken.same += len(pairs)
    return False


def _give(said: Sequence[Said], user: Any, taken: Taken) -> None:
    """What differs from what stands is written, in as many queries as for one line."""
    stands = _standing(said, user)  # again, as nobody else writes them from here on
    route: dict[UUID, tuple[str, str]] = {}
    answer: dict[UUID, tuple[str, str, str]] = {}
    for each in said:
        for after, before in _pairs(each, stands):
            if not _counted(taken, after, before):
                continue
            if "needed" in after:
                route[each.turn] = after["needed"], after["note"]
            else:
                answer[each.turn] = after["grounded"], after["correct"], after["note"]
    labels.give_routing_to_many(user, route)
    labels.give_groundedness_to_many(user, answer)
    _told(user, {*route, *answer})


def _pairs(said: Said, stands: Standing) -> list[tuple[Words, Words | None]]:
    """Each label that a line gives, with what stands of it."""
    pairs = [(_way(said, stands.ways), stands.ways.get(said.turn))] if said.needed else []
    if said.grounded or said.correct:
        pairs.append((_answer(said, stands.answers), stands.answers.get(said.turn)))
    return pairs


def _way(said: Said, stands: Mapping[UUID, Words]) -> Words:
    """The note goes with the answer where the line has one, as on the sheet."""
    note = "" if said.grounded or said.correct else said.note
    old = stands.get(said.turn, {})
    return {"needed": said.needed, "note": note or old.get("note", ""), "schema": LABEL_SCHEMA}


def _answer(said: Said, stands: Mapping[UUID, Words]) -> Words:
    """What the line leaves open stays as the person said it before."""
    old = stands.get(said.turn, {})
    given = {"grounded": said.grounded, "correct": said.correct, "note": said.note}
    words = {name: value or old.get(name, "") for name, value in given.items()}
    return {**words, "schema": LABEL_SCHEMA}


def _counted(taken: Taken, after: Words, before: Words | None) -> bool:
    """Count a label by what happens to it. True if it has to be written."""
    if before is None:
        taken.new += 1
    elif before == after:
        taken.same += 1
    else:
        taken.changed += 1
    return before != after


def _told(user: Any, turns: set[UUID]) -> None:
    """The queue hears of it: what was said after the check's word, and where each item stands."""
    seen = Review.objects.filter(item__in=turns, user=user, before__seen=True)
    for turn in seen.values_list("item", flat=True):
        queueing.given_elsewhere(user, turn)
    queueing.recount_many(turns)


def _standing(said: Sequence[Said], user: Any) -> Standing:
    turns = [each.turn for each in said]
    return Standing(
        _labels(RoutingLabel, ROUTE, turns, user), _labels(GroundednessLabel, ANSWER, turns, user)
    )


def _labels(
    kind: Any, fields: Sequence[str], turns: Sequence[UUID], user: Any
) -> dict[UUID, Words]:
    rows = kind.objects.filter(user=user, turn__in=turns)
    return {row.pop("turn"): row for row in rows.values("turn", *fields)}
