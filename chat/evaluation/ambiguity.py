"""How often a question is asked back by code, where people found it answerable and where not.

Code asks only where nothing in a question can be looked up, which is narrower than the set's
label: "when was the apple product launched?" names a thing, is searched, and counts as missed
here. A low recall is the price of not asking too much.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chat.contracts.verdicts import Clarity
from chat.evaluation.figures import share
from chat.evaluation.metrics import rows
from chat.guardrails.questions.vagueness import clarity

UNDERSPECIFIED = "UNDERSPECIFIED"


def evaluate_ambiguity(folder: Path) -> dict[str, Any]:
    """`{"n", "over_asking", "recall", "undecided"}`, each but `n` a share. Raises OSError.

    `over_asking` is of the rows that are not underspecified, `recall` of those that are, and
    `undecided` of all: what code leaves to a model. `folder` holds `tasks.jsonl`.
    """
    asked = rows(folder / "tasks.jsonl")
    said = [clarity(row["question"], has_history=bool(row["history"])) for row in asked]
    open_ = [row["answerability"] == UNDERSPECIFIED for row in asked]
    pairs = list(zip(said, open_, strict=True))
    return {
        "n": len(asked),
        "over_asking": share([verdict is Clarity.VAGUE for verdict, vague in pairs if not vague]),
        "recall": share([verdict is Clarity.VAGUE for verdict, vague in pairs if vague]),
        "undecided": share([verdict is None for verdict in said]),
    }
