"""How a judge's verdicts are read: each belongs to one numbered claim, or to none.

Where a verdict contradicts itself the stricter side is taken: one that is wrongly strict costs a
correction, one that is wrongly kind shows an unfounded claim as a checked one. What the judge
left out, or said twice, nobody has decided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from chat.adapters.shapes import TEXT, Shape, Unusable, enum, text
from chat.agent.prompts.check import MOST_CLAIMS
from chat.contracts.tasks import CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.generation import label_of

BASES: Mapping[str, Basis] = {basis.value: basis for basis in Basis}
SUPPORT: Mapping[str, bool | None] = {
    "yes": True,
    "true": True,
    "no": False,
    "false": False,
    "unclear": None,
    "null": None,
}
UNFOUNDED = frozenset({Basis.NONE, Basis.GENERAL_KNOWLEDGE})

LEFT_OUT = "the judge gave no verdict on it"
TWICE = "the judge gave more than one verdict on it"
BEYOND = f"only the first {MOST_CLAIMS} claims are judged"
NOWHERE = "the judge named no passage that carries it"
_LONGEST_REASON = 300  # characters
_NUMBER = re.compile(r"\s*[\[(]?\s*([0-9]{1,4})\s*[\])]?\.?\s*")

_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "claim": {"type": "integer"},
    "passages": {"type": "array", "items": {"type": "integer"}},
    "basis": enum(*(basis.value.upper() for basis in Basis)),
    "reason": TEXT,
    "supported": enum("YES", "NO", "UNCLEAR"),
}


def check_of(task: CheckTask) -> Shape[tuple[ClaimVerdict, ...]]:
    """One verdict for each claim of the task, in its order."""
    asked = task.claims[:MOST_CLAIMS]

    def read(reply: Mapping[str, Any]) -> tuple[ClaimVerdict, ...]:
        entries = reply.get("verdicts")
        if not isinstance(entries, list) or len(entries) > 2 * MOST_CLAIMS:
            raise Unusable("verdicts must be a list with one entry for each claim")
        if asked and not entries:
            raise Unusable(f"verdicts is empty: give one for each of the claims 1 to {len(asked)}")
        given: dict[int, list[ClaimVerdict]] = {}
        for entry in entries:
            number = _claim_number(entry, len(asked))
            given.setdefault(number, []).append(_verdict(entry, asked[number - 1], task))
        judged = [_only(given.get(n, []), claim) for n, claim in enumerate(asked, start=1)]
        return (*judged, *(_undecided(claim, BEYOND) for claim in task.claims[MOST_CLAIMS:]))

    schema = Shape(_FIELDS, read).schema
    return Shape({"verdicts": {"type": "array", "items": schema}}, read)


def _only(given: list[ClaimVerdict], claim: str) -> ClaimVerdict:
    if len(given) == 1:
        return given[0]
    return _undecided(claim, TWICE if given else LEFT_OUT)


def _undecided(claim: str, reason: str) -> ClaimVerdict:
    return ClaimVerdict(
        text=claim,
        label=label_of(claim),
        basis=Basis.NONE,
        supported=None,
        by="judge",
        reason=reason,
    )


def _verdict(entry: Mapping[str, Any], claim: str, task: CheckTask) -> ClaimVerdict:
    basis, supported = _basis(entry), _supported(entry)
    passages, reason = _passages(entry, len(task.passages)), text(entry, "reason")
    if basis in UNFOUNDED and supported:
        supported = False  # what no passage carries is not supported, whatever stands beside it
    if supported and not passages and not task.images:
        supported, reason = None, NOWHERE
    return ClaimVerdict(
        text=claim,
        label=label_of(claim),
        basis=basis,
        supported=supported,
        by="judge",
        reason=reason[:_LONGEST_REASON],
        passages=passages if supported else (),
    )


def _claim_number(entry: Any, most: int) -> int:
    number = _number(entry.get("claim")) if isinstance(entry, Mapping) else None
    if number is None or not 1 <= number <= most:
        raise Unusable(f"claim in each entry of verdicts must be a number from 1 to {most}")
    return number


def _passages(entry: Mapping[str, Any], most: int) -> tuple[int, ...]:
    """The numbers that exist, each once. A list that is none names no passage."""
    given = entry.get("passages")
    numbers = map(_number, given if isinstance(given, list) else [given])
    return tuple(dict.fromkeys(n for n in numbers if n is not None and 1 <= n <= most))


def _number(given: Any) -> int | None:
    """3, `3` and `[3]` are the same number; true is none."""
    if isinstance(given, str) and (match := _NUMBER.fullmatch(given)):
        return int(match[1])
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _basis(entry: Mapping[str, Any]) -> Basis:
    """`General knowledge` and `general-knowledge` are the same word."""
    key = re.sub(r"[\s_-]+", "_", text(entry, "basis")).casefold()
    if key not in BASES:
        raise Unusable(f"basis must be one of {', '.join(BASES).upper()}")
    return BASES[key]


def _supported(entry: Mapping[str, Any]) -> bool | None:
    """A label, or the JSON value that means the same; an absent one is no verdict."""
    given = entry.get("supported", "")
    key = "null" if given is None else str(given).strip().casefold()
    if key not in SUPPORT:
        raise Unusable("supported must be one of YES, NO, UNCLEAR")
    return SUPPORT[key]
