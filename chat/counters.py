"""What the process counts for `/metrics`: ends, routes, pauses; controls and tools by outcome."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

from chat.contracts.events import Decision, RouteTaken
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
ROUTES = Counter(
    "plumbline_routes",
    "Paths, as decided and as taken; `sure` is no where no router had a say or none answered.",
    ["decided", "taken", "sure"],
)
PAUSES = Counter(
    "plumbline_pauses",
    "Questions back and actions: asked, and then answered, agreed, declined or expired.",
    ["kind", "outcome"],
)
RECORD_RETRIES = Counter("plumbline_record_retries", "Times that a record had to be tried again.")
REFUSED = Counter("plumbline_refused_frames", "Frames that a socket refused, by code.", ["code"])
TOOL_CALLS = Counter(
    "plumbline_tool_calls", "Calls of tools by what became of them.", ["tool", "outcome"]
)


def route(body: RouteTaken) -> None:
    ROUTES.labels(body.decided, body.taken, "no" if body.confidence is None else "yes").inc()


def pause(kind: str, outcome: str) -> None:
    PAUSES.labels(kind, outcome).inc()


def decision(body: Decision) -> None:
    DECISIONS.labels(body.control, body.outcome).inc()


def turn(termination: Termination, ms: float) -> None:
    TURNS.labels(termination).inc()
    TURN_SECONDS.observe(ms / 1000)


def tool_call(tool: str, outcome: str) -> None:
    TOOL_CALLS.labels(tool, outcome).inc()
