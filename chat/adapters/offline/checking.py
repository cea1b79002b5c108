"""Is a claim carried by a passage? Code first, then by the words that both hold.

A passage carries a claim if it holds nearly all that the claim says and every figure of it.
Words that are put in another way are believed as far as their vectors are near.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chat.adapters.offline.reading import Question, Read, Reader
from chat.adapters.offline.text import clipped, words
from chat.adapters.offline.wordlists import NUMBER_WORDS
from chat.contracts.tasks import CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails import generation as claims

# Of a claim's words, rare ones more, that one passage has to hold. Chosen between 0.6 and 0.8,
# where every second row of attributionbench (187) gives a balanced accuracy of 0.76 to 0.71: a
# false yes costs more than a false no.
ENOUGH = 0.7

_NUMBER_WORDS = NUMBER_WORDS - {"one", "once", "single", "both", "several", "couple", "half"}


def check(task: CheckTask, reader: Reader) -> tuple[ClaimVerdict, ...]:
    """Every claim of the draft with a verdict; none is left undecided."""
    reads = [reader.passage(passage) for passage in task.passages]
    verdicts = claims.verify(task.draft, task.passages, task.question)
    return tuple(
        _judged(verdict, reads, reader) if verdict.supported is None else verdict
        for verdict in verdicts
    )


def _judged(verdict: ClaimVerdict, reads: Sequence[Read], reader: Reader) -> ClaimVerdict:
    claim = reader.statement(verdict.text)
    shares = [_share(claim, read, reader) for read in reads]
    best = max(range(len(reads)), key=lambda place: shares[place], default=None)
    supported = best is not None and shares[best] >= ENOUGH
    if best is None:
        reason = "there is no passage to hold it against"
    else:
        said = clipped(reads[best].passage.heading or reads[best].passage.title, 60)
        reason = f"{shares[best]:.0%} of its words stand in “{said}”"
    return verdict.model_copy(
        update={
            "basis": Basis.SOURCE if supported else Basis.NONE,
            "supported": supported,
            "by": "judge",
            "reason": reason,
        }
    )


def _share(claim: Question, read: Read, reader: Reader) -> float:
    """The share of the claim's words, by weight, that the passage holds; 0 if it lacks a figure."""
    if not _figures(claim.text) <= _figures(_whole(read)):
        return 0.0
    if not claim.words:
        return 1.0 if set(words(claim.text)) <= set(words(_whole(read))) else 0.0
    weights = claim.weights + np.float32(0.1)  # so that a word that all passages hold counts too
    return float(reader.coverage(claim, read) @ weights / weights.sum())


def _whole(read: Read) -> str:
    return "\n".join((read.passage.title, read.passage.heading, read.passage.text))


def _figures(text: str) -> set[str]:
    return {word for word in words(text) if word[0].isdigit() or word in _NUMBER_WORDS}
