"""Runs of the lab: asked for, worked on in the background, stopped.

A run is a list of questions through each of its variants. Whoever works on it holds a lease and
writes each outcome as it comes, so that what a killed process began goes on where it stopped.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import F, Q
from django.utils import timezone

from chat import lab, lab_questions
from chat.contracts.ports import Ports
from chat.contracts.turn_facts import facts_of
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.lab_reads import OPEN, Question, entries_of, question_now, variants_of
from chat.lab_table import Entry, Outcome, Variant, checked
from chat.leases import PROCESS
from chat.models import LabRun
from chat.sample.loader import golden_five

log = logging.getLogger(__name__)

MAX_QUESTIONS = 200
MAX_VARIANTS = 16
MAX_WAITING = 8  # runs that wait or run at once
LEASE = timedelta(seconds=20)
SLICE = 30.0  # seconds that one run has before another one that waits
GO = 240.0  # seconds of one go of the job, without its last question
MAX_AGE = timedelta(days=1)


class RunRefused(ValueError):
    """A run that cannot be made. Its text says what to do."""


class Lost(Exception):
    """The run was stopped, or another process has it now."""


@transaction.atomic
def start(user: Any, questions: str, variants: Sequence[Variant]) -> LabRun:
    """Ask for a run of the golden five (`golden`) or the owner's set (`own`).

    Raises `RunRefused` for too much or nothing at all, `BadVariant` for what the lab cannot do.
    """
    if questions not in LabRun.Questions.values:
        raise RunRefused("Choose the golden five or the own set.")
    asked = _asked(questions)
    _check_size(asked, variants)
    for variant in variants:
        checked(variant, stand_ins=_has_stand_ins(questions, variant))
    if LabRun.objects.filter(status__in=OPEN).count() >= MAX_WAITING:
        raise RunRefused(f"{MAX_WAITING} runs wait already. Stop one, or wait for it.")
    return LabRun.objects.create(
        asked_by=user,
        questions=questions,
        variants=[asdict(variant) for variant in variants],
        asked=asked,
        total=len(asked) * len(variants),
    )


def stop(run: int) -> bool:
    """End a run; what it has found stays. False if it was over."""
    going = LabRun.objects.filter(pk=run, status__in=OPEN)
    return bool(going.update(status=LabRun.Status.STOPPED, finished_at=timezone.now(), owner=None))


async def work() -> None:
    """The job: work on runs that wait, and on those whose process is gone. Any number at once."""
    until = time.monotonic() + GO
    while time.monotonic() < until:
        run = await in_db(_take)
        if run is None:
            return
        try:
            await _carry_on(run)
        except Lost:
            log.info("the lab run %s was stopped, or is somebody else's", run.pk)
        except DatabaseError:
            raise  # the lease runs out, and the next go takes it
        except Exception as error:  # a run that breaks must not hold up the others for ever
            log.exception("the lab run %s broke", run.pk)
            await in_db(_close, run.pk, LabRun.Status.FAILED, f"It broke: {type(error).__name__}.")


def _asked(questions: str) -> list[Any]:
    if questions == LabRun.Questions.GOLDEN:
        return [golden.id for golden in golden_five()]
    return list(lab_questions.active().values_list("pk", flat=True))


def _check_size(asked: Sequence[Any], variants: Sequence[Variant]) -> None:
    if not asked:
        raise RunRefused("The own set is empty. Add questions from labelled turns first.")
    if not variants:
        raise RunRefused("Choose at least one bound.")
    if len(set(variants)) != len(variants):
        raise RunRefused("The same setting stands there twice.")
    if len(asked) > MAX_QUESTIONS:
        raise RunRefused(
            f"A run takes {MAX_QUESTIONS} questions; the set has {len(asked)}. Remove some first."
        )
    if len(variants) > MAX_VARIANTS:
        raise RunRefused(
            f"A run takes {MAX_VARIANTS} settings; these are {len(variants)}. "
            "Choose fewer bounds, or one order."
        )


def _has_stand_ins(questions: str, variant: Variant) -> bool:
    return questions == LabRun.Questions.GOLDEN and variant.retrieval == "lexical"


async def _carry_on(run: LabRun) -> None:
    """One question after the other, for as long as a slice lasts. Raises `Lost`."""
    until = time.monotonic() + SLICE
    variants = variants_of(run)
    done = {(entry.variant, entry.outcome.question) for entry in entries_of(run)}
    for number, key in _plan(run):
        if (number, key) in done:
            continue
        question = await in_db(question_now, run, key)
        if question is None:
            continue  # it was taken out or erased since
        try:
            entry = await _entry(run, number, variants[number], question)
        except lab_questions.Erased:
            continue
        await in_db(_append, run.pk, entry)
        if time.monotonic() >= until:
            await in_db(_hand_on, run.pk)
            return
    await in_db(_close, run.pk, LabRun.Status.DONE)


def _plan(run: LabRun) -> Iterable[tuple[int, str]]:
    return ((number, str(key)) for number in range(len(run.variants)) for key in run.asked)


async def _entry(run: LabRun, number: int, variant: Variant, question: Question) -> Entry:
    ports, title = _prepared(run, variant, question)

    async def beat() -> bool:
        return await in_db(_renew, run.pk)

    try:
        heard = await lab.ask(question.text, ports, title, beat, _still(run, question))
    except lab.Unfinished as unfinished:
        if not await beat():
            raise Lost from None
        lost = Outcome(question.id, Termination.INTERRUPTED, 0, 0, unfinished.turn)
        return Entry(number, lost, right=False if question.expects else None)
    outcome = heard.outcome(question.id)
    if not question.expects:
        return Entry(number, outcome)
    passes = facts_of(heard.events, {})["passes"]
    accepted = {chunk for each in passes for chunk in each["accepted"]}
    return Entry(
        number,
        outcome,
        right=outcome.ending == question.expects,
        accepted=len(accepted.intersection(question.answer_chunks)),
        wanted=len(question.answer_chunks),
    )


def _prepared(run: LabRun, variant: Variant, question: Question) -> tuple[Ports, str]:
    """What a question runs with, and the title of its conversation."""
    if run.questions == LabRun.Questions.GOLDEN:
        return lab.ports_of(question.id, variant), lab.golden_title(question.id, variant)
    return lab.real_ports(variant), lab_questions.title(int(question.id), variant.in_words)


def _still(run: LabRun, question: Question) -> lab.Still:
    """A person's words are not written down anew once they are erased."""
    if run.questions == LabRun.Questions.GOLDEN:
        return lambda: None
    return partial(lab_questions.hold, int(question.id), question.text)


# ---- the rows, all of it database work


@transaction.atomic
def _take() -> LabRun | None:
    """A run that waits, or that nobody works on any more, under a lease; the longest left first."""
    _give_up_old()
    now = timezone.now()
    gone = Q(status=LabRun.Status.RUNNING, lease_until__lt=now)
    free = LabRun.objects.select_for_update(skip_locked=True).filter(
        gone | Q(status=LabRun.Status.WAITING)
    )
    run = free.order_by(F("lease_until").asc(nulls_first=True), "created_at", "pk").first()
    if run is None:
        return None
    run.status, run.owner, run.lease_until = LabRun.Status.RUNNING, PROCESS, now + LEASE
    run.save(update_fields=["status", "owner", "lease_until"])
    return run


def _give_up_old() -> None:
    """What has not come to an end in a day never will."""
    old = LabRun.objects.filter(status__in=OPEN, created_at__lt=timezone.now() - MAX_AGE)
    old.update(
        status=LabRun.Status.FAILED,
        finished_at=timezone.now(),
        owner=None,
        problem="It took longer than a day.",
    )


def _own_run(run: int) -> Any:
    return LabRun.objects.filter(pk=run, owner=PROCESS, status=LabRun.Status.RUNNING)


def _renew(run: int) -> bool:
    """Keep the lease; false if the run was stopped or taken."""
    return bool(_own_run(run).update(lease_until=timezone.now() + LEASE))


def _hand_on(run: int) -> None:
    """Let any process go on with it, this one too."""
    _own_run(run).update(lease_until=timezone.now(), owner=None)


@transaction.atomic
def _append(run: int, entry: Entry) -> None:
    """Write an outcome down, once. Raises `Lost` if this process has the run no more."""
    held = _own_run(run).select_for_update().first()
    if held is None:
        raise Lost
    held.outcomes.append(entry.as_json())
    held.lease_until = timezone.now() + LEASE
    held.save(update_fields=["outcomes", "lease_until"])


def _close(run: int, status: str, problem: str = "") -> None:
    _own_run(run).update(
        status=status, problem=problem, finished_at=timezone.now(), owner=None, lease_until=None
    )
