"""The product while it streams: CPU a token and lag, beside a bare relay; and the first token.

`python -m benchmarks.live`, some 80 seconds. Lag runs from the moment at which the endpoint
writes a token to the moment at which a client has the frame that holds it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from benchmarks.paced_endpoint import LENGTH, RATE, asking
from benchmarks.report import machine, percentiles, table
from benchmarks.stage import Far, Site, stage
from benchmarks.visitors import Listener, Visitor

STREAMS = (1, 20, 50)
SECONDS = 6.0  # length of a stream
WARM_UP_STREAMS, WARM_UP_TOKENS = 4, 100
ASKS = 20  # for the first token
MOST_LAG_MS, MOST_CPU_US = 150, 200  # wanted at 50 streams


@dataclass(frozen=True, slots=True)
class Round:
    """One start of all streams. CPU in microseconds a token or a turn, lags in milliseconds.

    `whole` and `kept` count the drafts that arrived, and that the log holds, as they were sent.
    """

    cpu: float
    database_cpu: float
    begin_cpu: float
    end_cpu: float
    lags: Sequence[float]
    late_ms: float
    whole: int
    kept: int


async def measure(site: Site, far: Far, streams: int, tokens: int) -> Round:
    """All streams at once: they gather at the endpoint's barrier, then it starts them."""
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(site.visitor(site.process.port, tokens * LENGTH))
            for _ in range(streams)
        ]
        asked = site.process.cpu()
        for number, person in enumerate(people):
            await person.ask(asking(number))
        await far.until_waiting(streams)
        begun, database = site.process.cpu(), site.database_cpu()
        go = await far.go(tokens)
        await asyncio.gather(*(person.until(person.drafted) for person in people))
        drafted, database = site.process.cpu(), site.database_cpu() - database
        await asyncio.gather(*(person.until(person.finished) for person in people))
        finished, sent = site.process.cpu(), await far.get("sent")
        digests = [sent[str(number)]["sha256"] for number in range(streams)]
        return Round(
            cpu=(drafted - begun) / streams / tokens,
            database_cpu=database / streams / tokens,
            begin_cpu=(begun - asked) / streams,
            end_cpu=(finished - drafted) / streams,
            lags=[lag for person in people for lag in person.draft.lags(go)],
            late_ms=max(stream["late_ms"] for stream in sent.values()),
            whole=sum(p.draft.sha256() == d for p, d in zip(people, digests, strict=True)),
            kept=await _kept(people, digests),
        )


async def _kept(people: Sequence[Listener], digests: Sequence[str]) -> int:
    """How many drafts are in the log as they were sent."""
    pairs = zip(people, digests, strict=True)
    return sum([await p.stored() == digest for p, digest in pairs if isinstance(p, Visitor)])


async def first_tokens(site: Site, far: Far) -> list[tuple[float, float]]:
    """Of each question: milliseconds to its first token, and those that the endpoint took."""
    found = []
    for _ in range(ASKS):
        async with site.visitor(site.process.port, 1) as person:
            await far.get("held")
            await person.ask("How long does a refund take?")
            await person.until(person.drafted)
            await person.until(person.finished)
            own = covered(await far.get("held"), person.first)
        found.append(((person.first - person.asked) / 1e6, own / 1e6))
    return found


def covered(spans: Sequence[tuple[int, int]], end: int) -> int:
    """How much time the spans cover before the end, overlaps counted once."""
    total = last = 0
    for start, stop in sorted(spans):
        stop = min(stop, end)
        total += max(0, stop - max(start, last))
        last = max(last, stop)
    return total


async def run(sizes: Sequence[int] = STREAMS, seconds: float = SECONDS) -> None:
    """Measure and print. The relay and the product take turns at each size."""
    tokens = int(seconds * RATE)
    async with stage() as (far, relay, product):
        for site in (relay, product):
            await measure(site, far, WARM_UP_STREAMS, WARM_UP_TOKENS)
        rounds = [
            (streams, site, await measure(site, far, streams, tokens))
            for streams in sizes
            for site in (relay, product)
        ]
        _show_rounds(rounds, product, tokens)
        _show_first(await first_tokens(product, far))


def _show_rounds(rounds: Sequence[tuple[int, Site, Round]], product: Site, tokens: int) -> None:
    print(f"\n## Relayed tokens\n\nStreams of {tokens} tokens, {RATE:.0f} a second each;", end=" ")
    print("CPU of the serving process, its log writes included.\n")
    print(table(RELAYED, [_relayed(*each) for each in rounds]))
    streams, _, last = rounds[-1]
    p95 = percentiles(last.lags, 95)[0]
    print(f"\nAt {streams} streams: p95 lag {p95:.0f} ms (wanted: under {MOST_LAG_MS}),", end=" ")
    print(f"{last.cpu:.0f} µs a token (at most {MOST_CPU_US}),", end=" ")
    print(f"{last.whole * tokens * LENGTH:,} of {streams * tokens * LENGTH:,} characters as sent.")
    print("\nCPU of the product for all else in a turn:\n")
    own = [(streams, seen) for streams, site, seen in rounds if site is product]
    print(table(AROUND, [_around(*each) for each in own]), flush=True)


RELAYED = (
    *("streams", "site", "CPU µs a token", "lag p50 ms", "p95 ms", "p99 ms"),
    *("arrived whole", "stored whole", "database µs a token", "endpoint late ms"),
)
AROUND = ("turns at once", "to the model's answer, ms a turn", "after its last token, ms a turn")


def _relayed(streams: int, site: Site, seen: Round) -> list[str]:
    keeps = site.data is not None
    return [
        *(str(streams), site.name, f"{seen.cpu:.0f}"),
        *(f"{value:.0f}" for value in percentiles(seen.lags, 50, 95, 99)),
        f"{seen.whole} of {streams}",
        f"{seen.kept} of {streams}" if keeps else "",
        f"{seen.database_cpu:.0f}" if keeps else "",
        f"{seen.late_ms:.0f}",
    ]


def _around(streams: int, seen: Round) -> list[str]:
    return [str(streams), f"{seen.begin_cpu / 1000:.0f}", f"{seen.end_cpu / 1000:.0f}"]


def _show_first(found: Sequence[tuple[float, float]]) -> None:
    own = [endpoint for _, endpoint in found]
    beyond = [whole - endpoint for whole, endpoint in found]
    head = ("milliseconds", "p50", "p95")
    rows = [
        [name, *(f"{value:.0f}" for value in percentiles(times, 50, 95))]
        for name, times in (("beyond the model's own", beyond), ("the model's own", own))
    ]
    print(f"\n## From a question to its first token\n\n{len(found)} questions,", end=" ")
    print("one after the other, each in a new conversation, to a model that answers at once.\n")
    print(table(head, rows), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, nargs="+", default=STREAMS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="length of a stream")
    options = parser.parse_args()
    print(f"Live on {machine()}", flush=True)
    asyncio.run(run(options.streams, options.seconds))
