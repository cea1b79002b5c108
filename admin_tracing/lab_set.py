"""From labels to a question of the lab's own set: what people said, as how it should end.

A reviewer's word stands before the labels. Where people say nothing, or do not agree, or what they
say does not tell how the question should end, it is not taken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from admin_tracing.models import GroundednessLabel, RoutingLabel, Settlement
from chat import lab_questions
from chat.contracts.events import NOBODYS, Answer
from chat.contracts.verdicts import Supports, Termination
from chat.lab_questions import QuestionRefused
from chat.lab_table import Ending, ending
from chat.models import Attachment, LabQuestion, Turn

LOOKED_AT = 60  # labels of each kind, the newest, whose turns are offered
NO_SAY = ("cannot_tell", "needs_expert")

Judged = tuple[str, str]
"""What was said of an answer: grounded, correct."""


class NotLabelled(QuestionRefused):
    """Nobody has said yet how it should have gone. Label it first."""


class LabelsDisagree(QuestionRefused):
    """People disagree about it. A reviewer has to settle it first."""


class NotClear(QuestionRefused):
    """The labels say what was wrong, and not how it should have ended."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A labelled turn that can be taken, and what it should end in."""

    turn: Turn
    expects: str


def add_from(turn_id: UUID, user: Any) -> LabQuestion:
    """Take a labelled turn's question into the set. Raises `QuestionRefused`."""
    turn = Turn.objects.filter(pk=turn_id).first()
    if turn is None:
        raise lab_questions.refused(lab_questions.NotAsked)
    if turn.erased_at is not None:
        raise lab_questions.refused(lab_questions.Erased)
    if turn.is_sensitive:
        raise lab_questions.refused(lab_questions.AboutHealth)
    expects = expected_of(turn)
    chunks = supporting(turn) if expects == LabQuestion.Expects.ANSWERED else ()
    return lab_questions.add_from(turn_id, user, expects, chunks)


def offers() -> list[Offer]:
    """Of the turns that were labelled last, those that can be taken and are not in the set."""
    turns = Turn.objects.filter(pk__in=_labelled_last(), is_sensitive=False, erased_at=None)
    rows = turns.exclude(kind__in=NOBODYS).exclude(question__text="").select_related("question")
    plain = rows.filter(~Exists(Attachment.objects.filter(message=OuterRef("question"))))
    newest = _with_labels(plain.order_by("-started_at", "-pk"))
    return [offer for turn in newest if (offer := _offer(turn)) is not None]


def expected_of(turn: Turn) -> str:
    """What the labels of a turn come to. Raises `QuestionRefused`."""
    settled = {row.job: row for row in turn.settlements.all()}
    routing = settled.get(Settlement.Job.ROUTING)
    answer = settled.get(Settlement.Job.GROUNDEDNESS)
    needed = (
        {label.needed for label in turn.routinglabels.all()}
        if routing is None
        else {routing.needed}
    )
    judged = (
        {(label.grounded, label.correct) for label in turn.groundednesslabels.all()}
        if answer is None
        else {(answer.grounded, answer.correct)}
    )
    ended = ending(Termination(turn.termination)) if turn.termination else "other"
    return expected(ended, needed, judged)


def expected(ended: Ending, needed: Collection[str], judged: Collection[Judged]) -> str:
    """How a question should end, that ended as it did and was judged so. Raises `QuestionRefused`.

    "Cannot tell" and "needs an expert" have no say. Where nothing was found and that was right,
    nothing should be found; where it was wrong, there is an answer.
    """
    ways = {need for need in needed if need not in NO_SAY}
    words = {said for said in judged if not set(said) & set(NO_SAY)}
    if not ways and not words:
        raise lab_questions.refused(NotLabelled)
    if "off_topic" in ways:
        return _off_topic(ended, ways, words)
    if "clarify" in ways:
        raise NotClear("It needs a question back, and in the lab nobody answers one.")
    if not words:
        raise NotLabelled("Nobody has said yet whether the answer is right. Label that first.")
    if len(words) > 1:
        raise lab_questions.refused(LabelsDisagree)
    return _by_answer(ended, *next(iter(words)))


def supporting(turn: Turn) -> tuple[str, ...]:
    """The cited chunks that carry the answer: by what people marked, else by the judge."""
    told = turn.events.filter(type=Answer.TYPE).order_by("seq").values_list("data", flat=True)
    citations = (told.last() or {}).get("citations", ())
    marks = [label.citations for label in turn.groundednesslabels.all()]
    found = [each["chunk"] for each in citations if _carries(each, marks)]
    return tuple(dict.fromkeys(found))


def _labelled_last() -> set[UUID]:
    """By the newest labels, so that it takes as long with many turns as with few."""
    there = LabQuestion.objects.filter(source=OuterRef("turn"), is_active=True)
    found: set[UUID] = set()
    for labels in (RoutingLabel, GroundednessLabel):
        rows = labels.objects.filter(~Exists(there)).order_by("-at", "-pk")
        found.update(rows.values_list("turn_id", flat=True)[:LOOKED_AT])
    return found


def _offer(turn: Turn) -> Offer | None:
    try:
        return Offer(turn, expected_of(turn))
    except QuestionRefused:
        return None


def _with_labels(turns: Any) -> Any:
    return turns.prefetch_related("routinglabels", "groundednesslabels", "settlements")


def _off_topic(ended: Ending, ways: Collection[str], words: Collection[Judged]) -> str:
    is_right = any(correct == "yes" for _, correct in words)
    if len(ways) > 1 or (is_right and ended == "answered"):
        raise lab_questions.refused(LabelsDisagree)
    return str(LabQuestion.Expects.OFF_TOPIC)


def _by_answer(ended: Ending, grounded: str, correct: str) -> str:
    if ended == "answered" and (grounded, correct) == ("yes", "yes"):
        return str(LabQuestion.Expects.ANSWERED)
    if ended == "no_results" and correct == "yes":
        return str(LabQuestion.Expects.NO_RESULTS)
    if ended == "no_results" and correct == "no":
        return str(LabQuestion.Expects.ANSWERED)
    raise lab_questions.refused(NotClear)


def _carries(citation: dict[str, Any], marks: Sequence[dict[str, bool]]) -> bool:
    """One no of a person is enough against it; without a word of theirs the judge's counts."""
    said = [mark[key] for mark in marks if (key := str(citation["marker"])) in mark]
    return all(said) if said else citation.get("supports") == Supports.YES
