"""What a sentence holds: a length of time, a price, a step and so on. Pure."""

from __future__ import annotations

import re

from chat.adapters.offline.expectation import Kind
from chat.adapters.offline.wordlists import NUMBER_WORDS, STEP_VERBS, UNIT_OF_TIME

_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(sorted(NUMBER_WORDS))})"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_CURRENCY = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|cents?|francs?|yen|rupees?|per ?cent)"
_LENGTH = rf"{_NUMBER}(?: (?:to|or|and|-|–) {_NUMBER})?[ -](?:more |full |further )?{UNIT_OF_TIME}"
_VERBS = "|".join(sorted(STEP_VERBS))

_HELD: dict[Kind, re.Pattern[str]] = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        Kind.DURATION: rf"\b{_LENGTH}\b"
        rf"|\b(?:every|each|per|several|within an?|for an?|about an?|a few|once an?)"
        rf" {UNIT_OF_TIME}\b"
        r"|\b(?:at once|immediately|instantly|overnight|around the clock|right away|permanently"
        r"|forever|indefinitely|24/7|until|hourly|daily|nightly|weekly|monthly|yearly)\b",
        Kind.MONEY: rf"[$€£¥]\s?\d|\b{_NUMBER}\s?{_CURRENCY}\b|\d\s?%|\b(?:eur|usd|gbp)\s?\d"
        r"|\b(?:free|costs? nothing|no (?:\w+ )?(?:charge|cost|fee)|at no cost|included"
        r"|without (?:a )?charge)\b",
        Kind.QUANTITY: rf"\d|\b(?:{_NUMBER}|any number|unlimited|no limit)\b",
        Kind.TIME: rf"\b(?:1\d|20)\d\d\b|\b\d{{1,2}}(?::\d\d| ?[ap]\.?m\b)|\b{_DAY}\b|\b{_MONTH}\b"
        rf"|\b{_LENGTH}\b"
        rf"|\b(?:every|each|last|next|first|same|on the|until|from the|(?:end|start|beginning) of"
        rf" the) (?:\w+ )?(?:{UNIT_OF_TIME}|{_DAY}|{_MONTH})\b"
        r"|\b(?:at once|immediately|midnight|noon|overnight|today|tomorrow|as soon as|once the"
        r"|after the|before the|at any time|centur(?:y|ies))\b",
        Kind.WAY: rf"(?:^|[,;:.] |\b(?:and|then|or|to|please|first|can|must|should|may) )"
        rf"(?:{_VERBS})\b|\bby \w+ing\b",
        Kind.REASON: r"\b(?:because|since|due to|so that|so|therefore|thus|as a result|in order to"
        r"|reasons?|caus(?:e|ed|es)|results? (?:in|from)|owing to"
        r"|to (?:keep|avoid|prevent|protect|ensure|make|allow|help)|le(?:d|ads?) to|if|when"
        r"|means)\b",
        Kind.OUTCOME: r"\b(?:if|when|once|after|then|until|unless|within|will|by itself)\b",
        Kind.CHOICE: r",[^,.]+(?:,| and | or )"
        r"|\b(?:or|either|both|one of|such as|including|namely|these|following)\b|:",
        Kind.MEANING: r"\b(?:is|are|was|were|means?|refers? to|stands? for|called|known as"
        r"|consists?|defined|asks?|lets?|allows?)\b",
    }.items()
}
_HELD |= {
    Kind.PLACE: re.compile(
        r"\b(?:[Ii]n|[Aa]t|on|from|to|near|into|of|between|across|under|Under|through|around|outside"
        r"|open|Open|choose) (?:the (?:\w+ )?)?[A-Z]\w+"
        r"|\b(?:located|situated|stored|found|pages?|panel|menu)\b|\b\w+\.(?:com|org|example|net|io)\b"
    ),
    Kind.PERSON: re.compile(
        r"[A-Z]\w+ [A-Z]\w+|^[A-Z]\w+ |\S+@\S+|\+?\d[\d ()-]{6,}\d|\bby [A-Z]\w+"
        r"|\b(?:[Ss]upport|[Tt]eam|[Oo]wners?|[Cc]ustomers?|[Ss]taff|[Ee]ngineers?|[Pp]eople)\b"
    ),
}

# `How long do I have` asks for a limit set to the person; `how long does it take` does not.
_ASKS_FOR_LIMIT = re.compile(
    r"\b(?:do|can|may|could|must|should|have) (?:i|we|you|one|customers?)\b"
    r"|\b(?:i|we) (?:have|can)\b"
    r"|\b(?:deadline|time limit|window|grace period|limit|notice)\b"
)
_LIMIT = re.compile(
    rf"\b(?:can|may|must|could|has to|have to|allow(?:ed|s)?|qualif\w+|eligible)\b[^.;]*"
    rf"(?:{_LENGTH}|until)|{_LENGTH} (?:to|notice|for)\b|\ballows? more\b",
    re.IGNORECASE,
)


def holds(sentence: str, kinds: frozenset[Kind]) -> bool:
    """Does the sentence hold one of the kinds? A yes or no, and anything, any sentence may hold."""
    if kinds & {Kind.ANY, Kind.YES_NO}:
        return True
    return any(_HELD[kind].search(sentence) for kind in kinds)


def answers_in_time(question: str, kinds: frozenset[Kind], sentence: str) -> bool:
    """False where the question asks how long something takes and the sentence only sets a limit.

    A refund that `can be asked for within 14 days` does not take 14 days.
    """
    if not kinds & {Kind.DURATION, Kind.TIME} or _ASKS_FOR_LIMIT.search(question.lower()):
        return True
    return bool(not _LIMIT.search(sentence))
