"""What a person wants of a turn, as far as code can tell: go on, look up, do, or ask.

Greetings, crises and documents have their own tests; this one sorts what is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.contracts.verdicts import Intent

_LONGEST = 80  # characters of a continuation
_OPENER = 12  # words of a text whose first pronoun can only point at what was said before

_PLEASE = r"(?: please| pls| thanks| thank you| then)*"
_CONTINUATIONS = (
    r"(?:yes|yeah|yep|yup|ya|sure|ok|okay|k|alright|all right|fine|right|correct|exactly|absolutely"
    r"|definitely|of course|certainly|indeed|agreed|go ahead|please do|do it|do so|do that|let's "
    r"do it|sounds good|that works|perfect|great|good|got it|i see|makes sense)",
    r"(?:yes|yeah|yep|sure|ok|okay|alright) (?:that|this|it|do it|go ahead|please do|i would|i do"
    r"|i am|it is|that is|that's right|that one|this one|the (?:first|second|third|last|other|next"
    r"|former|latter)(?: one)?|both|sounds good|tell me(?: more)?|go on|continue|i'd like (?:that"
    r"|to)|i want that)",
    r"(?:no|nope|nah|not really|not yet|not that|not that one|no thanks|never mind|nevermind)",
    r"(?:no|nope|not that|ok|okay)? ?(?:i meant|i mean|but)? ?(?:the|that|this) (?:first|second"
    r"|third|last|other|next|previous|former|latter|same)(?: (?:one|option|thing))?",
    r"(?:no )?(?:i meant? )?(?:both|neither|all of them|all of those|none|none of them|either|the "
    r"other way(?: round| around)?)",
    r"(?:please |can you |could you )?(?:go on|continue|carry on|keep going|proceed|next|more|and "
    r"more|some more|tell me more|say more|explain more|expand|elaborate|explain|explain (?:that"
    r"|this|it)|more details?|more info(?:rmation)?|go deeper|again|say (?:that|it) again"
    r"|repeat(?: that| it)?|rephrase(?: that| it)?|an example|for example|give me an example|give "
    r"an example|show me|like what|such as)",
    r"(?:tell me|i want|i'd like|i would like|give me|can i have|can you tell me|could you tell me"
    r"|i need)(?: to (?:know|hear))? (?:a bit |a little |some |any )?more(?: (?:details?|info"
    r"|information))?(?: (?:about|on) (?:it|that|this|them))?",
    r"(?:and|so|but|ok|okay)? ?(?:then|after that|afterwards|next|what then|what next|what now|now "
    r"what|what else|anything else|what about (?:it|that|this|them|the (?:rest|other one|others))"
    r"|why|why not|why is that|why's that|how|how so|how come|when|where|who|which one|which|really"
    r"|since when|what do you mean|meaning|what does that mean|and|so|so what|is that all|is that "
    r"it|are you sure)",
)
_CONTINUATION = re.compile("|".join(rf"(?:{pattern}{_PLEASE})" for pattern in _CONTINUATIONS))
_NOT_WORDS = re.compile(r"[^\w\s']+")

_POINTING = frozenset(
    "it its they them their theirs this that these those he she him her his hers one ones".split()
)
_OPENERS = re.compile(
    r"(?:and|but|so|or|also|then|what about|how about|what if|ok so|okay so|no i mean|i meant?"
    r"|what else|which of (?:these|those|them)|the (?:first|second|third|last|other|same) one)\b"
)
_ASKS_HOW = re.compile(
    r"(?:how|what|when|where|why|which|who|is|are|does|do|did|will|should|would it|am i|may i|can i"
    r"|could i)\b"
)
_WANTS_A_PERSON = re.compile(
    r"\b(?:can|could|may|might) (?:i|we)(?: please| just| also)? (?:talk|speak|chat) (?:to|with)"
    r" (?:a |an |the |some |your )?(?:real |live |human |actual )?(?:human(?: being)?|person|people"
    r"|someone|someone real|somebody|agent|operator|advis[eo]r|staff|team)"
    r"(?: (?:please|now|here|instead|about .+))*$"
)
_DELEGATES = re.compile(
    r"\b(?:for me|on my behalf|can you|could you|would you|will you|please|pls)\b"
)


def is_continuation(text: str) -> bool:
    """ "yes please", "tell me more", "and then?": nothing in it but a pointer to what was said."""
    if len(text) > _LONGEST:
        return False
    plain = _plain(text)
    return bool(plain) and bool(_CONTINUATION.fullmatch(plain))


def is_follow_up(text: str) -> bool:
    """A continuation, or a short text that points back as it opens ("and for teams?")."""
    if is_continuation(text):
        return True
    plain = _plain(text)
    words = plain.split()
    if not words or len(words) > _OPENER:
        return False
    return bool(_OPENERS.match(plain)) or any(word in _POINTING for word in words[:4])


def intent(
    question: str, *, has_history: bool, wants_action: bool = False, wants_lookup: bool = False
) -> Intent:
    """FOLLOW_UP, ACTION, LOOKUP or QUESTION; by code alone.

    `wants_action` says that the question uses a hint of an irreversible tool, `wants_lookup`
    of another one. Asking how something is done ("how do I open a ticket?") wants no action.
    """
    if has_history and is_continuation(question):
        return Intent.FOLLOW_UP
    if wants_action and not asks_about(question):
        return Intent.ACTION
    if wants_lookup:
        return Intent.LOOKUP
    if has_history and is_follow_up(question):
        return Intent.FOLLOW_UP
    return Intent.QUESTION


def asks_about(question: str) -> bool:
    """A question about a thing ("can I cancel?"), rather than a request to do it ("please do")."""
    plain = _plain(question)
    wanted = _DELEGATES.search(plain) or wants_a_person(question)
    return bool(_ASKS_HOW.match(plain)) and not wanted


def wants_a_person(question: str) -> bool:
    """ "Can I talk to somebody?" asks for a person, not for a rule about talking."""
    return _WANTS_A_PERSON.search(_plain(question)) is not None


def wanted_tools(question: str, hints: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """Names of the tools of which the question uses a hint word or phrase, in the order given.

    A hint also stands for its plural. Case does not matter.
    """
    plain = f" {_plain(question)} "
    return tuple(name for name, words in hints if any(_uses(plain, word) for word in words))


def _uses(plain: str, hint: str) -> bool:
    hint = _plain(hint)
    return bool(hint) and any(f" {hint}{ending} " in plain for ending in ("", "s", "es"))


def _plain(text: str) -> str:
    """Lower-case words with single blanks between them."""
    return " ".join(_NOT_WORDS.sub(" ", text.casefold().replace("’", "'")).split())
