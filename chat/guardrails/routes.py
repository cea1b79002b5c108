"""Which path a question may take, once a classifier has guessed. Pure.

An unsure guess goes one level up and never down: a question that was routed too high costs time
and shows in the figures, one that was routed too low gives a fluent wrong answer that nothing
counts. The direct path skips the documents, so it needs more than the others, and some shapes of
text never get it, whatever a classifier says.
"""

from __future__ import annotations

import re

from chat.contracts.verdicts import Route, RouteGuess
from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.wordlists import ADDRESSING_WORDS, ASKING_FORMS, FAULT_WORDS, SMALL_TALK_WORDS

LEVELS = (Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE)

_TWO = 2  # words; so few name a thing unless they are small talk
_FEW = 6  # words of a text that names a thing without asking anybody

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Inner capitals, an underscore, or a dot, colon or slash between letters; paths and options.
_CODE = re.compile(
    r"[a-z][A-Z]|\w_\w|[A-Za-z]{2}(?:\.|::|\\|/)[A-Za-z]{2}|(?:^|\s)(?:/|--|\./|~/)\w"
)
_FAULT = re.compile("|".join(rf"\b{words}\b" for words in FAULT_WORDS), re.IGNORECASE)


def decide(guess: RouteGuess, *, threshold: float, direct_threshold: float) -> Route:
    """The path for a guess: as guessed, or one level up below a threshold.

    A confidence that is no number counts as none. Raises ValueError for a route that no router
    may decide.
    """
    if guess.route not in LEVELS:
        raise ValueError(f"{guess.route} is not a path that a router decides")
    needed = max(threshold, direct_threshold) if guess.route is Route.DIRECT else threshold
    if guess.confidence >= needed:
        return guess.route
    return LEVELS[min(LEVELS.index(guess.route) + 1, len(LEVELS) - 1)]


def never_direct(query: str) -> bool:
    """True for what has to be looked up: ids, codes, numbers, fragments and pasted errors.

    Small talk of any length may go direct; one or two words that are not small talk may not,
    nor may a few words that neither ask nor speak to anybody.
    """
    if has_number(query) or is_fault(query):
        return True
    if greeting(query) is GreetingGuess.YES:
        return False
    return has_code(query) or is_fragment(query)


def has_number(query: str) -> bool:
    """Is there any digit? Ids, versions, prices and dates all have one."""
    return any(character.isdigit() for character in query)


def has_code(query: str) -> bool:
    """Is there a word that no person says aloud: `fields.E`, `ERR_REFUSED`, `/etc/hosts`?"""
    return _CODE.search(query) is not None


def is_fault(query: str) -> bool:
    """Does it read like an error: by its words, or as several pasted lines?"""
    lines = [line for line in query.splitlines() if line.strip()]
    return _FAULT.search(query) is not None or len(lines) > _TWO


def is_fragment(query: str) -> bool:
    """A few words that name a thing: `small pouf`, `invoice`, `ceramic wall lamp white`."""
    words = words_of(query)
    if len(words) <= _TWO:
        return not words or not SMALL_TALK_WORDS.issuperset(words)
    if len(words) > _FEW or query.rstrip().endswith("?"):
        return False
    return not (ADDRESSING_WORDS | ASKING_FORMS).intersection(words)


def words_of(query: str) -> list[str]:
    """Lower-case words in order; `don't` is one word."""
    return [match.group().lower() for match in _WORD.finditer(query.replace("’", "'"))]
