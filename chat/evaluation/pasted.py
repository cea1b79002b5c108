"""How well pasted documents are told from long messages.

Taking a message for a document is the harmful mistake: the person's own words would be searched
like a text of somebody else. The labels are the nature of the sources.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chat.evaluation.figures import Places, resampled, share
from chat.evaluation.metrics import rows
from chat.guardrails.screening.paste import pasted

DOCUMENT = "document"


def evaluate_doc_paste(folder: Path) -> dict[str, Any]:
    """`{"n", "balanced", "documents", "messages"}`: balanced accuracy, the share of documents
    that are found, and the share of messages that are taken for one. Raises OSError.

    `folder` holds `texts.jsonl`.
    """
    asked = rows(folder / "texts.jsonl")
    true = np.array([row["label"] == DOCUMENT for row in asked])
    said = np.array([pasted(row["text"]) is not None for row in asked])

    def balanced(places: Places) -> float:
        document, taken = true[places], said[places]
        if document.all() or not document.any():
            raise ValueError("both kinds are needed")
        return float((taken[document].mean() + (~taken[~document]).mean()) / 2)

    return {
        "n": len(asked),
        "balanced": resampled(balanced, len(asked)),
        "documents": share(said[true]),
        "messages": share(said[~true]),
    }
