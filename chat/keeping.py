"""What may be kept of a text that somebody typed, and who may read it: before its first write."""

from __future__ import annotations

from chat import counters
from chat.contracts.errors import RedactionFailed
from chat.contracts.verdicts import Control
from chat.guardrails.input import KINDS, Redacted, redact
from chat.guardrails.personal_data.health import tells_health
from chat.guardrails.policy import guard_now
from chat.guardrails.screening.crisis import crisis


def screened(text: str) -> Redacted:
    """The text without what may not be kept. Raises `RedactionFailed` if that is unknown."""
    done = guard_now(
        lambda: redact(text), fallback=None, sane=lambda value: isinstance(value, Redacted)
    )
    if done.value is None:
        counters.decision(done.decision(Control.REDACTION, acted=False))  # no turn begins to tell
        raise RedactionFailed
    return done.value


def tells_of_health(text: str) -> bool:
    """Does it tell of somebody's health, or of a life in danger? Where that cannot be said, fewer
    people read it."""
    asked = guard_now(
        lambda: tells_health(text) or crisis(text),
        fallback=True,
        sane=lambda value: isinstance(value, bool),
    )
    return asked.value


def redactions_in(text: str) -> dict[str, int]:
    """What redaction took out of a stored text, by its placeholders."""
    return {kind: count for kind in KINDS if (count := text.count(f"[{kind}]"))}
