"""Who takes part: the endpoint on the far side, and the two sites that relay it, up and running.

Each is a process of its own on loopback. The product has a fresh database in a temporary
folder, and nothing of it outlives the run.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.processes import Process, cpu_of, free_port, running
from benchmarks.visitors import Listener, Visitor
from config.embedded.leftovers import servers_in
from config.embedded.place import locate

PATIENCE_MS = 120_000  # of the product with the endpoint, which waits for everybody


@dataclass(frozen=True, slots=True)
class Far:
    """The endpoint, as the benchmark talks to it."""

    process: Process
    session: aiohttp.ClientSession

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.process.port}"

    async def get(self, what: str) -> Any:
        async with self.session.get(f"{self.address}/{what}") as reply:
            return await reply.json()

    async def go(self, tokens: int) -> int:
        """Start the streams that wait; the moment in nanoseconds since the epoch."""
        async with self.session.post(f"{self.address}/go?tokens={tokens}") as reply:
            return int(await reply.json())

    async def until_waiting(self, streams: int) -> None:
        """Wait until so many streams stand at the barrier."""
        async with asyncio.timeout(PATIENCE_MS / 1000):
            await self.get(f"gathered?streams={streams}")


@dataclass(frozen=True, slots=True)
class Site:
    """What is measured: a serving process, who visits it, and where its database is, if any."""

    name: str
    process: Process
    visitor: type[Listener]
    data: Path | None = None

    def database_cpu(self) -> float:
        """Microseconds of CPU of the database's processes that live now."""
        return sum(map(cpu_of, servers_in(self.data))) if self.data else 0.0


@asynccontextmanager
async def stage() -> AsyncIterator[tuple[Far, Site, Site]]:
    """The endpoint, the bare relay and the product."""
    folder = _folder()
    place = locate(folder / "postgres")
    try:
        async with AsyncExitStack() as stack:
            far = await _endpoint(stack, folder)
            model = {"OPENAI_BASE_URL": f"{far.address}/v1", "OPENAI_API_KEY": "none"}
            relay = await _relay(stack, folder, model)
            product = await _product(stack, folder, model)
            yield (
                far,
                Site("bare relay", relay, Listener),
                Site("Plumbline", product, Visitor, place.data),
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(place.folder, ignore_errors=True)


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pl-bench-"))
    folder.chmod(0o711)  # the database's account has to pass
    return folder


async def _endpoint(stack: AsyncExitStack, folder: Path) -> Far:
    port, log = free_port(), folder / "endpoint.log"
    command = ("-m", "benchmarks.paced_endpoint", "--port", str(port))
    process = await stack.enter_async_context(running(*command, port=port, log=log, env={}))
    return Far(process, await stack.enter_async_context(aiohttp.ClientSession()))


async def _relay(stack: AsyncExitStack, folder: Path, model: dict[str, str]) -> Process:
    port, log = free_port(), folder / "relay.log"
    command = ("-m", "daphne", "-p", str(port), "benchmarks.bare_relay:application")
    return await stack.enter_async_context(running(*command, port=port, log=log, env=model))


async def _product(stack: AsyncExitStack, folder: Path, model: dict[str, str]) -> Process:
    port, log = free_port(), folder / "product.log"
    settings = {
        "ENV_FILE": "",
        "VAR_DIR": str(folder),
        "PORT": str(port),
        "LLM_MODEL": "paced",
        "LLM_TIMEOUT_MS": str(PATIENCE_MS),
        "RAG_WALL_CLOCK_MS": str(10 * PATIENCE_MS),
        "LIMIT_ASKS_ADDRESS": "0",  # all visitors come from this machine
        "LIMIT_SOCKETS_ADDRESS": "0",
    }
    serve = running("manage.py", "serve", port=port, log=log, env=model | settings)
    return await stack.enter_async_context(serve)
