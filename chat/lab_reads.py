"""What a stored run of the lab says: its variants and questions, what came of them, its table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat import lab_questions
from chat.contracts.verdicts import Termination
from chat.lab_table import Entry, Group, Outcome, Variant, grouped, row
from chat.models import LabQuestion, LabRun
from chat.sample.loader import golden_five

OPEN = (LabRun.Status.WAITING, LabRun.Status.RUNNING)
"""A run in one of these goes on."""

COLUMNS = (
    *("variant", "question", "turn_id", "turn__termination", "turn__passes", "turn__model_calls"),
    *("turn__cost", "turn__ms", "right", "accepted", "wanted"),
)


@dataclass(frozen=True, slots=True)
class Question:
    """One question to ask: what it should end in, if that is said, and what answers it."""

    id: str
    text: str
    expects: str = ""
    answer_chunks: tuple[str, ...] = ()


def variants_of(run: LabRun) -> tuple[Variant, ...]:
    return tuple(Variant(**variant) for variant in run.variants)


def entries_of(run: LabRun) -> tuple[Entry, ...]:
    """What became of the run's questions, in the order in which it did. A query."""
    return tuple(_entry(*row) for row in run.outcomes.order_by("pk").values_list(*COLUMNS))


def groups_of(run: LabRun, entries: Iterable[Entry]) -> tuple[Group, ...]:
    """The run's table: the rows are there from the start, and fill while it runs."""
    by_variant: dict[int, list[Entry]] = {}
    for entry in entries:
        by_variant.setdefault(entry.variant, []).append(entry)
    rows = (
        row(variant, found, _expected(run, found))
        for number, variant in enumerate(variants_of(run))
        for found in (by_variant.get(number, []),)
    )
    return grouped(rows, by_right=run.questions == LabRun.Questions.OWN)


def questions_of(run: LabRun) -> dict[str, Question]:
    """The run's questions by id, in its order; one that was erased is left out. A query."""
    if run.questions == LabRun.Questions.GOLDEN:
        found = {golden.id: Question(golden.id, golden.question) for golden in golden_five()}
    else:
        rows = LabQuestion.objects.filter(pk__in=run.asked).exclude(question="")
        found = {str(own.pk): _own(own) for own in rows}
    return {key: found[key] for key in map(str, run.asked) if key in found}


def question_now(run: LabRun, key: str) -> Question | None:
    """One of the run's questions as it stands; None if it was taken out since. A query."""
    if run.questions == LabRun.Questions.GOLDEN:
        return questions_of(run).get(key)
    own = lab_questions.active().filter(pk=key).first()
    return None if own is None else _own(own)


def _entry(variant: int, question: str, turn: UUID, *told: Any) -> Entry:
    """`told` is the rest of `COLUMNS`. A turn that has not ended yet counts as interrupted."""
    termination, passes, calls, cost, ms, right, accepted, wanted = told
    ended = Termination(termination or Termination.INTERRUPTED)
    outcome = Outcome(question, ended, passes, calls, turn, float(cost), ms or 0.0)
    return Entry(variant, outcome, right, accepted, wanted)


def _own(own: LabQuestion) -> Question:
    return Question(str(own.pk), own.question, own.expects, tuple(own.answer_chunks))


def _expected(run: LabRun, entries: Sequence[Entry]) -> int:
    """How many outcomes a row will have: a run that is over has no more to come."""
    is_done = run.status == LabRun.Status.DONE
    return len(entries) if is_done else len(run.asked)
