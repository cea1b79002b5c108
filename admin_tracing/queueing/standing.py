"""What stands of a turn for figures: a reviewer's word, else what people agree on, else nothing.

The same rule twice: for one turn by `agreement`, for all turns in one query of the database. A
test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from admin_tracing.models import GroundednessLabel, Review, RoutingLabel, Settlement
from admin_tracing.queueing.agreement import UNDECIDED, How, Job, Word, of_field
from admin_tracing.queueing.states import said_by
from chat.models import Turn

PLACES: Mapping[str, tuple[Job, str]] = {
    "needed": (Job.ROUTING, "routinglabels"),
    "grounded": (Job.GROUNDEDNESS, "groundednesslabels"),
    "correct": (Job.GROUNDEDNESS, "groundednesslabels"),
}
COLUMNS = ("turn_id", *PLACES, "how", *(f"how_{name}" for name in PLACES))


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of one turn, by question, each with why."""

    needed: Word
    grounded: Word
    correct: Word


def standing(turn: Turn) -> Standing:
    """What stands of one turn, counting half labels too."""
    said = said_by(turn).values()
    settled = {one.job: one for one in Settlement.objects.filter(turn=turn)}
    words = {
        name: of_field(
            [one[name] for one in said if one.get(name)],
            getattr(settled.get(job), name, ""),
        )
        for name, (job, _) in PLACES.items()
    }
    return Standing(**words)


def standing_labels(turns: QuerySet[Turn] | None = None) -> QuerySet[Turn, dict[str, Any]]:
    """What stands of every labelled turn, one row each, in no order; one query.

    Rows are dicts of `COLUMNS`. `needed`, `grounded` and `correct` are empty where nothing stands;
    `how_…` says of each why (a value of `How`), and `how` of the routing label, or of the answer's
    where there is none of routing. `turns` narrows them, such as `counted.counted(since)`; without
    it, lab turns and re-runs are in it if somebody has labelled them.
    """
    rows = (turns if turns is not None else Turn.objects.all()).order_by()
    labelled = Q(Exists(RoutingLabel.objects.filter(turn=OuterRef("pk")))) | Q(
        Exists(GroundednessLabel.objects.filter(turn=OuterRef("pk")))
    )
    grouped = rows.filter(labelled).values(turn_id=F("pk"))
    counts: dict[str, Any] = {}
    for name in PLACES:
        counts |= _counts(name)
    told: dict[str, Any] = {}
    for name in PLACES:
        told |= {f"how_{name}": _how(name), name: _value(name)}
    found = grouped.annotate(**counts).annotate(**told).annotate(how=_overall())
    return found.values(*COLUMNS)


def not_blind() -> QuerySet[Review]:
    """Reviews in which somebody gave other answers after they had seen the check's verdict.

    `before["after_seeing"]` names the jobs, `before["blind"]` has the answers of before, by job.
    How the check compares with people is told by these, and not by what was said afterwards.
    """
    return Review.objects.exclude(before__after_seeing=[]).filter(before__has_key="after_seeing")


def _counts(name: str) -> dict[str, Any]:
    """The least and greatest definite answer, how many of them, and who could not tell.

    The joins repeat rows of one table for each of the other; none of these minds.
    """
    job, table = PLACES[name]
    at = f"{table}__{name}"
    definite = ~Q(**{f"{at}__in": ("", *UNDECIDED)})
    of_job = Q(settlements__job=job)
    return {
        f"_{name}_least": Min(at, filter=definite),
        f"_{name}_most": Max(at, filter=definite),
        f"_{name}_people": Count(f"{table}__pk", filter=definite, distinct=True),
        f"_{name}_expert": Count(f"{table}__pk", filter=Q(**{at: "needs_expert"}), distinct=True),
        f"_{name}_unsure": Count(f"{table}__pk", filter=Q(**{at: "cannot_tell"}), distinct=True),
        f"_{name}_settled": Max(f"settlements__{name}", filter=of_job),
    }


def _how(name: str) -> Case:
    """`agreement.of_field`, in the same order."""
    least, most = f"_{name}_least", f"_{name}_most"
    return Case(
        *(When(**{f"_{name}_settled": one, "then": Value(_said(one))}) for one in UNDECIDED),
        When(Q(**{f"_{name}_settled__gt": ""}), then=Value(How.SETTLED.value)),
        When(Q(**{f"{least}__lt": F(most)}), then=Value(How.DISAGREED.value)),
        When(Q(**{f"_{name}_people__gt": 1}), then=Value(How.AGREED.value)),
        When(Q(**{f"_{name}_people": 1}), then=Value(How.ONE_PERSON.value)),
        When(Q(**{f"_{name}_expert__gt": 0}), then=Value(How.NEEDS_EXPERT.value)),
        When(Q(**{f"_{name}_unsure__gt": 0}), then=Value(How.CANNOT_TELL.value)),
        default=Value(How.UNLABELLED.value),
        output_field=CharField(),
    )


def _value(name: str) -> Case:
    settled, least, most = f"_{name}_settled", f"_{name}_least", f"_{name}_most"
    return Case(
        When(Q(**{f"{settled}__in": UNDECIDED}), then=Value("")),
        When(Q(**{f"{settled}__gt": ""}), then=F(settled)),
        When(Q(**{least: F(most)}), then=F(least)),
        default=Value(""),
        output_field=CharField(),
    )


def _overall() -> Case:
    no_route = When(how_needed=How.UNLABELLED.value, then=F("how_grounded"))
    return Case(no_route, default=F("how_needed"), output_field=CharField())


def _said(value: str) -> str:
    return of_field([], value).how.value
