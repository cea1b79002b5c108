"""A run of the lab as its page and its files show it. Nothing is written here."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from admin_tracing.lab_words import knee_of, name_of
from chat.contracts.verdicts import Termination
from chat.lab_costs import spent
from chat.lab_reads import OPEN, Question, entries_of, groups_of, questions_of, variants_of
from chat.lab_table import Entry, Group, Row, Variant, differences
from chat.models import LabRun

SHOWN_LIVE = 200  # outcomes of a run whose questions are shown while it still runs
SIGNALS = {"answered": "supported", "no_results": "partly", "off_topic": "unchecked"}
COLUMNS = {
    "answered": "answered",
    "no_results": "no results",
    "off_topic": "off topic",
    "retrievals": "retrievals",
    "calls": "model calls",
}


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row; `differs` is None where nothing is fixed, else what is not as it should be."""

    row: Row
    is_knee: bool
    differs: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """A group under its name, with the sentence about its knee, and its questions if wanted."""

    number: int
    name: str
    knee: str
    rows: tuple[ShownRow, ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What became of a question at one bound; `entry` is None while it has not ended."""

    bound: int
    entry: Entry | None

    @property
    def signal(self) -> str:
        if self.entry is None:
            return ""
        if self.entry.right is not None:
            return "supported" if self.entry.right else "failed"
        return SIGNALS.get(self.entry.outcome.ending, "failed")

    @property
    def ended(self) -> str:
        """In the words of the table; what is none of its columns in its own."""
        if self.entry is None:
            return ""
        outcome = self.entry.outcome
        if outcome.termination is Termination.USER_STOP:
            return "out of time"
        return COLUMNS.get(outcome.ending) or outcome.termination.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its cells by bound; without a text it is gone."""

    id: str
    question: Question | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run with its table. `is_fixed`: the golden five with stand-ins, known beforehand.

    `cost` is US dollars so far.
    """

    run: LabRun
    groups: tuple[ShownGroup, ...]
    done: int
    cost: Decimal
    is_open: bool
    is_own: bool
    is_fixed: bool
    shows_questions: bool
    bounds: tuple[int, ...]

    @property
    def columns(self) -> int:
        """Of the table: an own set has one more."""
        return 10 if self.is_own else 9


def shown(run: LabRun) -> ShownRun:
    """Everything that the page says of a run. Three queries."""
    is_open, is_own = run.status in OPEN, run.questions == LabRun.Questions.OWN
    variants, entries = variants_of(run), entries_of(run)
    groups = groups_of(run, entries)
    is_fixed = not is_own and all(variant.retrieval == "lexical" for variant in variants)
    with_questions = not is_open or run.total <= SHOWN_LIVE
    asked = _asked(run, entries) if with_questions else {}
    return ShownRun(
        run=run,
        groups=tuple(
            _group(number, group, asked, is_own=is_own, is_open=is_open, is_fixed=is_fixed)
            for number, group in enumerate(groups)
        ),
        done=len(entries),
        cost=spent(run.pk),
        is_open=is_open,
        is_own=is_own,
        is_fixed=is_fixed,
        shows_questions=with_questions,
        bounds=tuple(sorted({variant.bound for variant in variants})),
    )


def csv_of(run: LabRun) -> str:
    """The table, a line a row."""
    lines = [
        {**row.as_json(), "knee": group.knee is not None and group.knee.bound == row.variant.bound}
        for group in groups_of(run, entries_of(run))
        for row in group.rows
    ]
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(lines[0]) if lines else [])
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


def json_of(run: LabRun) -> str:
    """The run's settings, its table with the knees, and each outcome."""
    entries = entries_of(run)
    groups = groups_of(run, entries)
    told = {
        "run": run.pk,
        "questions": run.questions,
        "status": run.status,
        "problem": run.problem,
        "at": run.created_at.isoformat(),
        "cost": float(spent(run.pk)),
        "cost_limit": float(run.cost_limit),
        "rows": [row.as_json() for group in groups for row in group.rows],
        "knees": [
            {**_setting(group.variant), "knee": asdict(group.knee) if group.knee else None}
            for group in groups
        ],
        "outcomes": [{**run.variants[entry.variant], **entry.as_json()} for entry in entries],
    }
    return json.dumps(told, indent=2)


FILES = {"csv": ("text/csv", csv_of), "json": ("application/json", json_of)}


def _setting(variant: Variant) -> dict[str, Any]:
    retrieval, order, topic_check = variant.group
    return {"retrieval": retrieval, "order": order, "topic_check": topic_check}


def _group(
    number: int,
    group: Group,
    asked: dict[tuple[str, str, bool], tuple[Asked, ...]],
    *,
    is_own: bool,
    is_open: bool,
    is_fixed: bool,
) -> ShownGroup:
    return ShownGroup(
        number=number,
        name=name_of(group.variant),
        knee=knee_of(group, is_own=is_own, is_open=is_open),
        rows=tuple(
            ShownRow(
                row,
                group.knee is not None and group.knee.bound == row.variant.bound,
                _differs(row) if is_fixed else None,
            )
            for row in group.rows
        ),
        asked=asked.get(group.variant.group, ()),
    )


def _differs(row: Row) -> tuple[str, ...] | None:
    found = differences(row)
    if found is None:
        return None
    return tuple(f"{COLUMNS[name]} {is_}, not {due}" for name, (is_, due) in found.items())


def _asked(run: LabRun, entries: Iterable[Entry]) -> dict[tuple[str, str, bool], tuple[Asked, ...]]:
    """Each group's questions with their cells."""
    questions, variants = questions_of(run), variants_of(run)
    found = {(entry.variant, entry.outcome.question): entry for entry in entries}
    groups: dict[tuple[str, str, bool], list[tuple[int, Variant]]] = {}
    for number, variant in sorted(enumerate(variants), key=lambda pair: pair[1].bound):
        groups.setdefault(variant.group, []).append((number, variant))

    def cells(key: str, own: Iterable[tuple[int, Variant]]) -> tuple[Cell, ...]:
        return tuple(Cell(variant.bound, found.get((number, key))) for number, variant in own)

    return {
        name: tuple(Asked(key, questions.get(key), cells(key, own)) for key in map(str, run.asked))
        for name, own in groups.items()
    }
