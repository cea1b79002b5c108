"""The shape of a query as numbers: how long it is, what it asks, what it holds. Pure.

A router adds these to the query's vector, which says what a text is about and little of how it is
put. Each is between 0 and about 1, so that none outweighs the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.routes import (
    has_code,
    has_number,
    is_fault,
    is_fragment,
    never_direct,
    words_of,
)
from chat.guardrails.wordlists import ADDRESSING_WORDS

Shapes = NDArray[np.float32]

QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())
JOINING = frozenset("and or also plus then both each every either all".split())
COMPARING = re.compile(
    r"\b(?:compar\w+|vs|versus|differ\w*|between|than|better|cheaper|larger|older|longer|more|most"
    r"|first|same|earlier|overview|pros and cons|summari[sz]e|\w{3,}est)\b",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"(?<=\w )\b(?:that|which|who|whose|whom|where)\b", re.IGNORECASE)
OF = re.compile(r"\bof\b", re.IGNORECASE)
NAMES = re.compile(r"(?<=\w )(?!I\b)[A-Z][\w'’.-]*(?: (?:of |the |and )?[A-Z][\w'’.-]*)*")


def _some(count: int) -> float:
    """0 for none, nearly 1 for three or more."""
    return min(count, 3) / 3


def _length(query: str) -> float:
    return min(1.0, math.log1p(len(words_of(query))) / 4)


def _held(query: str, words: frozenset[str]) -> float:
    return _some(sum(word in words for word in words_of(query)))


_SHAPES: dict[str, Callable[[str], float]] = {
    "length": _length,
    "one or two words": lambda query: float(len(words_of(query)) <= 2),
    "number": has_number,
    "code": has_code,
    "fault": is_fault,
    "fragment": is_fragment,
    "small talk": lambda query: float(greeting(query) is GreetingGuess.YES),
    "question words": lambda query: _held(query, QUESTION_WORDS),
    "joins": lambda query: _held(query, JOINING),
    "compares": lambda query: _some(len(COMPARING.findall(query))),
    "relative clauses": lambda query: _some(len(RELATIVE.findall(query))),
    "of": lambda query: _some(len(OF.findall(query))),
    "names": lambda query: _some(len(NAMES.findall(query))),
    "commas": lambda query: _some(query.count(",")),
    "addresses": lambda query: _held(query, ADDRESSING_WORDS),
}

NAMES_OF_SHAPES = tuple(_SHAPES)


def shapes(queries: Sequence[str]) -> Shapes:
    """Shape (queries, shapes), in the order of `NAMES_OF_SHAPES`."""
    rows = [[float(shape(query)) for shape in _SHAPES.values()] for query in queries]
    return np.array(rows, dtype=np.float32).reshape(len(queries), len(_SHAPES))


def is_ugly(query: str) -> bool:
    """Is it what a person pastes or types in a hurry, rather than a sentence?"""
    return has_code(query) or is_fault(query) or (never_direct(query) and is_fragment(query))
