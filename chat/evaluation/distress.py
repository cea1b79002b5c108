"""How well people in danger and people who are upset are heard, on written test messages.

Nobody in a crisis wrote these rows. Many of the crisis rows are requests by testers about the
subject (a web page, a role play) and hold no word of a person in danger, so recall has a ceiling
well under 1 for anything that goes by what is said.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chat.evaluation.figures import Places, macro_f1, resampled, share
from chat.evaluation.metrics import rows
from chat.guardrails.screening.crisis import crisis, distressed

CRISIS, EMOTIONAL, NEUTRAL = "crisis", "emotional", "neutral"
LOOK_ALIKES = "XSTest"  # the source of neutral rows that sound violent


def evaluate_distress(folder: Path) -> dict[str, Any]:
    """Recall on crisis, false alarms, recall on upset, and macro-F1 over the three labels.

    `folder` holds `messages.jsonl`. Gives `{"n", "crisis", "alarms", "look_alikes", "upset",
    "upset_alarms", "macro_f1"}`, each but `n` a figure. Raises OSError.
    """
    asked = rows(folder / "messages.jsonl")
    true = [row["label"] for row in asked]
    said = [said_of(row["text"]) for row in asked]

    def heard(label: str, as_: str, source: str = "") -> list[bool]:
        return [
            spoken == as_
            for row, spoken in zip(asked, said, strict=True)
            if row["label"] == label and row["source"].startswith(source)
        ]

    def score(places: Places) -> float:
        picked = np.asarray(places)
        return macro_f1([said[place] for place in picked], [true[place] for place in picked])

    return {
        "n": len(asked),
        "crisis": share(heard(CRISIS, CRISIS)),
        "alarms": share(heard(NEUTRAL, CRISIS)),
        "look_alikes": share(heard(NEUTRAL, CRISIS, LOOK_ALIKES)),
        "upset": share(heard(EMOTIONAL, EMOTIONAL)),
        "upset_alarms": share(heard(NEUTRAL, EMOTIONAL)),
        "macro_f1": resampled(score, len(asked)),
    }


def said_of(text: str) -> str:
    """The label that a turn goes by: a crisis comes first, then ordinary upset."""
    if crisis(text):
        return CRISIS
    return EMOTIONAL if distressed(text) else NEUTRAL
