"""What a token costs between the endpoint's socket and the agent, in CPU time.

A scripted endpoint in its own process sends streams at a fixed rate; this process reads them
in four ways. `python -m benchmarks.relay_model_stream` takes some 20 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
from langchain_openai import ChatOpenAI

from benchmarks.processes import free_port, running
from benchmarks.report import machine, table
from chat.adapters.llm_openai import OpenAiModel, OpenAiSettings
from chat.adapters.openai_transport import MergingTransport, Pace
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask

STREAMS = 20
RATE = 100.0  # tokens a second and stream
SECONDS = 2.5  # length of a stream

PASSAGE = Passage(chunk="c", document="d", version=1, title="Billing", text="In 5 to 10 days.")
TASK = AnswerTask(question="How long does a refund take?", passages=(PASSAGE,))

Write = Callable[[str], None]
Stream = Callable[[Write], Awaitable[object]]


def through_langchain(base_url: str) -> Stream:
    """The plain way: `ChatOpenAI.astream` over its own connection."""
    chat = ChatOpenAI(model="m", base_url=base_url, api_key=_key, stream_usage=True)

    async def stream(write: Write) -> None:
        async for chunk in chat.astream("How long does a refund take?"):
            write(str(chunk.text))

    return stream


def through_adapter(base_url: str, transport: httpx2.AsyncBaseTransport) -> Stream:
    """The product's way, over the given transport."""
    model = OpenAiModel(OpenAiSettings(main="m", base_url=base_url), transport=transport)
    return lambda write: model.answer(TASK, write)


async def measure(stream: Stream, streams: int, tokens: int) -> list[str]:
    """Run the streams side by side: CPU a token, writes, and seconds that it took."""
    await stream(lambda _text: None)  # connections and lazy imports
    written: list[str] = []
    cpu, wall = time.process_time(), time.monotonic()
    await asyncio.gather(*(stream(written.append) for _ in range(streams)))
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    return [f"{cpu / streams / tokens * 1e6:.0f}", str(len(written)), f"{wall:.1f}"]


async def measure_all(base_url: str, streams: int, tokens: int) -> list[list[str]]:
    """A row for each of the four ways, one after the other."""
    plain, waiting, paced = (
        httpx2.AsyncHTTPTransport(),
        MergingTransport(Pace(interval=0)),
        MergingTransport(),
    )
    ways = {
        "ChatOpenAI.astream": through_langchain(base_url),
        "adapter, plain transport": through_adapter(base_url, plain),
        "adapter, merging what waits": through_adapter(base_url, waiting),
        "adapter, merging and paced": through_adapter(base_url, paced),
    }
    rows = [[name, *await measure(stream, streams, tokens)] for name, stream in ways.items()]
    for transport in (plain, waiting, paced):
        await transport.aclose()
    return rows


async def run(streams: int = STREAMS, rate: float = RATE, seconds: float = SECONDS) -> None:
    """Start the endpoint, measure, end it, and print."""
    port, tokens = free_port(), int(rate * seconds)
    command = ("-m", "tests.doubles.endpoint", "--port", str(port))
    paced = ("--rate", str(rate), "--tokens", str(tokens))
    with tempfile.NamedTemporaryFile() as log:
        async with running(*command, *paced, port=port, log=Path(log.name), env={}):
            rows = await measure_all(f"http://127.0.0.1:{port}/v1", streams, tokens)
    print(f"\n## From the endpoint's socket to the agent\n\n{streams} streams", end=" ")
    print(f"of {tokens} tokens, {rate:.0f} a second each, read in one process.\n")
    print(table(("way", "CPU µs a token", "writes", "seconds"), rows), flush=True)


async def _key() -> str:
    return "none"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=STREAMS)
    parser.add_argument("--rate", type=float, default=RATE, help="tokens a second and stream")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="length of a stream")
    options = parser.parse_args()
    print(f"Relay on {machine()}", flush=True)
    asyncio.run(run(options.streams, options.rate, options.seconds))
