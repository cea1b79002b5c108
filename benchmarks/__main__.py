"""`python -m benchmarks` or `make bench`: every benchmark, one after the other, in Markdown.

Takes three to five minutes; with `--workflow`, the staff's pages over 100,000 turns too, two to
four more. Best on a machine that does nothing else: the load at the start stands in the first line.
"""

from __future__ import annotations

import argparse
import asyncio
import signal

from benchmarks import checks, graph, live, records, relay_model_stream, retrieval, workflow
from benchmarks.report import machine


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Every benchmark.")
    parser.add_argument(
        "--workflow", action="store_true", help="the staff's pages over 100,000 turns as well"
    )
    asked = parser.parse_args()
    # However the run is ended, what it started is ended with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"# Benchmarks\n\nOn {machine()}.", flush=True)
    asyncio.run(live.run())
    asyncio.run(relay_model_stream.run())
    checks.run()
    graph.run()
    retrieval.run()
    records.run()
    if asked.workflow:
        workflow.run()


if __name__ == "__main__":
    main()
