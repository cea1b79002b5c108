"""Drawing over several processes: each turn once, whoever looks, and whoever is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from admin_tracing import queueing
from admin_tracing.models import QueueItem, Sample, SampleMark, TurnLook
from admin_tracing.sampling import drawing
from admin_tracing.sampling.drawing import draw
from chat.db import in_db, with_connection
from chat.known_words import known_words
from config.variables import BASE_DIR
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 24
BATCH = 5


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "BATCH", BATCH)


@pytest.fixture
def turns() -> list[Any]:
    """Turns that are all drawn, since each has a claim that nothing holds."""
    now = timezone.now()
    given: dict[str, Any] = {"status": "finished", "termination": "answered", "unsupported": 1}
    return [
        factories.turn(finished_at=now - timedelta(seconds=90 - number), **given)
        for number in range(TURNS)
    ]


def all_of_them() -> tuple[int, int, int]:
    """Rows of looks, samples and items."""
    return TurnLook.objects.count(), Sample.objects.count(), QueueItem.objects.count()


def test_several_at_once_look_at_every_turn_once(turns: list[Any]) -> None:
    known, together = known_words(), Barrier(4)

    def process() -> int:
        together.wait()
        seen, after = drawing.look(known)
        while after is not None:
            count, after = drawing.look(known, after)
            seen += count
        return seen

    with ThreadPoolExecutor(4) as pool:
        looked = list(pool.map(lambda _: with_connection(process), range(4)))
    looked.append(with_connection(process_alone))
    assert sum(looked) == TURNS
    assert all_of_them() == (TURNS, TURNS, TURNS)


def process_alone() -> int:
    """Whoever comes next finishes what the others left when they stood in each other's way."""
    seen, after = drawing.look(known_words())
    while after is not None:
        count, after = drawing.look(known_words(), after)
        seen += count
    return seen


def test_who_comes_while_another_one_looks_passes_by(turns: list[Any]) -> None:
    SampleMark.objects.create(pk=1)
    known = known_words()
    with transaction.atomic():
        assert drawing.look(known)[0] == BATCH
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(with_connection, lambda: drawing.look(known))
            assert other.result(timeout=10) == (0, None)


async def test_a_batch_that_breaks_leaves_nothing_and_is_done_again(
    turns: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def add(*args: Any, **kwargs: Any) -> int:
        calls.append(args)
        if len(calls) == 3:
            raise ConnectionError
        return queueing.adding.add(*args, **kwargs)

    monkeypatch.setattr(queueing, "add", add)
    with pytest.raises(ConnectionError):
        await draw()
    looks, samples, items = await in_db(all_of_them)
    assert looks == samples == items and looks % BATCH == 0 and looks < TURNS
    await draw()
    assert await in_db(all_of_them) == (TURNS, TURNS, TURNS)


KILLED = """
import os, signal
import django
django.setup()
from admin_tracing import queueing
from admin_tracing.sampling import drawing
from chat.known_words import known_words
add, calls = queueing.add, []
def dies(*args, **kwargs):
    calls.append(args)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return add(*args, **kwargs)
queueing.add = dies
drawing.BATCH = {batch}
known, after = known_words(), None
while True:
    _, after = drawing.look(known, after)
"""


async def test_what_a_killed_process_began_another_one_finishes(turns: list[Any]) -> None:
    ended = await in_db(killed)
    assert ended == -signal.SIGKILL
    await in_db(until_its_lock_is_gone)
    looks, samples, items = await in_db(all_of_them)
    assert looks == samples == items and 0 < looks < TURNS
    assert (await in_db(SampleMark.objects.get)).ended_at is not None
    await draw()
    assert await in_db(all_of_them) == (TURNS, TURNS, TURNS)


@transaction.atomic
def until_its_lock_is_gone() -> None:
    """The server notices a moment later that nobody is there any more."""
    SampleMark.objects.select_for_update().get()


def killed() -> int:
    """Run a process on this database that is killed in its third batch."""
    at = connection.settings_dict
    address = f"postgresql://{at['USER']}:{at['PASSWORD']}@/{at['NAME']}?host={at['HOST']}"
    address += f"&port={at['PORT']}" if at["PORT"] else ""
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(batch=BATCH)],
        cwd=BASE_DIR,
        env={
            "ENV_FILE": "",
            "DATABASE_URL": address,
            "DJANGO_SECRET_KEY": "x",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        check=False,
    )
    return done.returncode
