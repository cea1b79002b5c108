"""The site as a process of its own, with a database of its own, for a browser to visit.

Run as a program it is `manage.py serve` with the offline model's answers cut into words that come
out while a gate lets them: a test holds an answer at a word for as long as it likes.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from config import env
from config.variables import variables

ROOT = Path(__file__).resolve().parents[2]
GATE = "PLUMBLINE_TEST_GATE"
PACE = 0.003  # seconds between two words
LOOK = 0.02  # seconds between two looks at a closed gate
START_SECONDS = 180
STOP_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Site:
    """A running site. `hold` stops answers after so many words until `let_go`.

    After `doubt` the next draft is sent back, and the one after it waits for `let_go`.
    """

    url: str
    gate: Path

    def hold(self, words: int) -> None:
        self.gate.write_text(str(words))

    def let_go(self) -> None:
        self.gate.unlink(missing_ok=True)

    def doubt(self) -> None:
        _doubt(self.gate).touch()


def _doubt(gate: Path) -> Path:
    return gate.with_suffix(".doubt")


@contextmanager
def running() -> Iterator[Site]:
    """Serves the site on a free port of this machine, and leaves nothing behind."""
    with killable() as server:
        yield server.site


class Server:
    """The site's process, which a test may kill and start again over the same data."""

    def __init__(self, folder: Path) -> None:
        self.site = Site(f"http://127.0.0.1:{_free_port()}", folder / "gate")
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Serve, and come back once the site answers."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.site"],
            cwd=ROOT,
            env=_environment(self.site, self._folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        _until_it_serves(self._process)

    def kill(self) -> None:
        """As a power cut would: nothing is handed on, nothing is said."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            _stop(self._process)


@contextmanager
def killable() -> Iterator[Server]:
    """A server of its own, running; it and its data are gone afterwards."""
    # The process stands last, so that what a killed run leaves behind is known for what it is.
    folder = Path(tempfile.mkdtemp(prefix="plumbline-tests-browser-", suffix=f"-{os.getpid()}"))
    folder.chmod(0o755)
    server = Server(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _environment(site: Site, folder: Path) -> dict[str, str]:
    """What the process is told: nothing of the developer's own environment."""
    own = {name for variable in variables() for name in variable.names}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ENV_FILE": "",
        "VAR_DIR": str(folder / "var"),
        "PORT": site.url.rpartition(":")[2],
        GATE: str(site.gate),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_it_serves(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(START_SECONDS)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Plumbline: http"):
            signal.alarm(0)
            return
    raise RuntimeError("the site did not start:\n" + "".join(lines))


def _too_slow(*_: Any) -> None:
    raise TimeoutError("the site did not start in time")


def _stop(process: subprocess.Popen[str]) -> None:
    signal.alarm(0)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


UNHELD = "A refund costs 4,711 euros and is sent by pigeon [1]. It takes 815 years to arrive [1]."


class Gated:
    """A model whose answers come word by word, for as long as the gate is open."""

    def __init__(self, model: Any, gate: Path) -> None:
        self._model, self._gate = model, gate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    async def answer(self, task: Any, write: Callable[[str], None]) -> Any:
        reply = await self._model.answer(task, lambda _text: None)
        doubted = _doubt(self._gate).exists()
        if doubted:
            reply = replace(reply, value=reply.value.model_copy(update={"text": UNHELD}))
        for count, word in enumerate(re.findall(r"\S+\s*", reply.value.text)):
            while self._closed_after(count):  # noqa: ASYNC110 - the gate is another process's file
                await asyncio.sleep(LOOK)
            write(word)
            await asyncio.sleep(PACE)
        if doubted:  # the next draft waits at its first word
            self._gate.write_text("0")
            _doubt(self._gate).unlink()
        return reply

    def _closed_after(self, count: int) -> bool:
        try:
            return count >= int(self._gate.read_text())
        except (FileNotFoundError, ValueError):
            return False


def _serve() -> int:
    env.use_site_settings()
    import django

    django.setup()
    from chat import wiring

    gate, made = Path(os.environ[GATE]), wiring.ports

    def gated(pace: float | None = None) -> Any:
        given = made(0.0)
        if pace is not None:  # nobody reads along: the lab, and a turn that is run again
            return given
        return replace(given, model=Gated(given.model, gate))

    wiring.ports = gated
    from admin_tracing.jobs import WORKER

    # What a test puts into the queue is all that waits there: other tests' turns are not drawn.
    WORKER.jobs = tuple(job for job in WORKER.jobs if job.name != "samples")
    sys.argv = ["manage.py", "serve"]
    import manage

    return manage.main()


if __name__ == "__main__":
    sys.exit(_serve())
