"""Folds earlier questions into a follow-up, by code: what it leaves out is taken from the last one.

A follow-up is told by what it lacks: it replies to a question that was put to the person, points
back with a pronoun, names only a new aspect (`what about Sydney`), or asks without a thing (`how
much?`). Anything else stands as it is, to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.adapters.offline import followup_pointers as pointers
from chat.adapters.offline import followup_replies as replies
from chat.adapters.offline.followup_focus import Turn
from chat.adapters.offline.reading import Memory
from chat.adapters.offline.text import content, plain, words
from chat.adapters.offline.wordlists import BEGINNINGS
from chat.contracts.tasks import Exchange
from chat.guardrails.questions.intents import is_continuation

HISTORY = 5  # exchanges that are looked at
ASPECT = 4  # content words of an aspect that is put into the last question
ALIKE = 0.45  # cosine of two words from which one takes the other's place

_ASKS_MORE = re.compile(
    r"^(?:(?:yes|yeah|ok|okay|sure|please|and|interesting|thanks)[,.! ]+)*"
    r"(?:(?:please |can you |could you )?(?:tell|show|give|explain)(?: me)? (?:a bit |a little "
    r"|some )?more(?: (?:details?|info(?:rmation)?))?(?: (?:about|on) (?:it|that|this|them))?"
    r"|go on|continue|more|and|(?:more |further )?details?|(?:please )?(?:elaborate|explain)"
    r"(?: (?:it|that|this))?|i see|say more|more info(?:rmation)?|what else|anything else)"
    r"(?:,? please)?[.!? ]*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:and|or|but|so|then|ok|okay|right|also|well|hm+|plus|yes|no|thanks|thank you"
    r"|interesting|great)[,.! ]+)*"
    r"(?:(?:what|how) about|what if it's|same (?:for|with|in)|and for|and in|and with"
    r"|i mean(?:t)?)? ?",
    re.IGNORECASE,
)
_ASPECT = re.compile(
    rf"^(?:(?:{BEGINNINGS})[, ]+)*"
    r"(?:(?:what|how) about|same (?:for|with|in)|i mean(?:t)?)\b"
    r"|^(?:and|or) (?!(?:what|how|when|where|why|who|which|can|could|do|does|did|is|are|was|were"
    r"|will|would|should|has|have)\b)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:(?:no|wow|ok|okay|interesting|great|and|so|but|well|really|who knew)[,.!?]+ +)+", re.I
)
_REFUSES = re.compile(r"^(?:no|nope|nah|not|never)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:what|which|how|when|where|why|who|is|are|was|were|can|could|do|does|did|will|would)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"^(?:in|for|with|by|on|at|from|to|under|after|before|without|via)\b", re.IGNORECASE
)
_BARE = re.compile(
    r"^(?:and |but |so |ok(?:ay)? )?(why|how|when|where|who)(?: (?:so|not|is that|then|exactly))?"
    r"[?!. ]*$",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"^(?:can|could|do|does|did|is|are|was|were|will|would|should|may|must|has|have)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"^(?:how|when|where|why)(?= (?:can|could|do|does|did|is|are|was|were|will)\b)")
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]+|(?<=^ )[A-Z][a-z]+")


def standalone(question: str, history: Sequence[Exchange], memory: Memory) -> str:
    """The question as it would be typed without the earlier ones, oldest first in `history`.

    Only the last five exchanges count. A question that needs none of them comes back as it is.
    """
    past: list[Turn] = []
    for exchange in history[-HISTORY:]:
        asked = _folded(exchange.question, past, memory)
        past.append(pointers.after(exchange.question, asked, exchange.answer, past))
    return _folded(question, past, memory)


def _folded(question: str, past: Sequence[Turn], memory: Memory) -> str:
    if not past:
        return question
    text = plain(question)
    reply = replies.merged(text, past[-1].question, past[-1].answer)
    if reply:
        return reply if reply == past[-1].question else pointers.resolved(reply, past)
    made = _joined(text, past, memory)
    return question if made == text else made


def _joined(text: str, past: Sequence[Turn], memory: Memory) -> str:
    before = past[-1].question
    if _ASKS_MORE.match(text):
        return before
    if bare := _BARE.match(text):
        return _asked_anew(bare.group(1), before)
    if is_continuation(text):
        return text if _REFUSES.match(text) else before
    opened = _OPENING.sub("", text, count=1).strip(" ?.!")
    if _ASPECT.search(text) or _is_fragment(opened):
        aspect = pointers.resolved(opened, past)
        if _is_short(aspect):
            return _with_aspect(_FILLER.sub("", before), aspect, memory)
    pointed = pointers.resolved(text, past)
    if pointed == text and _ASKS.search(text) and not set(content(text)) - replies.MEASURE:
        return f"{text.rstrip('?!. ')}: {_subject(before)}"
    return pointed


def _asked_anew(asking: str, before: str) -> str:
    """`Why?`, `how?`: the last question, asked for that."""
    stem = before.rstrip("?!. ")
    if _YES_OR_NO.match(stem):
        return f"{asking.capitalize()} {stem[0].lower()}{stem[1:]}?"
    if _ASKED.match(stem.lower()):
        return f"{asking.capitalize()} {stem.split(' ', 1)[1]}?"
    return f"{asking}: {_subject(before)}"


def _subject(before: str) -> str:
    return pointers.activity(before) or before.rstrip("?!. ")


def _is_fragment(text: str) -> bool:
    """`in Sydney?`, `for a yearly plan`: a new circumstance and no question of its own."""
    return bool(_PREPOSITION.match(text)) and len(words(text)) <= 6


def _is_short(aspect: str) -> bool:
    """One thing; a longer text says itself what it is about."""
    return len(content(aspect)) <= ASPECT and not re.search(r"[.?!;] ", aspect)


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
    new, old = content(aspect), [word for word in content(before) if not _is_done(word, before)]
    if len(new) != 1 or not old or new[0] in old:
        return ""
    names = _NAME.findall(before)
    if len(names) == 1 and _NAME.search(f" {aspect}"):
        return names[0]
    cosines = memory.rows(old) @ memory.row(new[0])
    best = int(cosines.argmax())
    return old[best] if cosines[best] >= ALIKE else ""


def _is_done(word: str, question: str) -> bool:
    """A verb, as far as its place tells: `can I pay`, `how to cancel`."""
    return bool(re.search(rf"\b(?:i|we|you|to) {re.escape(word)}\b", question, re.IGNORECASE))
