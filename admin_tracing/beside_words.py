"""Two texts as one: what both say, and what only the first or the second says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MOST = 4_000  # words and signs of one text that are compared; beyond that both are shown whole
LEAST = 0.3  # of all words that have to be common; fewer meet by chance and say nothing

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")

Kind = Literal["both", "left", "right"]


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Kind
    text: str


def pieces(left: str, right: str) -> list[Piece]:
    """The texts in pieces. Without those of one side they are the other text, to the letter."""
    ours, theirs = _PIECES.findall(left), _PIECES.findall(right)
    if max(len(ours), len(theirs)) > MOST and left != right:
        return _filled([Piece("left", left), Piece("right", right)])
    matcher = SequenceMatcher(None, ours, theirs)
    if _common(matcher, ours, theirs) < LEAST:
        return _filled([Piece("left", left), Piece("right", right)])
    found: list[Piece] = []
    for what, a, a_end, b, b_end in matcher.get_opcodes():
        if what == "equal":
            found.append(_piece("both", ours[a:a_end]))
            continue
        found += [_piece("left", ours[a:a_end]), _piece("right", theirs[b:b_end])]
    return _joined(_filled(found))


def _common(matcher: SequenceMatcher[str], ours: Sequence[str], theirs: Sequence[str]) -> float:
    """The share of words that both have in the same order; 1 for texts without a word."""
    blocks = matcher.get_matching_blocks()
    both = sum(ours[block.a + n][0].isalnum() for block in blocks for n in range(block.size))
    words = sum(piece[0].isalnum() for piece in (*ours, *theirs))
    return 2 * both / words if words else 1.0


def is_apart(found: Sequence[Piece]) -> bool:
    """True for two texts that are shown one after the other, with nothing in common."""
    return [piece.kind for piece in found] == ["left", "right"]


def _piece(kind: Kind, words: Sequence[str]) -> Piece:
    return Piece(kind, "".join(words))


def _filled(found: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in found if piece.text]


def _joined(found: Sequence[Piece]) -> list[Piece]:
    """A space alone between two changes is read as a part of them."""
    joined: list[Piece] = []
    for place, piece in enumerate(found):
        is_gap = piece.kind == "both" and not piece.text.strip()
        if not (is_gap and 0 < place < len(found) - 1):
            joined.append(piece)
            continue
        joined += [Piece("left", piece.text), Piece("right", piece.text)]
    return _runs(joined)


def _runs(found: Sequence[Piece]) -> list[Piece]:
    """Between two pieces of both, one of each side."""
    runs: list[Piece] = []
    sides = {"left": "", "right": ""}
    for piece in [*found, Piece("both", "")]:
        if piece.kind != "both":
            sides[piece.kind] += piece.text
            continue
        runs += _filled([Piece("left", sides["left"]), Piece("right", sides["right"])])
        sides = {"left": "", "right": ""}
        runs += _filled([piece])
    return runs
