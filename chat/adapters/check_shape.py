"""How a judge's list of claims is read.

Where the list contradicts itself the stricter side is taken: a verdict that is wrongly strict
costs a correction, one that is wrongly kind shows an unfounded claim as a checked one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from chat.adapters.shapes import TEXT, Shape, Unusable, enum, text
from chat.agent.prompts.check import LABEL_WORDS
from chat.contracts.verdicts import Basis, ClaimVerdict

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

MOST_CLAIMS = 60
_LONGEST_CLAIM = 1_000  # characters
_LONGEST_REASON = 300
_NO_LABEL = "a figure"
_MARKER = re.compile(r"\[\d+\]")


def check_of(draft: str) -> Shape[tuple[ClaimVerdict, ...]]:
    """The claims of this draft, in the judge's order."""

    def read(reply: Mapping[str, Any]) -> tuple[ClaimVerdict, ...]:
        given = reply.get("claims")
        if not isinstance(given, list) or len(given) > MOST_CLAIMS:
            raise Unusable(f"claims must be a list of at most {MOST_CLAIMS} entries")
        if not given and _MARKER.search(draft):
            raise Unusable("the draft cites passages, so it makes claims: list them in claims")
        return tuple(_claim(entry) for entry in given)

    return Shape({"claims": {"type": "array", "items": _ENTRY.schema}}, read)


def short_label(given: str, claim: str) -> str:
    """At most eight words and no figure, of the label or else of the claim itself."""
    for words in (given.split(), claim.split()):
        kept = [word for word in words if _is_a_word(word)]
        if kept:
            return " ".join(kept[:LABEL_WORDS])
    return _NO_LABEL


def _claim(entry: Any) -> ClaimVerdict:
    if not isinstance(entry, Mapping) or not (sentence := text(entry, "text")):
        raise Unusable("each entry of claims needs the sentence of the draft in text")
    return ClaimVerdict(
        text=sentence[:_LONGEST_CLAIM],
        label=short_label(text(entry, "label"), sentence),
        basis=(basis := _basis(entry)),
        supported=_supported(entry) if basis not in UNFOUNDED else _not_yes(_supported(entry)),
        by="judge",
        reason=text(entry, "reason")[:_LONGEST_REASON],
    )


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


def _not_yes(supported: bool | None) -> bool | None:
    """What no passage carries is not supported, whatever the judge says beside it."""
    return False if supported else supported


def _is_a_word(word: str) -> bool:
    return any(char.isalpha() for char in word) and not any(char.isnumeric() for char in word)


_ENTRY: Shape[ClaimVerdict] = Shape(
    {
        "text": TEXT,
        "label": TEXT,
        "basis": enum(*(basis.value.upper() for basis in Basis)),
        "reason": TEXT,
        "supported": enum("YES", "NO", "UNCLEAR"),
    },
    _claim,
)
