"""Merges a reply with the question that the assistant put: an offer taken, a detail added.

An answer that ends with a question, or opens with one and cites nothing, asked something back.
"""

from __future__ import annotations

import re

from chat.adapters.offline.text import content, stems, words
from chat.contracts.verdicts import Clarity
from chat.guardrails.questions.intents import is_continuation
from chat.guardrails.questions.vagueness import clarity

LONGEST = 12  # words of a reply that is put into the question; a longer one stands beside it

_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_CITED = re.compile(r"\[\d+\]")
_YES = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|sure|ok|okay|alright|right|please|exactly|correct|absolutely|great"
    r"|perfect|good|of course|go ahead|please do|do it|do that|do so|sounds good|that works|i would"
    r"|i do|i'd like that|i'd like to|that's right|thanks|thank you"
    r"|pls)(?: for (?:the|your) help)?[,.! ]*)+$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:(?:yes|yeah|yep|sure|ok|okay|alright|right|well|oh|um|hm+|so|please|thanks|no|just|i mean"
    r"|it's|it is|that's|(?:i'm|i am)(?: on| in| at| using)?|i use|i have|for me)[,.! ]+)+"
    r"|[,. ]*\b(?:please|pls|thanks|thank you)?(?: for (?:the|your) help)?[.! ]*$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"^(?:(?:so|and|or|if you like|also)[, ]+)*(?:would you like(?: me)?(?: to)?"
    r"|do you want(?: me)?(?: to)?|did you want(?: me)?(?: to)?|shall i|should i|can i|may i"
    r"|want me to|do you need(?: me)?(?: to)?"
    r"|are you (?:looking for|interested in|asking (?:about|for))"
    r"|did you mean|do you mean|is it(?: about)?|was it|would it help(?: to)?|interested in)\s+",
    re.IGNORECASE,
)
_EXTRA = re.compile(r"(?: (?:too|as well|instead|for you|now|first))+$", re.IGNORECASE)
# A closing line that asks for nothing in particular.
_CLOSING = re.compile(
    r"\b(?:anything|something|what) else\b|^(?:does|did|is) (?:that|this)\b|\bhelp you\b", re.I
)
_TELLS = re.compile(
    r"^(?:know|hear|learn|read|see|have|get|find out)\s+(?:more )?(?:about )?", re.I
)
_QUESTION = re.compile(
    r"^(?:what|which|how|when|where|why|who|whose|can|could|do|does|did|is|are|was|were|will|would"
    r"|should|may|must|has|have|tell me|show me|give me|i (?:want|need|would like|'d like)|find"
    r"|set|pick|send|get|let's|make|open|cancel)\b.*\s",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"^(?:in|for|with|by|on|at|from|to|under|after|before|without|via|about|of|as|near)\b", re.I
)
_HOUR = re.compile(r"^(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)|noon|midnight)\b|^\d{1,2}:\d\d\b", re.I)
_DAY = re.compile(
    r"^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december)\b|the \d+(?:st|nd|rd|th))",
    re.IGNORECASE,
)
_SOON = re.compile(r"^(?:today|tonight|tomorrow|now|(?:this|next|last|every|later) \w+)", re.I)
_WHERE = re.compile(r"\b(?:where|city|cities|town|location|place|region|country|area)\b", re.I)
_OPEN_END = re.compile(r" (in|on|at|with|by|from|under)[?. ]*$", re.IGNORECASE)
_ONE = re.compile(r"^(?:the )?one (?=with|for|in|on|at|from|of)", re.I)
_NTH = re.compile(
    r"^(?:no )?(?:the )?(first|second|third|last|former|latter|1|2|3)(?: (?:one|option))?$", re.I
)
_PLACES = {
    "first": 0,
    "former": 0,
    "1": 0,
    "second": 1,
    "latter": -1,
    "2": 1,
    "third": 2,
    "3": 2,
    "last": -1,
}
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|had|can|cannot|will|won't|\w+n't|i|we)\b", re.IGNORECASE
)
MEASURE = frozenset(
    "long much many often soon fast big large expensive cheap cost costs price work works".split()
)
_POINTER = re.compile(r"\b(?:it|this|that|them|these|those|something|one)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:what|which|how|when|where|why|who|whose|can|could|do|does|did|is|are|was|were|will|would"
    r"|should|may|must|has|have)\b",
    re.IGNORECASE,
)


def merged(reply: str, before: str, answer: str) -> str:
    """The question that a reply to the assistant's question makes; empty if it is no such reply."""
    asked = question_in(answer)
    if not asked or _CLOSING.search(asked):
        return ""
    if is_yes(reply):
        return _taken(asked, before)
    if is_question(reply) or (is_continuation(reply) and not _NTH.match(reply.rstrip(".!? "))):
        return ""
    detail = _ONE.sub("", _POLITE.sub("", reply)).strip(" .!,")
    return _with_detail(before, _chosen(detail, asked), asked) if detail else ""


def is_yes(text: str) -> bool:
    """Does a text agree and say nothing more?"""
    return bool(_YES.match(text))


def question_in(answer: str) -> str:
    """What an answer asks the person, or nothing."""
    pieces = [piece for piece in _SENTENCE.split(answer.strip()) if piece]
    if not pieces:
        return ""
    if pieces[-1].endswith("?"):
        return pieces[-1]
    return pieces[0] if pieces[0].endswith("?") and not _CITED.search(answer) else ""


def is_question(text: str) -> bool:
    """Does a reply ask for something itself, rather than say what was asked of it?"""
    return len(words(text)) > 2 and (text.rstrip().endswith("?") or bool(_QUESTION.match(text)))


def _taken(asked: str, before: str) -> str:
    """What is offered, as a question of its own; an offer of no thing is the question again."""
    offered = _EXTRA.sub("", _OFFER.sub("", asked).strip(" ?"))
    if offered == asked.strip(" ?") or not content(offered):
        return before
    thing = _TELLS.sub("", offered)
    if stems(thing) and thing != offered:
        return (
            f"Tell me about {thing}"
            if not _ASKS.match(thing)
            else f"{thing[0].upper()}{thing[1:]}?"
        )
    if re.match(r"^(?:did|do) you mean|^is it|^was it|^are you", asked, re.IGNORECASE):
        return _with_detail(before, offered, asked)
    return offered


def _chosen(detail: str, asked: str) -> str:
    """The one of the alternatives asked that `the second one` stands for; else the detail."""
    found = _NTH.match(detail)
    if found is None:
        return detail
    offered = [one.strip(" ,") for one in re.split(r",| or ", _OFFER.sub("", asked).strip(" ?"))]
    offered = [one for one in offered if one]
    place = _PLACES[found.group(1).lower()]
    return offered[place] if 1 < len(offered) > place else detail


def _with_detail(before: str, detail: str, asked: str) -> str:
    stem = before.rstrip("?!. ")
    if clarity(before, has_history=False) is Clarity.VAGUE or _says_nothing(before):
        return _carried(before, detail)
    if stems(before) <= stems(detail):
        return detail
    if len(words(detail)) > LONGEST:
        return f"{stem}: {detail}"
    end = "?" if before.rstrip().endswith("?") or _ASKS.match(stem) else ""
    return f"{stem} {_link(detail, asked)}{detail}{end}"


def _says_nothing(question: str) -> bool:
    """`How long does it take?`: a measure of what the reply is to name."""
    return bool(_POINTER.search(question)) and not set(content(question)) - MEASURE


def _carried(before: str, detail: str) -> str:
    """A question that names nothing takes the reply in the place of what it points at."""
    if len(words(detail)) > LONGEST or _CLAUSE.search(detail):
        return detail
    if _POINTER.search(before):
        return _POINTER.sub(lambda _: detail, before, count=1)
    return f"Tell me about {detail}"


def _link(detail: str, asked: str) -> str:
    """The small word that ties a detail to a question."""
    if _PREPOSITION.match(detail) or _SOON.match(detail):
        return ""
    if _HOUR.match(detail):
        return "at "
    if _DAY.match(detail):
        return "on "
    if found := _OPEN_END.search(asked):
        return f"{found.group(1).lower()} "
    return "in " if _WHERE.search(asked) else "for "
