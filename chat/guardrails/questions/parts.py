"""The items that a question asks for, each a question of its own that can be searched by name.

Only what is surely more than one is taken apart: things that are compared, aspects of one thing,
questions that are joined, steps that each have an object. Names, set phrases and everything
unsure stay whole. Plain code, and the same answer each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from chat.guardrails.questions.part_rules import (
    ASKS,
    EDGE,
    OPENS,
    POINTS_BACK,
    aspects,
    compared,
    says_something,
    steps,
    things,
    topic,
)
from chat.guardrails.questions.part_words import FIXED_PHRASES

MOST = 6  # items; what comes after is asked for together with the last
LONGEST = 600  # characters; a longer text is a story or a paste

_SIGNAL = re.compile(
    r"\b(?:compar\w*|differences?|versus|vs|and|or|also|plus)\b|[,;&\n]|\?.*\?",
    re.IGNORECASE | re.DOTALL,
)
_OUT_OF_SIGHT = "\x00"  # stands in set phrases for the spaces around a word that joins nothing
_SET = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:{'|'.join(FIXED_PHRASES)})\b",
        r"\b(\w+) and \1\b",
        r"\d and (?=\d)",
        r"\b(?:try|go|come|be sure|wait) and (?=\w)",
    )
)
_JOINING = re.compile(r" (and|n|or) ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=\?)[\"')]*\s+(?=\S)")
_NEXT_CLAUSE = re.compile(
    rf"\s*[,;]?\s+(?:and also|and then|and|plus|also)\s+(?={ASKS})|\s*[,;]\s*(?={ASKS})",
    re.IGNORECASE,
)
_ASKING = re.compile(rf"\b{ASKS}|^(?:tell|show|explain|which|what|who)\b", re.IGNORECASE)
_RULES: tuple[Callable[[str], list[str]], ...] = (compared, aspects, steps, things)


def needs_planning(question: str) -> bool:
    """May the question ask for more than one thing? Cheap; no means that no model is asked."""
    return _SIGNAL.search(question) is not None


def parts(question: str) -> tuple[str, ...]:
    """The items that are asked for, six at most; a question for one thing comes back as it is."""
    if len(question) > LONGEST or not needs_planning(question):
        return (question,)
    found = _apart(_hidden(" ".join(question.replace(_OUT_OF_SIGHT, " ").split())))
    items = _few([item.replace(_OUT_OF_SIGHT, " ") for item in found])
    return items if len(items) > 1 else (question,)


def _few(items: Sequence[str]) -> tuple[str, ...]:
    each = list(dict.fromkeys(item.strip() for item in items))
    if len(each) <= MOST:
        return tuple(each)
    rest = ", ".join(item.rstrip(EDGE) for item in each[MOST - 1 :])
    return (*each[: MOST - 1], rest)


def _hidden(text: str) -> str:
    """The text with each "and" that joins nothing put out of sight."""

    def hide(found: re.Match[str]) -> str:
        return _JOINING.sub(rf"{_OUT_OF_SIGHT}\1{_OUT_OF_SIGHT}", found.group())

    for pattern in _SET:
        text = pattern.sub(hide, text)
    return text


def _apart(text: str) -> list[str]:
    """Questions that end in a question mark each, then joined ones, then what one asks for."""
    sentences = _sentences(text)
    clauses = [clause for sentence in sentences for clause in _clauses(sentence)]
    named = _named(clauses)
    return [item for clause in named for item in _items(clause)] if named else [text]


def _sentences(text: str) -> list[str]:
    """Each up to its question mark; one that asks nothing belongs to the one before it."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text):
        asks = _ASKING.search(sentence) and sentence.rstrip("\"') ").endswith("?")
        if found and not asks:
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found if all(map(says_something, found)) else [text]


def _clauses(sentence: str) -> list[str]:
    """A clause is a question of its own if the first one asks and each says something."""
    pieces = [piece.strip(" ,;") for piece in _NEXT_CLAUSE.split(sentence)]
    if len(pieces) < 2 or not OPENS.match(pieces[0]) or not all(map(says_something, pieces)):
        return [sentence]
    return [f"{piece.rstrip(EDGE)}?" for piece in pieces]


def _named(clauses: Sequence[str]) -> list[str]:
    """The clauses with what they point back to put in by name; none where it cannot be told."""
    first, *others = clauses
    # In several sentences a pronoun points at one of them.
    pointing = [clause for clause in others if POINTS_BACK.search(clause) and ". " not in clause]
    if not pointing:
        return list(clauses)
    name = topic(first)
    if not says_something(name) or len(_items(first)) > 1:
        return []
    named = partial(_in_place, name)
    return [
        first,
        *(POINTS_BACK.sub(named, each) if each in pointing else each for each in others),
    ]


def _in_place(name: str, found: re.Match[str]) -> str:
    return f"{name}'s" if found["its"] else name


def _items(clause: str) -> list[str]:
    """The items of one clause, by the first rule that is sure."""
    bare = clause.strip(EDGE)
    return next((found for rule in _RULES if len(found := rule(bare)) > 1), [clause])
