"""What the process counts for `/metrics`: ends, routes, pauses; controls, models, tools, limits.

Every value that a label can have and that is known beforehand stands there with 0 from the start:
what has never happened is then told apart from what nobody counts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from chat.contracts.errors import ChatError
from chat.contracts.events import Decision, ModelCall, RouteTaken, Tokens
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.guardrails.policy import failed

SECONDS = (0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
FAILED = (Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED)
FAULTS = (
    *("timeout", "nonsense", "invalid", "unreachable", "rate_limited", "server_error"),
    *("cut_stream", "refused", "raised"),
)
"""Why a control could not run: the reasons of `policy.guard` and of `ModelFault`."""

SKIPS = {
    "the plain path": "plain_path",
    "switched off": "switched_off",
    "there is no draft": "no_draft",
    "a tool was asked for": "tool",
}
"""Why a control was not called, and the label for it. The modes share `mode`."""

OTHER = "other"  # any reason that is not listed: a label has a bounded number of values
REASONS = frozenset({"", *FAULTS, *SKIPS.values(), "mode", OTHER})

TURNS = Counter("plumbline_turns", "Turns that ended, by termination.", ["termination"])
TURN_SECONDS = Histogram("plumbline_turn_seconds", "Time from question to end.", buckets=SECONDS)
DECISIONS = Counter(
    "plumbline_decisions",
    "Controls by what became of them, and why where one did not run.",
    ["control", "outcome", "reason"],
)
DUE = Counter(
    "plumbline_controls_due", "Turns that ought to have run a control, by control.", ["control"]
)
MISSING = Counter(
    "plumbline_controls_missing",
    "Turns in which a control ought to have run and left no decision.",
    ["control"],
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
MODEL_CALLS = Counter(
    "plumbline_model_calls", "Calls of models by what became of them.", ["role", "outcome"]
)
MODEL_SECONDS = Histogram(
    "plumbline_model_seconds", "Time that a call of a model took.", ["role"], buckets=SECONDS
)
TOKENS = Counter("plumbline_tokens", "Tokens that models used, by class.", ["role", "class"])
COST = Counter("plumbline_cost_usd", "What calls of models cost, in US dollars.", ["role"])
JOBS = Counter(
    "plumbline_jobs", "Goes of a job in the background, by what became of them.", ["job", "outcome"]
)
TAPES = Counter(
    "plumbline_tapes", "Tapes of runs: kept, too large to be kept, or failed.", ["outcome"]
)
RERUNS = Counter(
    "plumbline_reruns",
    "Re-runs that ended: as before, otherwise (flipped), failed or stopped.",
    ["outcome"],
)
RERUN_COST = Counter(
    "plumbline_rerun_cost_usd", "What new calls of models cost in re-runs, in US dollars."
)
SHADOW_SEARCHES = Counter(
    "plumbline_shadow_searches",
    "Searches made afterwards for turns called off topic: there was evidence, nothing, or failed.",
    ["outcome"],
)
LIMITS = Counter(
    "plumbline_limits",
    "Looks at a limit: passed, refused, or failed open as its store was away.",
    ["limit", "outcome"],
)
SOCKETS = Gauge("plumbline_sockets_open", "Chat sockets that this process holds.")

LIMIT_NAMES = tuple(
    f"{what}_{whose}"
    for what, whose in itertools.product(("asks", "sockets"), ("person", "address"))
) + ("budget_person", "frames")
LIMIT_OUTCOMES = ("passed", "refused", "failed_open")
SHADOW_OUTCOMES = ("evidence", "nothing", "failed")
RERUN_OUTCOMES = ("same", "flipped", "failed", "stopped")
BY_OUTCOME = {
    TAPES: ("kept", "too_large", "failed"),
    RERUNS: RERUN_OUTCOMES,
    SHADOW_SEARCHES: SHADOW_OUTCOMES,
}


def job(name: str, outcome: str) -> None:
    """A go of a job: done, failed or timeout."""
    JOBS.labels(name, outcome).inc()


def tape(outcome: str) -> None:
    """What became of a run's tape: kept, too_large or failed."""
    TAPES.labels(outcome).inc()


def rerun(outcome: str, cost: float, count: int = 1) -> None:
    """Re-runs that ended: one of RERUN_OUTCOMES. What they reused was counted when it was made."""
    RERUNS.labels(outcome).inc(count)
    RERUN_COST.inc(max(0.0, cost))


def shadow_search(outcome: str) -> None:
    """One of SHADOW_OUTCOMES."""
    SHADOW_SEARCHES.labels(outcome).inc()


def route(body: RouteTaken) -> None:
    ROUTES.labels(body.decided, body.taken, "no" if body.confidence is None else "yes").inc()


def pause(kind: str, outcome: str) -> None:
    PAUSES.labels(kind, outcome).inc()


def decision(body: Decision) -> None:
    DECISIONS.labels(body.control, body.outcome, reason_word(body)).inc()


def watched(owed: Iterable[Control], silent: Iterable[Control], seen: Decision) -> None:
    """What the policy saw of a turn that has its record now: what was due and what was silent."""
    for control in owed:
        DUE.labels(control).inc()
    for control in silent:
        MISSING.labels(control).inc()
    decision(seen)
    decision(Decision(control=Control.RECORD, outcome=Outcome.PASSED))


def turn(termination: Termination, ms: float) -> None:
    TURNS.labels(termination).inc()
    TURN_SECONDS.observe(ms / 1000)


def tool_call(tool: str, outcome: str) -> None:
    TOOL_CALLS.labels(tool, outcome).inc()


def model_call(body: ModelCall) -> None:
    MODEL_CALLS.labels(body.role, body.outcome).inc()
    MODEL_SECONDS.labels(body.role).observe(body.ms / 1000)
    spent(body)
    for name, count in body.tokens:
        TOKENS.labels(body.role, name).inc(max(0, count))


def spent(body: ModelCall) -> None:
    """The money of a call. What an endpoint reports is not believed."""
    COST.labels(body.role).inc(max(0.0, body.cost))


def limit(name: str, outcome: str) -> None:
    """`name` is one of LIMIT_NAMES, `outcome` one of LIMIT_OUTCOMES."""
    LIMITS.labels(name, outcome).inc()


def reason_word(body: Decision) -> str:
    """The stable word of a control that did not run; empty for one that ran.

    Of several reasons the first listed one counts. What is unknown is `other`, so that nothing
    that a model or a person wrote becomes a label.
    """
    if body.outcome in FAILED:
        words = re.findall(r"[a-z_]+", body.reason.lower()[:200])
        return next((fault for fault in FAULTS if fault in words), OTHER)
    if body.outcome is Outcome.SKIPPED:
        is_mode = body.reason.startswith("the mode ")
        return "mode" if is_mode else SKIPS.get(body.reason, OTHER)
    return ""


def _begin() -> None:
    """Everything that is known beforehand, at 0."""
    for termination in Termination:
        TURNS.labels(termination)
    for control in Control:
        DUE.labels(control)
        MISSING.labels(control)
        _begin_decisions(control)
    for role in get_args(ModelCall.model_fields["role"].annotation):
        _begin_role(role)
    for counter, outcomes in BY_OUTCOME.items():
        for outcome in outcomes:
            counter.labels(outcome)
    for error in ChatError.__subclasses__():
        REFUSED.labels(error.code)
    for name, outcome in itertools.product(LIMIT_NAMES, LIMIT_OUTCOMES):
        LIMITS.labels(name, outcome)


def _begin_decisions(control: Control) -> None:
    """Its outcomes, and each fault in the direction in which it fails."""
    for outcome in (Outcome.PASSED, Outcome.ACTED):
        DECISIONS.labels(control, outcome, "")
    for reason in FAULTS:
        DECISIONS.labels(control, failed(control), reason)


def _begin_role(role: str) -> None:
    for outcome in get_args(ModelCall.model_fields["outcome"].annotation):
        MODEL_CALLS.labels(role, outcome)
    MODEL_SECONDS.labels(role)
    COST.labels(role)
    for name in Tokens.model_fields:
        TOKENS.labels(role, name)


_begin()
