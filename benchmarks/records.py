"""How long it takes to prove 10,000 records, and to erase one person among them.

`python -m benchmarks.records`, about a minute. It starts a database of its own and removes it. The
records are sealed texts as the writer makes them, written in bulk; facts and content have the size
of a turn with two passes. Two shapes: chains of ten, and chains of a single record.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from benchmarks.fresh_database import fresh_database
from benchmarks.report import machine, table

RECORDS = 10_000
EVENTS = 60  # of a turn
LENGTHS = (10, 1)  # records of a chain
TURNS = (100, 2_000)  # of the person that is erased
PASSAGE = "Refunds reach the card within 5 to 10 business days after we approve them. " * 8

COPIES = {
    "chat_conversation": "id, visitor, title, created_at, updated_at, is_lab",
    "chat_message": "id, conversation_id, author, text, created_at, turn_id",
    "chat_turn": "id, conversation_id, question_id, kind, status, started_at, finished_at,"
    " attempt, stop_requested, is_sensitive, termination, route_decided, route_taken, passes,"
    " model_calls, tokens, cost, confidence, unsupported, citations, gaps, asked_back",
    "chat_turnevent": "turn_id, seq, at, type, data",
    "chat_chainhead": "conversation_id, count, digest",
    "chat_decisionrecord": "id, turn_id, conversation_id, number, sealed_at, facts,"
    " content_digest, previous_digest, digest",
    "chat_recordcontent": "record_id, salt, content",
}
UNCHECKED = "SET session_replication_role = replica"  # rows of a site, made in another order


class World:
    """Rows of people with finished turns, in columns as `COPIES` names them."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in COPIES}
        self.records = 0
        self._facts, self._content = _texts()

    def add(self, visitor: UUID, turns: int, events: int, started: datetime) -> None:
        """One conversation with its chain."""
        talk, digest = uuid4(), ""
        self._put("chat_conversation", talk, visitor, "Refunds", started, started, False)
        for number in range(1, turns + 1):
            turn = uuid4()
            self._tell(talk, turn, events, started + timedelta(minutes=number))
            digest = self._seal(talk, turn, number, digest)
        self._put("chat_chainhead", talk, turns, digest)

    def _tell(self, talk: UUID, turn: UUID, events: int, at: datetime) -> None:
        question, answer = uuid4(), uuid4()
        self._put("chat_message", question, talk, "person", "How long is a refund?", at, None)
        self._put("chat_message", answer, talk, "agent", PASSAGE, at, turn)
        self._put("chat_turn", turn, talk, question, "ask", "finished", at, at, *_columns())
        for seq in range(1, events + 1):
            last = seq == events
            data = json.dumps({"changed": {"hits": [PASSAGE[:200]] * 2}} if not last else {})
            kind = "turn_finished" if last else "state_diff"
            self._put("chat_turnevent", turn, seq, at, kind, data)

    def _seal(self, talk: UUID, turn: UUID, number: int, previous: str) -> str:
        from chat.records.canonical import canonical, content_text, record_text, sha256

        self.records += 1
        at, salt = self.rows["chat_turn"][-1][5], uuid4().hex
        said = sha256(content_text(salt, self._content))
        facts = canonical(self._facts)
        digest = sha256(record_text(talk, turn, number, at, (sha256(facts), said, previous)))
        row = (self.records, turn, talk, number, at, facts, said, previous, digest)
        self._put("chat_decisionrecord", *row)
        self._put("chat_recordcontent", self.records, salt, canonical(self._content))
        return digest

    def _put(self, name: str, *row: Any) -> None:
        self.rows[name].append(row)


def run() -> None:
    """Start a database, measure and print, and remove it."""
    with fresh_database():
        _measure()


def _measure() -> None:
    rows = []
    for length in LENGTHS:
        _empty()
        _write(_world(length))
        rows.append([f"{length}", "verify 10,000 records", *_seconds(_verify, 3)])
        rows.append([f"{length}", "verify and anchor them", *_seconds(_anchor, 1)])
    for turns in TURNS:
        _empty()
        visitor = uuid4()
        _write(_world(10, others=RECORDS - turns, person=(visitor, turns)))
        what = f"erase a person of {turns:,} turns with {EVENTS} events each"
        rows.append(["10", what, *_seconds(lambda who=visitor: _erase(who), 1)])  # type: ignore[misc]
        rows.append(["10", "verify afterwards", *_seconds(_verify, 1)])
    print("\n## Records\n")
    print(table(("records a chain", "step", "s", "n"), rows), flush=True)


def _world(length: int, *, others: int = RECORDS, person: tuple[UUID, int] | None = None) -> World:
    from django.utils import timezone

    world, now = World(), timezone.now()
    for _ in range(others // length):
        world.add(uuid4(), length, 1 if person is None else 6, now)
    if person is not None:
        visitor, turns = person
        for _ in range(turns // 20):
            world.add(visitor, 20, EVENTS, now)
    return world


def _write(world: World) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(UNCHECKED.replace("SET", "SET LOCAL", 1))
        for name, columns in COPIES.items():
            with cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as copy:
                for row in world.rows[name]:
                    copy.write_row(row)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _empty() -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(UNCHECKED.replace("SET", "SET LOCAL", 1))
        cursor.execute("TRUNCATE chat_conversation CASCADE")


def _verify() -> None:
    from chat.records.verify import chains

    walked = list(chains())
    broken = [chain.broken for chain in walked if chain.broken]
    if broken or sum(chain.records for chain in walked) != RECORDS:
        raise RuntimeError(f"{len(broken)} chains do not hold: {broken[:1]}")


def _anchor() -> None:
    from chat.records import anchors

    _verify()
    if anchors.difference(anchors.take()):
        raise RuntimeError("an anchor does not hold right after it was taken")


def _erase(visitor: UUID) -> None:
    from admin_tracing.erasure import erase_notes
    from chat.erasure import erase
    from chat.identity import Person

    erase(Person(visitor=visitor), lambda talks: {"notes": erase_notes(talks)})


def _seconds(work: Callable[[], object], times: int) -> Iterator[str]:
    """The slowest of so many times, and how many there were."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    yield f"{max(taken):.2f}"
    yield str(times)


def _columns() -> tuple[Any, ...]:
    return (1, False, False, "answered", "single_shot", "single_shot", 2, 9, 900, 0, "high") + (
        *(0, 1, 0, 0),
    )


def _texts() -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts and content of a turn as long as one with a rewrite and two sources."""
    chunks = [{"chunk": f"refunds#part-{n}", "score": 0.03 - n / 1000} for n in range(6)]
    controls = [
        {"control": "relevance", "outcome": "acted", "reason": "", "versions": {"prompt": "3"}}
    ]
    facts = {
        "route": {"decided": "single_shot", "confidence": 0.71, "taken": "single_shot"},
        "passes": [{"pass": n, "asked": 6, "chunks": chunks} for n in (1, 2)],
        "controls": controls * 14,
        "versions": {"code": "0.1.0", "settings": "AgentSettings(…)" * 20},
    }
    content = {
        "question": "How long is a refund?",
        "answer": PASSAGE,
        "passages": {f"refunds#part-{n}": PASSAGE for n in range(4)},
    }
    return facts, content


if __name__ == "__main__":
    print(f"Records on {machine()}", flush=True)
    run()
