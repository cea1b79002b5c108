"""What the graph itself costs a turn: nodes, routers and events, without model, embedding or rows.

`python -m benchmarks.graph`, some 20 seconds. Model, router, judge and index answer at once, out of
memory, so what is left is the product's own work. The same turns are then run with a database, from
the stored question to the sealed record; the difference is what writing costs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from benchmarks.fresh_database import fresh_database
from benchmarks.report import machine, percentiles, table

if TYPE_CHECKING:
    from chat.contracts.ports import Ports

TURNS = 200  # of each kind
WARM = 20  # turns before those that count
BUDGETS = {"greeting": 5.0, "answered, single shot": 25.0}  # ms at p50, for the graph alone

Run = Callable[["Ports", str], Awaitable[None]]


def run() -> None:
    """Start a database, measure and print, and remove it."""
    with fresh_database():
        asyncio.run(_measure())


async def _measure() -> None:
    rows = []
    for kind, (make, question) in _kinds().items():
        alone = await _times(_graph_alone, make, question)
        whole = await _times(_whole_turn(), make, question)
        p50, p95 = percentiles(alone, 50, 95)
        w50, w95 = percentiles(whole, 50, 95)
        allowed = f"{BUDGETS[kind]:.0f}" if kind in BUDGETS else "–"
        figures = (p50, p95, w50, w95, w50 - p50)
        rows.append([kind, *(f"{ms:.1f}" for ms in figures), allowed, str(len(alone))])
    print("\n## The graph's own time\n")
    head = ("turn", "graph p50 ms", "p95", "with database p50 ms", "p95", "writes", "allowed", "n")
    print(table(head, rows), flush=True)


def _kinds() -> dict[str, tuple[Callable[[], Ports], str]]:
    from chat.contracts.tasks import Step
    from chat.contracts.verdicts import Route, RouteGuess
    from tests.doubles.models import ANSWERS, ScriptedModel
    from tests.factories import QUESTION, ports

    grades = {"refunds#timing": ANSWERS}

    class Ahead:
        async def route(self, query: str) -> RouteGuess:
            return RouteGuess(route=Route.ITERATIVE, confidence=1.0)

    return {
        "greeting": (lambda: ports(ScriptedModel()), "hello"),
        "off topic": (lambda: ports(_off_topic()), "Will it rain?"),
        "answered, single shot": (lambda: ports(ScriptedModel(grades=grades)), QUESTION),
        "nothing, two rewrites": (
            lambda: ports(ScriptedModel(rewrites=["arrive card", "offices"])),
            QUESTION,
        ),
        "answered, iterative": (
            lambda: ports(
                ScriptedModel(grades=grades, steps=[Step(queries=("business days",))]),
                others={"router": Ahead()},
            ),
            QUESTION,
        ),
    }


def _off_topic() -> Any:
    from tests.doubles.models import OFF_TOPIC, ScriptedModel

    return ScriptedModel(topics=[OFF_TOPIC])


async def _times(run_one: Run, make: Callable[[], Ports], question: str) -> list[float]:
    """Milliseconds of each turn, after those that warm up."""
    times = []
    for _ in range(WARM + TURNS):
        ports = make()
        started = time.perf_counter()
        await run_one(ports, question)
        times.append((time.perf_counter() - started) * 1000)
    return times[WARM:]


async def _graph_alone(ports: Ports, question: str) -> None:
    from chat.runtime.checkpoint import TurnCheckpoint
    from chat.runtime.compile import parts
    from chat.runtime.translate import Translator
    from tests.factories import start_state

    translator = Translator(ports.clock)
    async for mode, part in parts(start_state(ports, question), ports, TurnCheckpoint()):
        for _ in translator.bodies(mode, part):
            pass


def _whole_turn() -> Run:
    """A turn from its stored question to its sealed record, each in a conversation of its own."""
    from chat import turns
    from chat.db import in_db
    from chat.identity import Person
    from chat.runner import Runner

    runner = Runner(ports=_unused, versions=lambda: {"code": "bench"})

    async def run_one(ports: Ports, question: str) -> None:
        person = Person(user_id=None, visitor=uuid4())
        begun = await in_db(turns.start, person, uuid4(), question, uuid4())
        begun_run = runner.begin(begun, ports)
        if begun_run.task:
            await begun_run.task

    return run_one


def _unused() -> Ports:
    raise RuntimeError("every turn of this benchmark brings its ports")


if __name__ == "__main__":
    print(f"The graph on {machine()}", flush=True)
    run()
