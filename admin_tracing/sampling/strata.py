"""The strata: every ended turn of people falls into one, the first that fits. Pure.

They depend on what a turn's end has sealed and on nothing that may change later, so that it makes
no difference when a turn is looked at. A vote is therefore no stratum (docs/labelling.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from chat.contracts.verdicts import Confidence, Route, Termination

ANSWERED = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
CAPS = (
    *(Termination.PASS_CAP, Termination.TOKEN_CAP, Termination.COST_CAP),
    *(Termination.TIME_CAP, Termination.TOOL_CAP),
)
FOUND_NOTHING = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)


class Stratum(StrEnum):
    """The strata in the order in which they are tried."""

    JUDGED_BAD = "judged_bad"
    LOW_CONFIDENCE = "low_confidence"
    BUDGET_ENDED = "budget_ended"
    OFF_TOPIC = "off_topic"
    RESTRICTED = "restricted"
    DIRECT = "direct"
    CLARIFICATION = "clarification"
    NO_RESULTS = "no_results"
    REST = "rest"


THUMBS_DOWN = "thumbs_down"
"""Where a turn in the queue comes from that a person voted down; no stratum."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What is looked at of an ended turn; names are those of its columns.

    `unchecked`: the grounding check could not run, or ought to have and left no decision.
    """

    termination: str
    route_taken: str = ""
    confidence: str = ""
    unsupported: int = 0
    asked_back: int = 0
    unchecked: bool = False


_FITS: dict[Stratum, Callable[[Ended], bool]] = {
    Stratum.JUDGED_BAD: lambda turn: (
        turn.unsupported > 0 or turn.unchecked or turn.termination == Termination.GATE_BLOCKED
    ),
    Stratum.LOW_CONFIDENCE: lambda turn: turn.confidence == Confidence.LOW,
    Stratum.BUDGET_ENDED: lambda turn: turn.termination in CAPS,
    Stratum.OFF_TOPIC: lambda turn: turn.termination == Termination.OFF_TOPIC,
    Stratum.RESTRICTED: lambda turn: turn.termination == Termination.RESTRICTED,
    Stratum.DIRECT: lambda turn: turn.route_taken == Route.DIRECT and turn.termination in ANSWERED,
    Stratum.CLARIFICATION: lambda turn: (
        turn.asked_back > 0 or turn.termination == Termination.CLARIFICATION_EXPIRED
    ),
    Stratum.NO_RESULTS: lambda turn: turn.termination in FOUND_NOTHING,
    Stratum.REST: lambda _turn: True,
}


def stratum_of(turn: Ended) -> Stratum:
    """The first stratum that fits; `REST` fits everything."""
    return next(stratum for stratum in Stratum if _FITS[stratum](turn))
