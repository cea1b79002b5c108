"""When the topic check pays for itself: off-topic questions against the loops they would run. Pure.

The check costs one model call a question. What it saves is, for each question that it turns away,
the whole loop that finds nothing. It therefore pays, in calls, once the share of off-topic
questions is above one divided by the calls of such a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from chat.contracts.verdicts import Termination

DAYS = timedelta(days=30)
FEWEST = 30  # questions below which a share says too little

FOUND_NOTHING = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
UNCHECKED = (Termination.GREETED, Termination.CRISIS)  # ended before the topic is looked at

CHECK = 1  # call a question, which is among the calls of a turn that found nothing

# With m rewrites a loop that finds nothing costs 2(m + 1) calls for grading and m for rewriting.
RULE_OF_THUMB = (
    "As a rule of thumb, in calls it pays from one off-topic question in 2 without rewrites, "
    "in 5 with one, in 8 with two and in 11 with three."
)


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """Questions that reached the check, and what those that found nothing took.

    `calls` and `cost` (US dollars) are means over `loops` turns, None without any; the check's own
    call is among them.
    """

    asked: int
    off_topic: int
    loops: int
    calls: float | None
    cost: Decimal | None
    in_chosen_days: bool = False

    @property
    def span(self) -> str:
        return "on the chosen days" if self.in_chosen_days else f"in the last {DAYS.days} days"

    @property
    def n(self) -> str:
        return f"{self.asked:,}"

    @property
    def share(self) -> float:
        """The part of the questions that was off topic; 0 of nothing."""
        return self.off_topic / self.asked if self.asked else 0.0

    @property
    def saved(self) -> float | None:
        """Calls that a question turned away saves: a loop without the check's own call."""
        if self.calls is None or self.calls <= CHECK:
            return None
        return float(self.calls) - CHECK

    @property
    def break_even(self) -> float | None:
        """The share above which the check pays; at 1 it never does. None: nobody can say."""
        if self.asked < FEWEST or self.saved is None:
            return None
        return min(1.0, CHECK / self.saved)

    @property
    def pays(self) -> bool:
        """Does it? False where nobody can say."""
        return self.break_even is not None and self.share > self.break_even

    @property
    def missing(self) -> str:
        """What is missing for a figure, as a sentence; empty where there is one."""
        if self.asked < FEWEST:
            return f"n = {self.n} {self.span}, too few to say whether the topic check pays."
        if self.saved is None:
            return f"No question ran a whole loop without a find {self.span} (n = {self.n})."
        return ""

    @property
    def rule_of_thumb(self) -> str:
        return RULE_OF_THUMB
