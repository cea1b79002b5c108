"""The serving process from its first start to its end, as a person at a terminal has it."""

import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.leftovers import servers_in
from config.variables import BASE_DIR
from tests.servers import short_folder


@pytest.fixture
def var() -> Iterator[Path]:
    """A folder for the served site's data."""
    with short_folder() as folder:
        yield folder.parent


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def serve(var: Path, port: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, str(BASE_DIR / "manage.py"), "serve"],
        env={"ENV_FILE": "", "VAR_DIR": str(var), "PORT": str(port), "PATH": os.defpath},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines_until_address(process: "subprocess.Popen[str]") -> list[str]:
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.strip())
        if "http://" in line:
            break
    return lines


def open_websocket(port: int) -> socket.socket:
    """A bare handshake; the socket stays open until its owner closes it."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    origin = f"http://127.0.0.1:{port}"
    request = [
        f"GET /ws/chat/{uuid.uuid4()}/ HTTP/1.1",
        *(f"Host: 127.0.0.1:{port}", f"Origin: {origin}"),
        *("Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    ]
    connection.sendall(("\r\n".join(request) + "\r\n\r\n").encode())
    assert b" 101 " in connection.recv(1024)
    return connection


def test_a_taken_port_is_told_in_one_line(var: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as owner:
        taken = owner.getsockname()[1]
        process = serve(var, taken)
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert output == ""
    assert errors.splitlines() == [
        f"Port {taken} is taken. Stop its owner or choose another: make run PORT=8001"
    ]


def test_a_bad_setting_is_told_in_one_line(var: Path) -> None:
    process = serve(var, 0)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.splitlines() == ["PORT is '0', but must be a whole number 1-65535."]


@pytest.mark.slow
def test_a_first_start_sets_up_and_every_end_with_an_open_websocket_leaves_nothing(
    var: Path, port: int
) -> None:
    process = serve(var, port)
    lines = lines_until_address(process)
    assert lines[-1] == f"Plumbline: http://localhost:{port}/  (Ctrl-C stops it)"
    assert [line for line in lines if line.startswith("Staff account: admin, password: ")]
    assert "Traceback" not in errors_after(process, signal.SIGINT, var, port)

    again = serve(var, port)
    assert lines_until_address(again) == [lines[-1]]
    assert errors_after(again, signal.SIGTERM, var, port) == ""


def errors_after(
    process: "subprocess.Popen[str]", number: signal.Signals, var: Path, port: int
) -> str:
    """Ends a server while a socket is open, and gives what it said as errors."""
    with open_websocket(port):
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
    assert servers_in(var / "postgres" / "data") == []
    return process.communicate()[1]
