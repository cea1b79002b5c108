"""The embedded server under the hands that it will meet: kills, leftovers and company."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from config import embedded
from config.embedded import cluster
from config.embedded.leftovers import servers_in
from config.errors import StartError
from config.variables import BASE_DIR
from tests.servers import is_gone_soon, keeper_of, query

PROGRAM = Path(__file__).with_name("postgres_user.py")

Starter = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def user_process(bare_folder: Path) -> Iterator[Starter]:
    """Starts processes that use the server of the test's folder."""
    started: list[subprocess.Popen[str]] = []

    def start() -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(bare_folder)],
            env={"PYTHONPATH": str(BASE_DIR)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_data_is_there_again_after_a_stop_and_a_start(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place):
        query(place, "CREATE TABLE kept AS SELECT 7 AS n, '[1,2,3]'::vector AS v")
    assert servers_in(place.data) == []
    with embedded.start(place):
        assert query(place, "SELECT n, v::text FROM kept") == [(7, "[1,2,3]")]


def test_a_second_process_attaches_and_its_end_leaves_the_server_running(
    server_folder: Path, user_process: Starter
) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False) as server:
        assert server.started
        second = user_process()
        assert said(second) == "attached"
        second.communicate("")
        assert query(place, "SELECT 1") == [(1,)]


def test_the_server_outlives_the_process_that_started_it_while_another_uses_it(
    server_folder: Path, user_process: Starter
) -> None:
    place = embedded.locate(server_folder)
    first = user_process()
    assert said(first) == "started"
    with embedded.start(place, durable=False) as server:
        assert not server.started
        first.communicate("")
        assert query(place, "SELECT 1") == [(1,)]
    assert servers_in(place.data) == []


def test_processes_that_begin_at_once_share_one_server(
    bare_folder: Path, user_process: Starter
) -> None:
    processes = [user_process() for _ in range(3)]
    assert sorted(said(process) for process in processes) == ["attached", "attached", "started"]
    for process in processes:
        process.communicate("")
    assert is_gone_soon(embedded.locate(bare_folder))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_takes_its_server_along_and_the_next_start_has_its_data(
    server_folder: Path, user_process: Starter, number: signal.Signals
) -> None:
    place = embedded.locate(server_folder)
    process = user_process()
    assert said(process) == "started"
    query(place, "CREATE TABLE kept AS SELECT 7 AS n")
    process.send_signal(number)
    process.wait()
    assert is_gone_soon(place)
    with embedded.start(place, durable=False):
        assert query(place, "SELECT n FROM kept") == [(7,)]


def test_a_killed_keeper_takes_the_server_along_and_the_next_start_succeeds(
    server_folder: Path, user_process: Starter
) -> None:
    place = embedded.locate(server_folder)
    process = user_process()
    assert said(process) == "started"
    os.kill(keeper_of(place), signal.SIGKILL)
    assert is_gone_soon(place)
    with embedded.start(place, durable=False) as server:
        assert server.started


def test_a_killed_server_and_its_stale_pid_file_do_not_stop_the_next_start(
    server_folder: Path,
) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        query(place, "CREATE TABLE kept AS SELECT 7 AS n")
        for process in servers_in(place.data):
            with suppress(ProcessLookupError):  # the first that dies takes others along
                os.kill(process, signal.SIGKILL)
        assert is_gone_soon(place)
        assert (place.data / "postmaster.pid").exists()
        with embedded.start(place, durable=False) as again:
            assert again.started
            query(place, "SELECT 1")


def test_a_pid_file_whose_number_went_to_another_process_does_not_stop_the_start(
    server_folder: Path,
) -> None:
    place = embedded.locate(server_folder)
    stranger = subprocess.Popen(["sleep", "60"], **cluster.identity(place.account))
    (place.data / "postmaster.pid").write_text(f"{stranger.pid}\n{place.data}\n1\n5432\n\n\n0 0\n")
    try:
        with embedded.start(place, durable=False) as server:
            assert server.started
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_stray_server_without_a_keeper_is_replaced(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        program = (place.data / "postmaster.opts").read_text().split()[0]
    stray = subprocess.Popen(
        [program, "-D", str(place.data), "-k", str(place.run), "-c", "listen_addresses="],
        cwd="/",
        stderr=subprocess.DEVNULL,
        **cluster.identity(place.account),
    )
    deadline = time.monotonic() + 10
    while not cluster.answers(place) and time.monotonic() < deadline:
        time.sleep(0.02)
    with embedded.start(place, durable=False) as server:
        assert server.started
        assert stray.wait(timeout=10) == 0
        assert query(place, "SELECT 1") == [(1,)]


def test_a_server_that_cannot_start_is_told_with_its_own_last_line(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    (place.data / "pg_hba.conf").write_text("nonsense\n")
    with pytest.raises(StartError, match="PostgreSQL did not start: .*pg_hba.conf"):
        embedded.start(place, durable=False)
