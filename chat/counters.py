"""What the process counts for `/metrics`: turns by their end, controls by their outcome."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

from chat.contracts.events import Decision
from chat.contracts.verdicts import Termination

TURNS = Counter("plumbline_turns", "Turns that ended, by termination.", ["termination"])
TURN_SECONDS = Histogram(
    "plumbline_turn_seconds",
    "Time from question to end.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64),
)
DECISIONS = Counter(
    "plumbline_decisions", "Controls by what became of them.", ["control", "outcome"]
)
RECORD_RETRIES = Counter("plumbline_record_retries", "Times that a record had to be tried again.")
REFUSED = Counter("plumbline_refused_frames", "Frames that a socket refused, by code.", ["code"])


def decision(body: Decision) -> None:
    DECISIONS.labels(body.control, body.outcome).inc()


def turn(termination: Termination, ms: float) -> None:
    TURNS.labels(termination).inc()
    TURN_SECONDS.observe(ms / 1000)
