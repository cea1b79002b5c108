"""The owner's own set: questions that people asked, and how they should end.

A question comes from a turn that people labelled; who calls says what the labels come to. It is
words of a person: it goes with them, and what the lab made of it goes too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from chat.contracts.events import NOBODYS, QuestionRead
from chat.keeping import tells_of_health
from chat.models import Attachment, Conversation, LabQuestion, Turn


class QuestionRefused(ValueError):
    """A turn that cannot be a question of the set. Its text says why."""


class NotAsked(QuestionRefused):
    """Only what a person asked can be taken, once its turn has ended."""


class AboutHealth(QuestionRefused):
    """It tells of somebody's health, so it stays where fewer people read it."""


class Erased(QuestionRefused):
    """What was asked has been erased."""


class HasFiles(QuestionRefused):
    """It came with a file, which the lab does not have."""


class ThereAlready(QuestionRefused):
    """It is in the set already."""


def refused(why: type[QuestionRefused]) -> QuestionRefused:
    """The error with its docstring as its text."""
    return why((why.__doc__ or "").strip())


def active() -> QuerySet[LabQuestion]:
    """The set as it is run, oldest first. What was erased has no text and is left out."""
    return LabQuestion.objects.filter(is_active=True).exclude(question="")


@transaction.atomic
def add_from(
    turn_id: UUID, user: Any, expects: str, answer_chunks: Sequence[str] = ()
) -> LabQuestion:
    """Take the question of a turn into the set, or take it in again. Raises `QuestionRefused`.

    `expects` is one of `LabQuestion.Expects`; an answer should rest on `answer_chunks`.
    """
    if expects not in LabQuestion.Expects.values:
        raise ValueError(f"{expects!r} is none of {', '.join(LabQuestion.Expects.values)}.")
    text = _takeable(_locked(turn_id))
    there = LabQuestion.objects.filter(source_id=turn_id).first()
    if there is not None and there.is_active:
        raise refused(ThereAlready)
    values = {
        "question": text,
        "expects": expects,
        "answer_chunks": list(answer_chunks),
        "added_by": user,
        "is_active": True,
    }
    question, _ = LabQuestion.objects.update_or_create(source_id=turn_id, defaults=values)
    return question


def remove(question: int) -> LabQuestion | None:
    """Take a question out; its runs stay, and `restore` brings it back. None if there is none."""
    return _set_active(question, is_active=False)


@transaction.atomic
def restore(question: int) -> LabQuestion | None:
    """Take a question in again. Raises `Erased` if its words are gone meanwhile."""
    found = _set_active(question, is_active=True)
    if found is not None and not found.question:
        raise refused(Erased)
    return found


def hold(question: int, text: str) -> None:
    """Keep a question from being erased until the transaction ends. Raises `Erased` if it was."""
    found = LabQuestion.objects.filter(pk=question).first()
    if found is not None and found.source_id is not None:
        source = Conversation.objects.select_for_update(of=("self",))
        source.filter(turns=found.source_id).first()
    if not active().filter(pk=question, question=text).exists():
        raise refused(Erased)


def title(question: int, in_words: str) -> str:
    """The title of a lab turn's conversation; by it erasure finds what was made of the question."""
    return f"Lab question {question}: {in_words}"


def _locked(turn_id: UUID) -> Turn:
    """The turn, its conversation held, so that nobody erases it meanwhile."""
    held = Conversation.objects.select_for_update().filter(turns=turn_id).first()
    if held is None:
        raise refused(NotAsked)
    turn: Turn = Turn.objects.select_related("question").get(pk=turn_id)
    return turn


def _takeable(turn: Turn) -> str:
    """What was asked, as it can be asked alone. Raises `QuestionRefused`."""
    if turn.kind in NOBODYS or turn.status != Turn.Status.FINISHED:
        raise refused(NotAsked)
    if turn.erased_at is not None or not turn.question.text:
        raise refused(Erased)
    text = _alone(turn)
    if turn.is_sensitive or tells_of_health(text):
        raise refused(AboutHealth)
    if Attachment.objects.filter(message=turn.question_id).exists():
        raise refused(HasFiles)
    return text


def _alone(turn: Turn) -> str:
    """The question without what came before: as it was read, where something came before."""
    if turn.question.parent_id is None:
        return str(turn.question.text)
    read = turn.events.filter(type=QuestionRead.TYPE).order_by("seq")
    said = read.values_list("data__standalone", flat=True).last()
    return str(said or turn.question.text)


def _set_active(question: int, *, is_active: bool) -> LabQuestion | None:
    LabQuestion.objects.filter(pk=question).update(is_active=is_active)
    return LabQuestion.objects.filter(pk=question).first()
