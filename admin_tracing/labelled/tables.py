"""The tables of figures of labels, each number with its turns in the list. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from admin_tracing.days import Days
from admin_tracing.labelled import shown
from admin_tracing.labelled.agreement import CORRECT, Agreement
from admin_tracing.labelled.choosing import COUNTED, DOUBLED
from admin_tracing.labelled.controls import ALARM, ANY, FALSE_ALARM, FAULT, LABELLED_ANY, MISS, Row
from admin_tracing.labelled.grounded import JUDGED
from admin_tracing.labelled.rows import WAYS
from admin_tracing.labelled.shown import Shown, link, narrowed
from admin_tracing.models import Settlement
from admin_tracing.stats import Confusion

ROUTING, GROUNDEDNESS = str(Settlement.Job.ROUTING), str(Settlement.Job.GROUNDEDNESS)
IN_ROUTING, IN_GROUNDEDNESS = f"{ROUTING}:{COUNTED}", f"{GROUNDEDNESS}:{COUNTED}"
SHOWS = {"supported": "judged_held", "unsupported": "judged_unheld"}
ON = {ROUTING: "On the way", GROUNDEDNESS: "On the answer", CORRECT: "On whether it is right"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table and its turns in the list; `is_right` stands on the diagonal."""

    n: int
    query: str
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A row of the confusion table: what was needed, by what was taken."""

    name: str
    cells: tuple[Cell, ...]
    sum: Cell
    recall: Shown


def way(needed: str, table: Confusion, days: Days, versions: int | None) -> Way:
    counts = table.counts()
    of = narrowed(versions)
    cells = (
        Cell(counts[needed, went], link(days, needed=needed, went=went, **of), needed == went)
        for went in WAYS
    )
    recall = table.recall(needed)
    return Way(
        needed,
        tuple(cells),
        Cell(table.row_sum(needed), link(days, needed=needed, **of)),
        shown.share(recall, link(days, needed=needed, labelled=IN_ROUTING, **of)),
    )


def grade(
    said: str, table: Confusion, days: Days, of: Mapping[str, str]
) -> tuple[str, list[Cell], Cell]:
    """A row of the table of answers: what people say, by what the judge said, and the sum."""
    counts = table.counts()
    cells = [
        Cell(counts[said, judge], link(days, grounded=said, shows=SHOWS[judge], **of))
        for judge in JUDGED
    ]
    return said, cells, Cell(table.row_sum(said), link(days, grounded=said, **of))


@dataclass(frozen=True, slots=True)
class Control:
    """A row of the table of controls, with the links to all its turns and to its work list."""

    row: Row
    all: str
    precision: Shown
    recall: Shown
    kappa: Shown
    false_alarms: str
    misses: str


def control(row: Row, days: Days, versions: int | None) -> Control:
    name, of = row.control.name, narrowed(versions)

    def those(kind: str) -> str:
        return link(days, measured=f"{name}:{kind}", **of)

    return Control(
        row,
        those(LABELLED_ANY) if row.n else "",
        shown.share(row.precision, those(ALARM)),
        shown.share(row.recall, those(FAULT)),
        shown.kappa(row.kappa, those(ANY) if row.kappa.n else ""),
        link(days, disagrees=f"{name}:{FALSE_ALARM}", **of) if row.false_alarms else "",
        link(days, disagrees=f"{name}:{MISS}", **of) if row.misses else "",
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that people answer: how far they agree, and on which turns they do not.

    `graded` is None for answers without an order.
    """

    title: str
    row: Agreement
    plain: Shown
    graded: Shown | None
    doubled: str
    split: str


def job(one: Agreement, days: Days, versions: int | None) -> Asked:
    of = narrowed(versions)
    doubled = link(days, labelled=f"{one.job}:{DOUBLED}", **of) if one.doubled else ""
    return Asked(
        ON[one.job],
        one,
        shown.kappa(one.kappa, doubled),
        shown.kappa(one.graded, doubled) if one.graded else None,
        doubled,
        link(days, disagrees=f"people:{one.job}", **of) if one.split else "",
    )
