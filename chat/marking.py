"""Which words of a passage carry what an answer says with its marker.

Pure: a claim is the text before a marker, and the words that passage and claim share in a
row are marked. The pieces always add up to the passage, character by character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

LEAST_RUN = 3  # shared words in a row; fewer is how English goes together anyway

_MARKER = re.compile(r"(?:\s*\[\d{1,3}\])+")
_NUMBER = re.compile(r"\[(\d{1,3})\]")
_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the passage, and whether the answer rests on its very words."""

    text: str
    carries: bool


def claims_of(answer: str, marker: int) -> tuple[str, ...]:
    """What the answer says with `[marker]`: each text between the marker before and it."""
    claims = []
    for paragraph in re.split(r"\n\s*\n", answer):
        start = 0
        for group in _MARKER.finditer(paragraph):
            if marker in {int(number) for number in _NUMBER.findall(group.group())}:
                claims.append(paragraph[start : group.start()].strip())
            start = group.end()
    return tuple(claim for claim in claims if claim)


def marked(passage: str, claims: tuple[str, ...]) -> tuple[Piece, ...]:
    """Cut the passage into pieces that carry a claim's words and pieces that do not."""
    words = list(_WORD.finditer(passage))
    carrying = [False] * len(words)
    for claim in claims:
        for start, length in _shared_runs([word.group().lower() for word in words], claim):
            carrying[start : start + length] = [True] * length
    return _pieces(passage, words, carrying)


def _shared_runs(passage: list[str], claim: str) -> list[tuple[int, int]]:
    said = [word.lower() for word in _WORD.findall(claim)]
    least = min(LEAST_RUN, len(said)) or LEAST_RUN
    matcher = SequenceMatcher(None, passage, said, autojunk=False)
    return [(m.a, m.size) for m in matcher.get_matching_blocks() if m.size >= least]


def _pieces(passage: str, words: list[re.Match[str]], carrying: list[bool]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    at = 0
    for index, word in enumerate(words):
        if not carrying[index]:
            continue
        goes_on = index > 0 and carrying[index - 1]
        if not goes_on and word.start() > at:
            pieces.append(Piece(passage[at : word.start()], carries=False))
        if goes_on:
            pieces[-1] = Piece(pieces[-1].text + passage[at : word.end()], carries=True)
        else:
            pieces.append(Piece(word.group(), carries=True))
        at = word.end()
    if at < len(passage):
        pieces.append(Piece(passage[at:], carries=False))
    return tuple(pieces)
