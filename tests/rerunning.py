"""Turns as the site runs them, and the same ones again: for tests of re-runs with real parts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from chat import lab, pauses, reruns, turns, wiring
from chat.db import in_db
from chat.files import File
from chat.identity import Person
from chat.models import Rerun, RerunBatch, Turn
from chat.sample.loader import golden_five

PERSON = Person(visitor=UUID("00000000-0000-4000-8000-00000000000a"))


def run(*work: Callable[[], Awaitable[Any]]) -> list[Any]:
    """One after the other on a loop of their own, with the site's runner at no pace."""

    async def all_of_it() -> list[Any]:
        runner = wiring.runner()
        runner.ports = partial(wiring.ports, 0)
        try:
            return [await each() for each in work]
        finally:
            await runner.close()

    return asyncio.run(all_of_it())


def golden(name: str = "outage", **variant: Any) -> Turn:
    """A golden turn, at two rewrites unless another variant is given."""
    given = lab.Variant(**({"bound": 2} | variant))
    questions = [each for each in golden_five() if each.id == name]
    (outcomes,) = run(lambda: lab.run(given, questions))
    return Turn.objects.get(pk=outcomes[0].turn)


def asked(
    question: str, *replies: str, where: UUID | None = None, files: Sequence[File] = ()
) -> Turn:
    """A turn of a person, who gives these replies when they are asked back."""

    async def work() -> UUID:
        begun = await in_db(turns.start, PERSON, where or uuid4(), question, uuid4(), files=files)
        turn = begun.turn
        await _over(wiring.runner().begin(begun).task)
        for reply in replies:
            left = await in_db(pauses.answer, PERSON, turn.conversation_id, turn.pk, reply)
            await _over(wiring.runner().resume(left).task)
        return turn.pk

    (found,) = run(work)
    return Turn.objects.get(pk=found)


async def _over(task: asyncio.Task[None] | None) -> None:
    assert task is not None
    await asyncio.wait_for(task, 30)


def wanted(turn: Turn, **change: Any) -> Rerun:
    """The row of a re-run that waits for the job."""
    rerun = reruns.ask(None, [turn.pk], reruns.change_from(change))
    assert isinstance(rerun, Rerun)
    return rerun


def batch(turns: Sequence[Turn], user: Any = None, **change: Any) -> RerunBatch:
    """The row of a batch that waits for the job; at most 1 US dollar."""
    made = reruns.ask(user, [turn.pk for turn in turns], reruns.change_from(change), filters={})
    assert isinstance(made, RerunBatch)
    return made


def again(turn: Turn, **change: Any) -> Rerun:
    """The turn run once more, and what came out."""
    rerun = wanted(turn, **change)
    run(reruns.work)
    rerun.refresh_from_db()
    assert rerun.problem == ""
    return rerun


def models(rerun: Rerun, *, reused: bool) -> int:
    """Calls of models that were reused, or made."""
    lines = (line for line in rerun.ledger if line["kind"] == "model")
    return sum(line["reused"] is reused for line in lines)


def called(rerun: Rerun) -> list[str]:
    """What was called anew, in order."""
    return [line["purpose"] for line in rerun.ledger if not line["reused"]]


def flip(rerun: Rerun, what: str) -> tuple[Any, Any]:
    """One thing that came out otherwise: before and after."""
    (found,) = (each for each in rerun.flips if each["what"] == what)
    return found["before"], found["after"]
