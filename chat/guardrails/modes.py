"""What each mode leaves out and in which tone it answers, as one table.

A mode follows from the message alone. Nothing that keeps an answer true is ever skipped on the
way to one: only a crisis skips grounding, because nothing is searched or written there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from chat.contracts.verdicts import Intent, Level, Mode


class Skip(StrEnum):
    """What a mode may leave out."""

    TOPIC = "topic"
    AMBIGUITY = "ambiguity"
    CLARIFICATION = "clarification"
    ROUTER = "router"
    RETRIEVAL = "retrieval"
    GROUNDING = "grounding"
    CAVEATS = "caveats"


@dataclass(frozen=True, slots=True)
class ModePolicy:
    """One row: what is skipped, the tone as an instruction to who writes, and the reason."""

    skips: frozenset[Skip]
    tone: str
    why: str


MODES: dict[Mode, ModePolicy] = {
    Mode.STANDARD: ModePolicy(
        frozenset(),
        "Answer in a few plain sentences.",
        "Every check runs.",
    ),
    Mode.DETAILED: ModePolicy(
        frozenset(),
        "Answer fully and in order, with each step or condition that the passages give.",
        "A long answer has more to check, so nothing is skipped.",
    ),
    Mode.TASK: ModePolicy(
        frozenset({Skip.AMBIGUITY, Skip.CLARIFICATION}),
        "Say what will be done or was done, and nothing beside it.",
        "A tool names what it lacks, and an action waits for the person's yes.",
    ),
    Mode.DOCUMENT: ModePolicy(
        frozenset({Skip.TOPIC, Skip.AMBIGUITY, Skip.CLARIFICATION, Skip.ROUTER}),
        "Answer from the document that the person brought, and name its parts.",
        "What was pasted is the topic, and it has to be searched whatever a router thinks.",
    ),
    Mode.SUPPORTIVE: ModePolicy(
        frozenset({Skip.CLARIFICATION, Skip.CAVEATS}),
        "Begin with one warm sentence that takes the trouble seriously, then give the first thing "
        "to do. Short sentences, no blame, no hedging.",
        "Somebody who is upset needs a next step, neither a menu nor hedging.",
    ),
    Mode.CRISIS: ModePolicy(
        frozenset(Skip),
        "A fixed text speaks.",
        "A person comes first: no search, no model, no question back.",
    ),
}

_DETAIL = re.compile(
    r"\b(?:in (?:full |great |more |depth )?detail|detailed|in depth|in-depth|step[- ]by[- ]step"
    r"|(?:each|every|all(?: of)?(?: the)?) steps?|fully|thorough(?:ly)?|comprehensive(?:ly)?|at "
    r"length|walk me through|guide me through|everything (?:about|there is)|complete (?:guide"
    r"|explanation|list)|long answer|elaborate|(?:tell|show|say|explain) (?:me |us )?"
    r"(?:a bit |a little |some )?more|(?:more|further) details?)\b",
    re.IGNORECASE,
)
_DONE_FULLY = re.compile(
    r"\bfully (?:managed|qualified|booked|paid|refunded|funded|used|automat)", re.I
)

_BY_INTENT = {Intent.CRISIS: Mode.CRISIS, Intent.DOCUMENT: Mode.DOCUMENT}


def mode_of(question: str, *, intent: Intent, distressed: bool) -> Mode:
    """The mode of a turn. A crisis comes first, then a document, then how the person feels."""
    if intent in _BY_INTENT:
        return _BY_INTENT[intent]
    if distressed:
        return Mode.SUPPORTIVE
    if intent is Intent.ACTION:
        return Mode.TASK
    if _DETAIL.search(question) and not _DONE_FULLY.search(question):
        return Mode.DETAILED
    return Mode.STANDARD


def context_level(history_length: int, intent: Intent) -> Level:
    """How much a turn stands on what was said before. `history_length` counts earlier turns.

    HIGH for a follow-up with a history, MEDIUM where there is one, LOW on a first turn.
    """
    if history_length <= 0:
        return Level.LOW
    return Level.HIGH if intent is Intent.FOLLOW_UP else Level.MEDIUM
