"""Runs of the lab: asked for, worked on in the background, stopped.

A run is a list of questions through each of its variants. Whoever works on it holds a lease and
writes each outcome as it comes, so that what a killed process began goes on where it stopped. It
stops by itself once its turns have cost as much as they may.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from chat import lab, lab_costs, lab_questions
from chat.contracts.ports import Ports
from chat.contracts.turn_facts import facts_of
from chat.db import in_db
from chat.lab_costs import COST_LIMIT, in_dollars, limit_from
from chat.lab_reads import OPEN, Question, question_now, variants_of
from chat.lab_table import Variant, checked
from chat.leases import PROCESS
from chat.models import LabOutcome, LabRun, Turn
from chat.sample.loader import golden_five

log = logging.getLogger(__name__)

MAX_QUESTIONS = 200
MAX_VARIANTS = 16
MAX_WAITING = 8  # runs that wait or run at once
LEASE = timedelta(seconds=20)
SLICE = 30.0  # seconds that one run has before another one that waits
GO = 240.0  # seconds of one go of the job, without its last question
MAX_AGE = timedelta(days=1)
TWICE = timedelta(seconds=5)  # within which the same wish is a button that was pressed twice
LOCK = 7_305_002  # of asking for a run alone, among the advisory locks of the database
TOO_DEAR = "It reached its limit of ${limit}."


class RunRefused(ValueError):
    """A run that cannot be made. Its text says what to do."""


class Lost(Exception):
    """The run was stopped, or another process has it now."""


@transaction.atomic
def start(
    user: Any, questions: str, variants: Sequence[Variant], *, cost_limit: Any = COST_LIMIT
) -> LabRun:
    """Ask for a run of the golden five (`golden`) or the owner's set (`own`), up to a cost in USD.

    The same wish of a moment ago gives the run that it made. Raises `RunRefused` for too much or
    nothing at all, `BadVariant` for what the lab cannot do, `BadLimit`.
    """
    asked, limit = questions_for(questions, variants), limit_from(cost_limit)
    _one_at_a_time()
    settings = [asdict(variant) for variant in variants]
    wish = {"questions": questions, "variants": settings, "cost_limit": limit}
    if (same := _pressed_twice(user, wish)) is not None:
        return same
    if LabRun.objects.filter(status__in=OPEN).count() >= MAX_WAITING:
        raise RunRefused(f"{MAX_WAITING} runs wait already. Stop one, or wait for it.")
    total = len(asked) * len(variants)
    return LabRun.objects.create(asked_by=user, asked=asked, total=total, **wish)


def questions_for(questions: str, variants: Sequence[Variant]) -> list[Any]:
    """The ids of what a run would ask now. Raises `RunRefused` and `BadVariant` as `start` does."""
    if questions not in LabRun.Questions.values:
        raise RunRefused("Choose the golden five or the own set.")
    asked = _asked(questions)
    _check_size(asked, variants)
    for variant in variants:
        checked(variant, stand_ins=_has_stand_ins(questions, variant))
    return asked


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


def _pressed_twice(user: Any, wish: dict[str, Any]) -> LabRun | None:
    """What the same person asked for a moment ago and is not over."""
    since = timezone.now() - TWICE
    rows = LabRun.objects.filter(asked_by=user, status__in=OPEN, created_at__gte=since, **wish)
    return None if user is None else rows.first()


def _has_stand_ins(questions: str, variant: Variant) -> bool:
    return questions == LabRun.Questions.GOLDEN and variant.retrieval == "lexical"


async def _carry_on(run: LabRun) -> None:
    """One question after the other, for as long as a slice lasts. Raises `Lost`."""
    until = time.monotonic() + SLICE
    variants, done = variants_of(run), await in_db(_done, run.pk)
    for number, key in _plan(run):
        if (number, key) in done:
            continue
        question = await in_db(question_now, run, key)
        if question is None:
            continue  # it was taken out or erased since
        if await in_db(lab_costs.spent, run.pk) >= run.cost_limit:
            why = TOO_DEAR.format(limit=in_dollars(run.cost_limit))
            await in_db(_close, run.pk, LabRun.Status.STOPPED, why)
            return
        try:
            outcome = await _outcome(run, number, variants[number], question)
        except lab_questions.Erased:
            continue
        await in_db(_keep, outcome)
        if time.monotonic() >= until:
            await in_db(_hand_on, run.pk)
            return
    await in_db(_close, run.pk, LabRun.Status.DONE)


def _plan(run: LabRun) -> Iterable[tuple[int, str]]:
    return ((number, str(key)) for number in range(len(run.variants)) for key in run.asked)


async def _outcome(run: LabRun, number: int, variant: Variant, question: Question) -> LabOutcome:
    ports, title = _prepared(run, variant, question)

    async def beat() -> bool:
        return await in_db(_renew, run.pk)

    found = LabOutcome(run=run, variant=number, question=question.id)
    try:
        heard = await lab.ask(question.text, ports, title, beat, partial(_join, run, question))
    except lab.Unfinished as unfinished:
        if not await beat():
            raise Lost from None
        found.turn_id, found.right = unfinished.turn, False if question.expects else None
        return found
    found.turn_id = heard.turn
    if question.expects:
        passes = facts_of(heard.events, {})["passes"]
        accepted = {chunk for each in passes for chunk in each["accepted"]}
        found.right = heard.outcome(question.id).ending == question.expects
        found.accepted = len(accepted.intersection(question.answer_chunks))
        found.wanted = len(question.answer_chunks)
    return found


def _prepared(run: LabRun, variant: Variant, question: Question) -> tuple[Ports, str]:
    """What a question runs with, and the title of its conversation."""
    if run.questions == LabRun.Questions.GOLDEN:
        return lab.ports_of(question.id, variant), lab.golden_title(question.id, variant)
    return lab.real_ports(variant), lab_questions.title(int(question.id), variant.in_words)


# ---- the rows, all of it database work


def _one_at_a_time() -> None:
    """Until the transaction ends, nobody else asks for a run."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


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


def _done(run: int) -> set[tuple[int, str]]:
    """Variant and question of what has an outcome."""
    return set(LabOutcome.objects.filter(run=run).values_list("variant", "question"))


def _join(run: LabRun, question: Question, turn: Turn) -> None:
    """A turn begins: what it costs is the run's, whatever comes of it. Call it in its transaction.

    Raises `Lost` if this process has the run no more, `Erased` if a person's words are gone.
    """
    if run.questions == LabRun.Questions.OWN:
        lab_questions.hold(int(question.id), question.text)
    if _own_run(run.pk).select_for_update().first() is None:
        raise Lost
    run.turns.add(turn)


@transaction.atomic
def _keep(outcome: LabOutcome) -> None:
    """Write an outcome down; a second one of the same question changes nothing. Raises `Lost`."""
    held = _own_run(outcome.run_id).select_for_update().first()
    if held is None:
        raise Lost
    LabOutcome.objects.bulk_create([outcome], ignore_conflicts=True)
    _renew(held.pk)


def _close(run: int, status: str, problem: str = "") -> None:
    _own_run(run).update(
        status=status, problem=problem, finished_at=timezone.now(), owner=None, lease_until=None
    )
