"""What a text may say without a source: thanks, greetings, questions back and offers to look.

A draft that was written with no document is held against this. Only what is surely free of
facts passes: an unsure sentence counts as a claim, and the question is searched after all.
"""

from __future__ import annotations

import re

from chat.guardrails.drafts.quotes import sentences
from chat.guardrails.sequences import is_sequence
from chat.guardrails.wordlists import GREETING_PATTERNS

_LONGEST = 30  # words; a longer sentence says more than a courtesy

_MARKUP = re.compile(r"\[\d+\]|[*_`]+")
_PARTS = re.compile(r"[,.;:!…–—\n()\"“”]+|\s-\s")
_NOT_WORDS = re.compile(r"[^\w\s']+")

_POLITE = (
    r"(?:thanks|thank you)(?: (?:so much|very much))?(?: for \w+(?: \w+){0,3})?",
    r"you(?:'re| are) (?:very |most |always )?welcome(?: back)?",
    r"(?:i'?m|i am|we'?re|we are)? ?(?:always |very )?(?:glad|happy|pleased) (?:to (?:help|hear"
    r"(?: that| it)?|assist|meet you)(?: you)?(?: with that| today| further)?|that helped"
    r"|i could help|you asked)",
    r"(?:i'?m|i am|we'?re|we are) (?:always )?here (?:to help(?: you)?|for you"
    r"|if you need (?:me|us))",
    r"(?:sure|certainly|of course|all right|okay|ok|yes|no|great|good|hello|goodbye|please|well)",
    r"(?:that|this) (?:sounds|must be|is) (?:very |really |quite )?(?:hard|stressful|worrying"
    r"|frustrating|upsetting|difficult|a lot(?: to deal with)?)(?: (?:for you|to hear))?",
    r"(?:it is|it's) (?:good|right) that you (?:asked|wrote|said so)",
    r"(?:so )?(?:here|this) is what (?:the documents say|can be done|was found|i found)",
    r"(?:please )?take (?:care|your time)",
    r"i (?:do not|don't|cannot|can't) (?:know|say)(?: that)?",
)

# An offer: how it begins, then words that add nothing, then perhaps what it is about.
_OFFERS = (
    r"i (?:can|could|will|would be able to|am able to|am happy to|'ll)(?: also| gladly)?"
    r" (?:look|search|check|find|help|try|answer|read|see|do)",
    r"(?:please |just |do )?(?:let me (?:know|look|check|search)|feel free to|go ahead and)",
    r"(?:please |just |you can |you could |you may )?(?:ask|tell me|name|say|write|type|try)",
    r"(?:if|when|whenever) (?:you (?:like|want|wish|have|need)|there is)",
)
_EMPTY = (
    r"(?:a|about|again|an|all|and|another|any|anything|answers?|area|ask|asking|at|away|can|could"
    r"|details?|documents?|down|each|else|exactly|for|from|further|give|handbook|have|help|here|how"
    r"|i|if|in|into|is|it|its|kind|know|like|look|looking|matter|may|me|moment|more|my|name|need"
    r"|now|of|on|ones?|or|others?|out|own|passages?|please|product|questions?|say|search|sentence"
    r"|see|show|so|something|sources?|stands|step|tell|that|the|them|there|these|things?|this"
    r"|those|time|to|topics?|try|up|us|want|way|what|when|whenever|where|whether|which|wish|with"
    r"|words|would|you|your)"
)
_TOPIC = r"(?:about|regarding|with|on|concerning)"
# Words that turn a topic into a statement.
_STATES = re.compile(
    r"\b(?:is|are|was|were|be|takes?|costs?|has|have|had|gets?|will|would|must|should|does|do|did"
    r"|that|which|who|because|since|free|included|not|no|never|always|only|every|within|after"
    r"|before|until|per|one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand"
    r"|half|twice|once|daily|weekly|monthly|yearly)\b"
)
_FEW = 8  # words of a topic

_GREETING = "|".join(f"(?:{pattern})" for pattern in (*GREETING_PATTERNS, *_POLITE))
_GREETS = re.compile(f"(?:and |so |but )?(?:{_GREETING})")
_OFFER = re.compile(
    rf"(?:and |so |or |then )?(?:{'|'.join(_OFFERS)})(?: {_EMPTY})*(?: {_TOPIC} (?P<topic>.+))?"
)
_ADDED = re.compile(rf"(?:and |or )?{_EMPTY}(?: {_EMPTY})*")

_FIGURE = re.compile(r"\d|[€$£¥%]")
_NAME = re.compile(r"(?<=[a-z,;:] )(?!I\b)[A-Z]\w*")
# A question that tells something before it asks.
_TELLS = re.compile(
    r"\b(?:did|do) you know (?:that|how|when|the|our|we|you)\b|\b(?:right|correct|isn't it"
    r"|aren't they|don't they|doesn't it)\s*\?|\b(?:since|because|given that|as)\b",
    re.IGNORECASE,
)


def makes_claims(text: str) -> bool:
    """Does a text that was written with no document claim anything? Unsure means yes."""
    return any(_claims(_MARKUP.sub(" ", sentence).strip()) for sentence in sentences(text))


def is_courtesy(sentence: str) -> bool:
    """Is a sentence that asks nothing a greeting, thanks, a kind word or an offer, and no more?"""
    text = _MARKUP.sub(" ", sentence).strip()
    if _FIGURE.search(text) or _NAME.search(text):
        return False
    lowered = text.casefold().replace("’", "'")
    parts = [_plain(part) for part in _PARTS.split(lowered)]
    parts = [part for part in parts if part]
    if sum(len(part.split()) for part in parts) > _LONGEST:
        return False
    return _is_polite(parts) or _is_offer(parts)


def _claims(sentence: str) -> bool:
    if not any(sign.isalnum() for sign in sentence):
        return False
    if sentence.rstrip("\"'”’) ").endswith("?"):
        told = _FIGURE.search(sentence) or _NAME.search(sentence) or _TELLS.search(sentence)
        return told is not None
    return not is_courtesy(sentence)


def _is_polite(parts: list[str]) -> bool:
    return all(is_sequence(_GREETS, part) for part in parts)


def _is_offer(parts: list[str]) -> bool:
    """Courtesies, then an offer; what follows a comma adds a topic or nothing."""
    offered = topical = False
    for part in parts:
        found = _OFFER.fullmatch(part)
        if found:
            offered, topical = True, bool(found["topic"])
            if topical and not _is_topic(found["topic"]):
                return False
        elif not (is_sequence(_GREETS, part) or (offered and _adds_nothing(part, topical))):
            return False
    return offered


def _adds_nothing(part: str, topical: bool) -> bool:
    return _ADDED.fullmatch(part) is not None or (topical and _is_topic(part))


def _is_topic(words: str) -> bool:
    return len(words.split()) <= _FEW and _STATES.search(words) is None


def _plain(part: str) -> str:
    return " ".join(_NOT_WORDS.sub(" ", part).split())
