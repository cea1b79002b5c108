"""Folds earlier questions into a follow-up, by code: what it leaves out is taken from the last one.

A follow-up is told by what it lacks: it points back with a pronoun, names only a new aspect
(`what about Sydney`), or asks without a thing (`how much?`). Anything else stands as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.adapters.offline.reading import Memory
from chat.adapters.offline.text import content, plain, words
from chat.contracts.tasks import Exchange

LONGEST_TOPIC = 8  # words of the last question that stand in for a pronoun
ALIKE = 0.45  # cosine of two words from which one takes the other's place

_ASKS_MORE = re.compile(
    r"^(?:(?:tell|show|explain)(?: me)? (?:a bit |a little )?more(?: about (?:it|that|this))?|go on"
    r"|more|continue|and|(?:more |further )?details?|elaborate|please explain|i see)[.!? ]*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:and|or|but|so|then|ok|okay|right|also|well|hm+|plus|yes|no|thanks|thank you)[, ]+)*"
    r"(?:(?:what|how) about|what if it's|same for|and for|and in|and with)? ?",
    re.IGNORECASE,
)
_ASPECT = re.compile(
    r"^(?:(?:and|or|but|so|then|ok|okay|also|plus)[, ]+)*"
    r"(?:(?:what|how) about|same (?:for|with|in))\b"
    r"|^(?:and|or) (?!(?:what|how|when|where|why|who|which|can|could|do|does|is|are|will)\b)",
    re.IGNORECASE,
)
_MEASURE = frozenset(
    "long much many often soon fast big large expensive cheap cost costs price work works".split()
)
_TRAILING = re.compile(
    r" (?:takes?|costs?|works?|done|made|happens?|means?|last|available)$", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"^(?:in|for|with|by|on|at|from|to|under|after|before|without|via)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|that one|this one|the same)\b"
    r"|\b(?:this|that|these|those)\b(?=[?.,!]|$| (?:is|was|are|were|will|would|can|cost|costs|mean"
    r"|means|take|takes|work|works|too|for|in|with|on|by)\b)",
    re.IGNORECASE,
)
# An `it` that only fills a place, or a `that` that joins two clauses, points at nothing.
_EMPTY = re.compile(
    r"\bis it (?:possible|ok|okay|true)(?: (?:to|that))?\b|\bit (?:depends|rains|seems)\b"
    r"|\b(?:so|sure|know|think|say|says|said|hope|means?|possible) that\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]+|(?<=^ )[A-Z][a-z]+")
_ASKING = re.compile(
    r"^(?:(?:so|and|but|please|hi|hello|ok|okay)[, ]+)*"
    r"(?:(?:what|which|how|when|where|why|who|whose)(?:'s)?"
    r"(?: (?:much|many|long|often|soon|far|fast))?"
    r"(?: (?:is|are|was|were|do|does|did|can|could|will|would|should|must|to|happens?|if|when))*"
    r"|can|could|do|does|did|is|are|was|were|will|would|should|may|must|has|have|tell me|show me"
    r"|i (?:want|need|would like|have)|help(?: me)?(?: with)?)"
    r"(?: (?:i|you|we|they|it|there|one))?(?: (?:get|have|to|use|do|offer|know|find))*"
    r"(?: (?:a|an|the|my|your|our|any|some))?\s+",
    re.IGNORECASE,
)


def standalone(question: str, history: Sequence[Exchange], memory: Memory) -> str:
    """The question as it would be typed without the earlier ones, oldest first in `history`."""
    before = ""
    for exchange in history:
        before = _joined(exchange.question, before, memory)
    return _joined(question, before, memory)


def _joined(question: str, before: str, memory: Memory) -> str:
    text = plain(question)
    if not before:
        return text
    if _ASKS_MORE.match(text):
        return before
    opened = _OPENING.sub("", text, count=1).strip(" ?.!")
    if _ASPECT.search(text) or _is_fragment(opened):
        return _with_aspect(before, opened, memory)
    pointed = _with_topic(text, _topic(before))
    if pointed == text and not set(content(text)) - _MEASURE:
        return f"{text.rstrip('?!. ')}: {_topic(before)}"
    return pointed


def _is_fragment(text: str) -> bool:
    """`in Sydney?`, `for a yearly plan`: a new circumstance and no question of its own."""
    return bool(_PREPOSITION.match(text)) and len(words(text)) <= 6


def _with_aspect(before: str, aspect: str, memory: Memory) -> str:
    """The last question with a new aspect, in the place of a like word if it has one."""
    if not aspect:
        return before
    stem = before.rstrip("?!. ")
    old = _like(aspect, stem, memory)
    if old:
        new = _PREPOSITION.sub("", aspect).strip()
        return re.sub(rf"\b{re.escape(old)}\b", new, stem, flags=re.IGNORECASE) + "?"
    link = "" if _PREPOSITION.match(aspect) else "for "
    return f"{stem} {link}{aspect}?"


def _like(aspect: str, before: str, memory: Memory) -> str:
    """The word of the last question that the aspect's one word is the like of, or nothing."""
    new, old = content(aspect), content(before)
    if len(new) != 1 or not old or new[0] in old:
        return ""
    names = _NAME.findall(before)
    if len(names) == 1 and _NAME.search(f" {aspect}"):
        return names[0]
    cosines = memory.rows(old) @ memory.row(new[0])
    best = int(cosines.argmax())
    return old[best] if cosines[best] >= ALIKE else ""


def _topic(before: str) -> str:
    """What the last question was about: its words without the asking, at most a few."""
    rest = _ASKING.sub("", before.rstrip("?!. "), count=1)
    return " ".join(_TRAILING.sub("", rest or before).split()[:LONGEST_TOPIC])


def _with_topic(text: str, topic: str) -> str:
    """The topic in the place of the first word that points back."""
    blanked = _EMPTY.sub(lambda match: "\0" * len(match.group()), text)
    found = _POINTS_BACK.search(blanked)
    if found is None:
        return text
    return f"{text[: found.start()]}{topic}{text[found.end() :]}"
