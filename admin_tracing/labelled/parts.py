"""What was said of the parts of answers, claims and citations, by people and by the controls.

People's marks come from the labels, the controls' word from the decision records of those turns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import CharField, Func, QuerySet
from django.db.models.fields.json import KeyTransform

from admin_tracing.days import Days
from admin_tracing.labelled.rows import turns
from admin_tracing.labelled.standing import Seen, marks
from admin_tracing.models import GroundednessLabel, Settlement
from chat.contracts.verdicts import Control, GradeLabel, Outcome, Supports
from chat.models import DecisionRecord

# A draft may be checked more than once; the last time was about the one that went out.
_LAST_CHECK = f"""
(SELECT c.one->>'outcome'
 FROM jsonb_array_elements(%(expressions)s) WITH ORDINALITY AS c(one, place)
 WHERE c.one->>'control' = '{Control.GROUNDEDNESS}' ORDER BY c.place DESC LIMIT 1)
"""

_PARTS = ("claims", "citations", "passes")
_MARKS = ("claims", "citations")
NOBODY: Seen = {}

CARRIED: Mapping[str, bool] = {Supports.YES: True, Supports.NO: False}


@dataclass(slots=True)
class Parts:
    """Of one turn: what people say of its claims (by id) and citations (by marker), and the same
    by the judge, by the binding and by the grader. `check` is how the grounding check ended."""

    claims: dict[str, bool] = field(default_factory=dict)
    citations: dict[str, bool] = field(default_factory=dict)
    judged: dict[str, bool] = field(default_factory=dict)
    bound: dict[str, bool] = field(default_factory=dict)
    graded: dict[str, bool] = field(default_factory=dict)
    check: str = ""

    @property
    def check_acted(self) -> bool | None:
        """Did the check find fault? None where it did not run."""
        acted = {Outcome.ACTED.value: True, Outcome.PASSED.value: False}
        return acted.get(self.check)


def parts(days: Days, versions: int | None = None, seen: Seen = NOBODY) -> dict[UUID, Parts]:
    """The parts of every turn with a groundedness label that has any. Three queries.

    Of those who said something else once they had `seen` the check's verdict, the marks of before.
    """
    chosen = turns(days, Settlement.Job.GROUNDEDNESS, versions)
    labels = GroundednessLabel.objects.filter(turn__in=chosen)
    marked = labels.exclude(claims={}, citations={}).order_by()
    found: dict[UUID, Parts] = defaultdict(Parts)
    said: dict[UUID, list[tuple[dict[str, bool], dict[str, bool]]]] = defaultdict(list)
    for turn, person, *given in marked.values_list("turn_id", "user_id", "claims", "citations"):
        before = seen.get((turn, person))
        claims, citations = given if before is None else map(before.get, _MARKS)
        said[turn].append((claims or {}, citations or {}))
    for turn, several in said.items():
        found[turn].claims = marks(claims for claims, _ in several)
        found[turn].citations = marks(citations for _, citations in several)
    for turn, check in _checks(labels):
        found[turn].check = check or ""
    for turn, *facts in _facts([pk for pk, one in found.items() if one.claims or one.citations]):
        _fill(found[turn], facts)
    return found


def _checks(labels: QuerySet[GroundednessLabel]) -> Iterable[tuple[UUID, str | None]]:
    """How the grounding check of each turn ended, read out of the record by the database."""
    ended = Func(KeyTransform("controls", "facts"), template=_LAST_CHECK, output_field=CharField())
    labelled = labels.order_by().values("turn")
    rows = DecisionRecord.objects.filter(turn__in=labelled).annotate(check=ended)
    return rows.order_by().values_list("turn_id", "check")


def _facts(marked: Sequence[UUID]) -> Iterable[tuple[Any, ...]]:
    """Claims, citations and passes; only of turns on which somebody marked one."""
    rows = DecisionRecord.objects.filter(turn__in=marked).order_by()
    return rows.values_list("turn_id", *(f"facts__{name}" for name in _PARTS))


def _fill(into: Parts, facts: Sequence[Any]) -> None:
    claims, citations, passes = (part or [] for part in facts)
    grades = {c: g for one in passes for c, g in one.get("verdicts", {}).items()}
    into.judged = {c["id"]: c["supported"] for c in claims if c.get("supported") is not None}
    into.bound = {
        str(c["marker"]): CARRIED[c["supports"]] for c in citations if c["supports"] in CARRIED
    }
    into.graded = {
        str(c["marker"]): grades[c["chunk"]] == GradeLabel.ANSWERS
        for c in citations
        if grades.get(c["chunk"], GradeLabel.UNGRADED) != GradeLabel.UNGRADED
    }
