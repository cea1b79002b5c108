"""`python -m benchmarks` or `make bench`: every benchmark, one after the other, in Markdown.

Takes three to five minutes. Best on a machine that does nothing else: the load at the start
stands in the first line.
"""

from __future__ import annotations

import asyncio
import signal

from benchmarks import graph, live, records, relay_model_stream, retrieval
from benchmarks.report import machine


def main() -> None:
    # However the run is ended, what it started is ended with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"# Benchmarks\n\nOn {machine()}.", flush=True)
    asyncio.run(live.run())
    asyncio.run(relay_model_stream.run())
    graph.run()
    retrieval.run()
    records.run()


if __name__ == "__main__":
    main()
