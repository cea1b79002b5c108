"""What kind of thing a question asks for, read from its wording. Pure.

A question may expect several kinds (`how much traffic` may mean money or an amount). `ANY` is
expected when the wording does not say.
"""

from __future__ import annotations

import re
from enum import StrEnum

from chat.adapters.offline.text import spelt_out
from chat.adapters.offline.wordlists import STEP_VERBS, UNIT_OF_TIME


class Kind(StrEnum):
    """A kind of answer; the value is how a reason names it."""

    DURATION = "length of time"
    MONEY = "price"
    QUANTITY = "number"
    TIME = "date or time"
    PLACE = "place"
    WAY = "way to do it"
    REASON = "reason"
    OUTCOME = "outcome"
    PERSON = "person or contact"
    CHOICE = "choice or list"
    MEANING = "description"
    YES_NO = "yes or no"
    ANY = "answer"


STRICT = frozenset({Kind.DURATION, Kind.MONEY, Kind.QUANTITY})
"""Kinds that a sentence must show. The others can be put in any words: `when` may be answered by
a circumstance as well as by a date."""

_OUTRIGHT = STRICT | {Kind.TIME}
"""Kinds that win over what the wording merely allows."""

_AUXILIARY = (
    r"(?:can|could|do|does|did|is|are|was|were|will|would|should|may|must|has|have|am|isn't|"
    r"aren't|don't|doesn't|can't|won't)"
)
_VERBS = "|".join(sorted(STEP_VERBS))
_ORDER = re.compile(
    rf"^(?:please |help me (?:to )?|i (?:want|need|have|would like) to |need to |trying to )?"
    rf"(?:{_VERBS})\b"
)

# Held against the question in full spelling and lower case; all that fit count.
_ASKED: dict[Kind, re.Pattern[str]] = {
    Kind.DURATION: re.compile(
        rf"\bhow (?:long|fast|quick(?:ly)?|soon|often|frequently|many (?:more )?{UNIT_OF_TIME})\b"
        r"|\b(?:duration|deadline|time limit|window|grace period|waiting time|response times?"
        r"|how much time|retention|until when)\b"
    ),
    Kind.MONEY: re.compile(
        r"\bhow (?:much|expensive|cheap)\b|\b(?:prices?|pricing|costs?|costing|fees?|charge for"
        r"|cheap(?:est|er)?|expensive|surcharges?|tariffs?|rates?)\b"
    ),
    Kind.QUANTITY: re.compile(
        r"\bhow (?:much|many|big|large|high|tall|wide|deep|far|old|heavy|fast)\b"
        r"|\b(?:number of|amount of|limits?|maximum|minimum|percentage|population)\b"
    ),
    Kind.TIME: re.compile(
        r"\bwhen\b|\bwhat (?:time|day|date|year|month|century|hours)\b"
        r"|\bwhich (?:day|date|year|month)\b|\b(?:opening|office|business|support) hours\b"
    ),
    Kind.PLACE: re.compile(
        r"\bwhere\b"
        r"|\b(?:which|what) (?:country|city|town|state|place|location|region|part|page)\b"
    ),
    Kind.REASON: re.compile(r"\bwhy\b|\bhow come\b|\bwhat (?:causes?|caused)\b|\breason\b"),
    Kind.OUTCOME: re.compile(
        r"\bwhat (?:happens?|happened|will happen|if|now|next|then|about)\b|\bconsequences?\b"
    ),
    Kind.PERSON: re.compile(r"\bwho(?:m|se)?\b|\b(?:phone|telephone|contact) (?:number|address)\b"),
    Kind.WAY: re.compile(
        r"\bhow (?:do|does|did|can|could|to|should|would|is|are|i|you|we)\b|\bhow$"
        r"|\b(?:steps?|instructions?|procedure|guide|help|way to)\b"
    ),
    Kind.CHOICE: re.compile(
        r"\b(?:which|what) (?!(?:is|are|was|were|does|do|did|if|about|happens?)\b)\w+"
        r"|\b\w+ or \w+\b|\b(?:list of|options?|kinds? of|types? of|available)\b"
    ),
    Kind.MEANING: re.compile(
        r"\bwhat(?:'s)? (?:is|are|was|were|does|do|did|the|a|an)\b"
        r"|\b(?:meaning|means?|define|definition|explain|describe|differences?)\b"
    ),
}
_YES_NO = re.compile(rf"(?:^|[,.;?!] |\b(?:and|so|or|but) ){_AUXILIARY} \w+")


def expected(question: str) -> frozenset[Kind]:
    """The kinds that would answer the question; `ANY` alone when the wording does not say."""
    text = spelt_out(question).lower().rstrip("?!. ")
    kinds = {kind for kind, pattern in _ASKED.items() if pattern.search(text)}
    if _YES_NO.search(text) and not kinds - {Kind.CHOICE}:
        return frozenset({Kind.YES_NO})
    if kinds & _OUTRIGHT:
        return frozenset(kinds & _OUTRIGHT)
    if not kinds:
        return frozenset({Kind.WAY if _ORDER.match(text) else Kind.ANY})
    return frozenset(kinds - {Kind.MEANING} or kinds)
