"""The stream of all turns: every stored event once, however late its row is committed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection
from typing import Any

import pytest
from django.db import connection
from django.test import AsyncClient
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing import feed, live
from admin_tracing.feed import OVERLAP, USUAL, Row, Window, everything, newest
from admin_tracing.stream import BEAT
from chat.contracts.events import Event, Token
from chat.db import in_db
from chat.models import TurnEvent
from tests import factories, stored
from tests.staff import person
from tests.traces import Trace, refund_with_one_rewrite

rows_in_order = st.lists(st.integers(1, 60), unique=True, max_size=40)


class Pauses:
    """What happens while the feed waits: one act a pause, then it is ended."""

    def __init__(self, *acts: Callable[[], Any]) -> None:
        self.acts = list(acts)

    async def __call__(self, seconds: float) -> None:
        if not self.acts:
            raise asyncio.CancelledError
        await in_db(self.acts.pop(0))


async def heard(after: int | None, pauses: Pauses, types: Collection[str] = USUAL) -> list[Row]:
    rows: list[Row] = []
    try:
        async for batch in everything(after, pauses, types=types):
            rows += batch
    except asyncio.CancelledError:
        return rows
    raise AssertionError("the feed never ends by itself")


def told(count: int = 3) -> list[Event]:
    return refund_with_one_rewrite()[:count]


def marks(rows: list[Row]) -> list[tuple[Any, int]]:
    return [(event.turn, event.seq) for _, event in rows]


@pytest.mark.django_db(transaction=True)
async def test_what_is_stored_from_now_on_is_heard_and_nothing_before():
    await in_db(stored.running_turn, told())
    later = told(5)
    rows = await heard(None, Pauses(lambda: stored.running_turn(later)))
    assert marks(rows) == [(event.turn, event.seq) for event in later]


@pytest.mark.django_db(transaction=True)
async def test_two_turns_at_once_are_both_heard_in_their_own_order():
    one, other = told(6), told(6)

    def start() -> None:
        stored.running_turn(one[:3])
        stored.running_turn(other[:4])

    def go_on() -> None:
        factories.store(one[3:])
        factories.store(other[4:])

    rows = await heard(None, Pauses(start, go_on))
    for turn in (one, other):
        seqs = [seq for at, seq in marks(rows) if at == turn[0].turn]
        assert seqs == [event.seq for event in turn]


@pytest.mark.django_db(transaction=True)
async def test_a_row_that_was_committed_late_under_a_lower_id_is_heard_too():
    early, late = told(), told()

    def numbers_are_taken_first_and_the_row_comes_later() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval(pg_get_serial_sequence('chat_turnevent', 'id'))")
            taken.append(cursor.fetchone()[0])
        stored.running_turn(late)

    def commit_late() -> None:
        turn = factories.turn(id=early[0].turn)
        event = early[0]
        TurnEvent.objects.create(
            pk=taken[0], turn=turn, seq=1, at=event.at, type=event.body.TYPE, data=event.data()
        )

    taken: list[int] = []
    pauses = Pauses(numbers_are_taken_first_and_the_row_comes_later, commit_late)
    rows = await heard(None, pauses)
    assert marks(rows)[-1] == (early[0].turn, 1)
    assert len(rows) == len(late) + 1


@pytest.mark.django_db(transaction=True)
async def test_who_comes_back_hears_what_was_stored_meanwhile():
    await in_db(stored.running_turn, told())
    mark = await in_db(newest)
    meanwhile = told(4)
    await in_db(stored.running_turn, meanwhile)
    rows = await heard(mark, Pauses())
    assert marks(rows) == [(event.turn, event.seq) for event in meanwhile]


@pytest.mark.django_db(transaction=True)
async def test_a_frame_is_the_event_and_its_mark_is_the_row():
    client = AsyncClient()
    await in_db(client.force_login, await in_db(person, "engineer"))
    mark = await in_db(newest)
    event = told(1)[0]
    await in_db(stored.running_turn, [event])
    response = await client.get(
        reverse("workflow:all_events"), headers={"Last-Event-ID": str(mark)}
    )
    assert await anext(response.streaming_content) == BEAT
    frame = (await anext(response.streaming_content)).decode()
    await response.streaming_content.aclose()
    lines = dict(line.split(": ", 1) for line in frame.strip().split("\n"))
    assert json.loads(lines["data"]) == event.wire()
    assert int(lines["id"]) == await in_db(newest)


@pytest.mark.django_db(transaction=True)
async def test_a_row_that_came_late_does_not_bring_back_those_before_it(
    monkeypatch: pytest.MonkeyPatch,
):
    early, late = told(1), told(3)

    def commit_late() -> None:
        event = early[0]
        turn = factories.turn(id=event.turn)
        TurnEvent.objects.create(
            pk=newest() - 3, turn=turn, seq=1, at=event.at, type=event.body.TYPE, data=event.data()
        )

    def number_is_taken_first() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval(pg_get_serial_sequence('chat_turnevent', 'id'))")
        stored.running_turn(late)

    monkeypatch.setattr(live, "sleep", Pauses(number_is_taken_first, commit_late))
    client = AsyncClient()
    await in_db(client.force_login, await in_db(person, "engineer"))
    response = await client.get(reverse("workflow:all_events"))
    frames = aiter(response.streaming_content)
    heard = [(await anext(frames)).decode() for _ in range(5)][1:]
    await response.streaming_content.aclose()
    assert json.loads(heard[-1].partition("data: ")[2])["turn"] == str(early[0].turn)
    marks = [int(frame.partition("id: ")[2].partition("\n")[0]) for frame in heard]
    assert marks == sorted(marks)


@pytest.mark.django_db(transaction=True)
async def test_tokens_are_left_out_for_who_does_not_ask_for_them():
    turn = refund_with_one_rewrite()
    rows = await heard(None, Pauses(lambda: stored.running_turn(turn)))
    without = [event.seq for event in turn if not isinstance(event.body, Token)]
    assert [seq for _, seq in marks(rows)] == without != [event.seq for event in turn]


@pytest.mark.django_db(transaction=True)
async def test_who_asks_for_some_types_hears_these_alone():
    turn = refund_with_one_rewrite()
    wanted = {"turn_started", "token"}
    rows = await heard(None, Pauses(lambda: stored.running_turn(turn)), wanted)
    assert {event.body.TYPE for _, event in rows} == wanted


@pytest.mark.django_db(transaction=True)
async def test_who_comes_back_among_tokens_misses_nothing_of_what_is_asked_for():
    turn = refund_with_one_rewrite()
    await in_db(stored.running_turn, turn)
    rows = await heard(0, Pauses())
    for mark, _ in rows:  # the mark of any frame, whatever was left out beside it
        after = await heard(mark, Pauses())
        assert after == [row for row in rows if row[0] > mark]


@pytest.mark.django_db(transaction=True)
async def test_what_was_passed_by_is_not_read_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(feed, "OVERLAP", 2)
    floors: list[int] = []
    read = feed.rows_after

    def seen(after: int, until: int | None = None, **kinds: Any) -> list[Row]:
        floors.append(after)
        return read(after, until, **kinds)

    monkeypatch.setattr(feed, "rows_after", seen)
    turn = refund_with_one_rewrite()
    await heard(None, Pauses(lambda: stored.running_turn(turn), lambda: None), {"rewrite"})
    assert floors[-1] == await in_db(newest) - 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("asked", "status"), [("", 200), ("token,turn_started", 200), ("tokens", 400), ("*", 400)]
)
async def test_a_type_that_there_is_not_is_refused_with_those_that_there_are(
    asked: str, status: int
):
    client = AsyncClient()
    await in_db(client.force_login, await in_db(person, "engineer"))
    response = await client.get(reverse("workflow:all_events"), {"types": asked})
    assert response.status_code == status
    if status == 400:
        assert "turn_started" in response.content.decode()
    else:
        await response.streaming_content.aclose()


@given(rows_in_order, st.integers(1, 5))
def test_the_window_gives_every_row_once_in_any_order_of_commits(order: list[int], step: int):
    trace = Trace()
    trace.tell(*(event.body for event in told(1)))
    window, given, committed = Window(0), [], set[int]()
    for start in range(0, len(order), step):
        committed.update(order[start : start + step])
        seen = [(number, trace.events[0]) for number in sorted(committed) if number > window.floor]
        given += [number for number, _ in window.fresh(seen)]
    assert sorted(given) == sorted(order)


def test_the_window_forgets_what_lies_far_behind():
    trace = Trace()
    trace.tell(*(event.body for event in told(1)))
    window = Window(0)
    window.fresh([(number, trace.events[0]) for number in range(1, OVERLAP * 3)])
    assert len(window.given) <= OVERLAP
