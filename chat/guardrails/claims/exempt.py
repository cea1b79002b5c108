"""Claims that the settings never flag: the domain's own terms, well-known steps, named statutes.

None of them may hold a figure of its own: a figure needs a source whatever stands around it.
"""

from __future__ import annotations

import re

from chat.contracts.site_rules import NeverFlagged
from chat.guardrails.claims.names import unheld_name
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.sources import Sources
from chat.guardrails.claims.words import plain, stems

TERM, PROCEDURE, STATUTE = "a term of the domain", "a well-known step", "a named statute"

_DEFINES = re.compile(
    r"(?:,? (?:\([^()]{1,40}\) )?)(?:is|are|means?|refers? to|stands? for|describes?|denotes?)\b"
)
_LEAD = re.compile(r"(?:an?|the|in \w+(?: \w+)?,|here,?|note that|simply put,)\s+")
# What may stand around a step, and around the name of a law, without adding a fact.
_AROUND_STEP = frozenset(
    stem
    for word in "first then next finally again step need want go make sure try simply please start "
    "begin before after that once can should must may could will to not if when and or".split()
    for stem in (*stems(word), word)
)
_AROUND_STATUTE = frozenset(
    stem
    for word in "law act statute regulation rule apply applies govern cover under comply "
    "compliance subject see regulate protect right consumer section set out lay down fall "
    "relevant also may can such by here follow accordance line base".split()
    for stem in (*stems(word), word)
)


def exempt(claim: str, rules: NeverFlagged, sources: Sources) -> str:
    """Why a claim is never flagged, or nothing."""
    said = plain(claim)
    for statute in rules.statutes:
        name = plain(statute).strip()
        if name and name in said:
            rest = said.replace(name, " ")
            return STATUTE if not find(rest) and _adds_nothing(rest, sources) else ""
    if not (rules.terms or rules.procedures) or find(claim):
        return ""
    if any(_defines(said, plain(term).strip()) for term in rules.terms):
        return "" if unheld_name(claim, (), sources) else TERM
    if rules.procedures and _is_step(claim, rules.procedures):
        return PROCEDURE
    return ""


def _defines(said: str, term: str) -> bool:
    """`A sprint is ...`: the claim begins with the term, and says what it is."""
    lead = _LEAD.match(said)
    bare = (said[lead.end() :] if lead else said).lstrip("*_`\"'\u201c ")
    if not term or not bare.startswith(term):
        return False
    rest = bare[len(term) :].lstrip("*_`\"'\u201d")
    return _DEFINES.match(rest.removeprefix("s")) is not None


def _is_step(claim: str, procedures: tuple[str, ...]) -> bool:
    """Every word of the claim is one of a step's, and one step is there in full."""
    words = set(stems(claim)) - _AROUND_STEP
    steps = [frozenset(stems(step)) - _AROUND_STEP for step in procedures]
    there = [step for step in steps if step and step <= words]
    return bool(there) and words <= frozenset().union(*there)


def _adds_nothing(rest: str, sources: Sources) -> bool:
    """Beside the law's name there are only words that name it, or that the sources hold."""
    return all(
        word in _AROUND_STATUTE or sources.holds_word(word[: max(3, len(word) - 1)])
        for word in stems(rest)
    )
