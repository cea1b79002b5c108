"""The input boundary: what may be kept of a text, and whether it only says hello.

Redaction runs before the first write of anything and takes out what `KINDS` names; order
numbers, prices, dates and versions stay. Greetings are told by patterns alone; a model is asked
only when they cannot say.
"""

from __future__ import annotations

import re
from enum import StrEnum

from chat.guardrails.personal_data.redaction import KINDS, Redacted, redact
from chat.guardrails.sequences import is_sequence
from chat.guardrails.wordlists import (
    ACKNOWLEDGEMENTS,
    ASKING_WORDS,
    GREETING_OPENERS,
    GREETING_PATTERNS,
)

__all__ = ["KINDS", "GreetingGuess", "Redacted", "greeting", "redact"]


class GreetingGuess(StrEnum):
    """YES and NO are sure; UNSURE lets a model decide."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


_LONGEST = 100  # characters; a longer text says more than hello
_FEW = 4  # words of a text that may still be a greeting to somebody by name

_PARTS = re.compile(r"[,.;:!?…¡¿。！？，、\n~*()\"“”-]+")
_NOT_WORDS = re.compile(r"[^\w\s']+")
_GREETING = re.compile("|".join(f"(?:{pattern})" for pattern in GREETING_PATTERNS))


def greeting(text: str) -> GreetingGuess:
    """Is this a greeting, thanks or a question about the assistant, and nothing else?"""
    if len(text) > _LONGEST:
        return GreetingGuess.NO
    parts = [_plain(part) for part in _PARTS.split(text.casefold().replace("’", "'"))]
    parts = [part for part in parts if part]
    if not parts:
        return GreetingGuess.NO
    parts = [part for part in parts if part not in ACKNOWLEDGEMENTS] or parts
    if all(is_sequence(_GREETING, part) for part in parts):
        return GreetingGuess.YES
    return _unsure(text, " ".join(parts).split())


def _plain(part: str) -> str:
    return " ".join(_NOT_WORDS.sub(" ", part).split())


def _unsure(text: str, words: list[str]) -> GreetingGuess:
    """A few words that begin like a greeting and ask for nothing may greet by name."""
    if "?" in text or words[0] not in GREETING_OPENERS or len(words) > _FEW:
        return GreetingGuess.NO
    asks = any(word in ASKING_WORDS or any(c.isdigit() for c in word) for word in words)
    return GreetingGuess.NO if asks else GreetingGuess.UNSURE
