"""No test may leave this machine, and the guard that sees to it works."""

import asyncio
import socket

import pytest

from tests.network import OutsideConnection, is_local


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1", b"localhost", None])
def test_this_machine_is_local(host: object) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["example.org", "192.0.2.1", "2001:db8::1", b"example.org"])
def test_other_machines_are_not(host: object) -> None:
    assert not is_local(host)


def test_a_connection_to_another_machine_is_refused() -> None:
    with socket.socket() as plain, pytest.raises(OutsideConnection):
        plain.connect(("192.0.2.1", 80))


def test_looking_up_another_machine_is_refused() -> None:
    with pytest.raises(OutsideConnection):
        socket.getaddrinfo("example.org", 443)


async def test_a_connection_by_the_event_loop_is_refused() -> None:
    with pytest.raises(OutsideConnection):
        await asyncio.open_connection("192.0.2.1", 80)


def test_a_connection_to_this_machine_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
