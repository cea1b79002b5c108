"""A question without what only tells how the person feels. Pure.

`I am so overwhelmed, my site is down and I am crying` asks about the site. The feeling decides
the tone of the answer elsewhere; in a search it only hides what is asked.
"""

from __future__ import annotations

import re

from chat.guardrails.screening.crisis import distressed

LONGEST = 8  # words of a clause that may be left out; a longer one tells what happened

_EDGE = re.compile(
    r"([,.;:!?\n]+\s*|\s+(?:and|but|because|so|as)\s+(?=(?:i|i'm|im|i've|we|my|it)\b))", re.I
)
_JOINS = re.compile(
    r"^[\s,;:]*(?:(?:and|but|because|so|as)\b[\s,;:]*)?|[\s,;:]+(?:(?:and|but|so)\s*)?$",
    re.IGNORECASE,
)


def calmed(text: str) -> str:
    """The text without its clauses of upset; as it is where nothing else would be left."""
    if not distressed(text):
        return text
    pieces = _EDGE.split(text)
    clauses = list(zip(pieces[::2], [*pieces[1::2], ""], strict=True))
    kept = [(clause, end) for clause, end in clauses if not _only_feels(clause)]
    left = _JOINS.sub("", "".join(clause + end for clause, end in kept)).strip()
    return left if any(character.isalnum() for character in left) else text


def _only_feels(clause: str) -> bool:
    return len(clause.split()) <= LONGEST and distressed(clause)
