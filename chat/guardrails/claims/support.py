"""Does one sentence or row say what the claim says, or its opposite? A wrong yes costs most.

A claim is carried where one sentence has all its words and figures, in about its order, and
agrees in every word that turns a sense. It is denied where all is the same but the `not`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chat.guardrails.claims.columns import named_columns
from chat.guardrails.claims.figures import Bound, Figure, Kind
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.signs import LOSS
from chat.guardrails.claims.sources import Sources, Statement
from chat.guardrails.claims.tables import Cell, Row
from chat.guardrails.claims.tolerance import fits, same
from chat.guardrails.claims.words import Groups, Said, content_words, read

FEWEST = 3  # content words and figures of a claim; what says less proves nothing
_FILTERED = 3  # the longest words of a claim, of which each must stand in a sentence
_TURNED = 1  # breaks in the order of the words: `According to X, Y` and `Y, according to X`
_SPREAD, _SLACK = 1.5, 3  # how far apart the claim's words may stand in a long sentence
_SHORTEST = 4  # words of a claim
_UPPER = (Bound.MOST, Bound.UNDER)
_LOWER = (Bound.LEAST, Bound.OVER)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as it is compared: its sentence, its figures and its other words."""

    text: str
    figures: tuple[Figure, ...]
    bare: str  # its text without the figures
    said: Said


def carrying(claim: Claim, sources: Sources) -> tuple[int, ...]:
    """The numbers of the passages of which one sentence or row carries the whole claim."""
    if not _says_enough(claim):
        return ()
    found = (one.source for one in _candidates(claim, sources) if _carries(one, claim, sources))
    return tuple(dict.fromkeys(found))


def denying(claim: Claim, sources: Sources) -> tuple[int, ...]:
    """The numbers of the passages that say the same with a `not` more or less, or as a limit
    from the other side."""
    if not _says_enough(claim):
        return ()
    found = (one.source for one in _candidates(claim, sources) if _denies(one, claim))
    return tuple(dict.fromkeys(found))


def _says_enough(claim: Claim) -> bool:
    return len(claim.said.content) + len(claim.figures) >= FEWEST and bool(claim.said.content)


def _candidates(claim: Claim, sources: Sources) -> Iterator[Statement]:
    """Sentences that have the claim's longest words; only these are read closely."""
    starts = _starts(claim, sources.groups)
    for statement in sources.statements:
        if all(start in statement.lower for start in starts):
            yield statement
        elif (
            claim.figures
            and statement.row
            and all(start in _with_headers(statement.row) for start in starts)
        ):
            yield statement


def _starts(claim: Claim, groups: Groups) -> list[str]:
    """How the longest words begin. Near-synonyms may be any word, so they are left out."""
    long = sorted(set(content_words(claim.bare)), key=len, reverse=True)
    if groups:
        known = {part for names in groups.values() for parts, _ in names for part in parts}
        long = [word for word in long if not known.intersection(read(word).content)]
    return [
        word[: max(3, len(word) - 3)]
        for word in long[:_FILTERED]
        if word.isalpha() and len(word) > 4
    ]


def _with_headers(row: Row) -> str:
    headers = " ".join(cell.header for cell in row.cells)
    return f"{row.text} {headers} {row.corner} {row.caption}".casefold()


def _carries(statement: Statement, claim: Claim, sources: Sources) -> bool:
    if statement.row is not None and claim.figures:
        return _row_carries(statement, claim, sources)
    if not statement.stems.issuperset(claim.said.content):
        return False
    if statement.said.turns != claim.said.turns or not _figures_fit(
        claim.figures, statement.figures
    ):
        return False
    return _says(claim) and in_order(claim.said.content, statement.said.content)


def _says(claim: Claim) -> bool:
    """Is it a statement? A name alone (`The Fair Works Act.`) is quoted or left to a judge."""
    bare = claim.text.rstrip(".! ").split()
    return any(word.islower() for word in bare[1:]) and len(bare) >= _SHORTEST


def _figures_fit(claimed: Sequence[Figure], held: Sequence[Figure]) -> bool:
    return all(any(fits(one, other) for other in held) for one in claimed)


def in_order(claim: Sequence[str], statement: Sequence[str]) -> bool:
    """Do the claim's words stand near each other and in their order, but for one turn?

    Words that stand there twice fit at either place, so they say nothing.
    """
    places = [statement.index(word) for word in claim if statement.count(word) == 1]
    breaks = sum(one > other for one, other in zip(places, places[1:], strict=False))
    if breaks > _TURNED:
        return False
    spread = max(places) - min(places) + 1 if places else 0
    return spread <= _SPREAD * len(claim) + _SLACK


def _row_carries(statement: Statement, claim: Claim, sources: Sources) -> bool:
    """Each figure in a cell of the row, and each word in the label, its headers or the caption."""
    row = statement.row
    assert row is not None
    used: list[Cell] = []
    words = set(claim.said.content)
    for figure in claim.figures:
        cell = next((cell for cell in row.cells if _in_cell(figure, cell, words)), None)
        if cell is not None:
            used.append(cell)
        elif not _named_by(figure, row, used):
            return False
    if not used or claim.said.turns:
        return False
    around = sources.each[statement.source - 1].around
    texts = (row.label, row.corner, row.caption, *(f"{cell.header} {cell.text}" for cell in used))
    there = set(read(" ".join(texts), sources.groups).content) | around
    label = set(read(row.label, sources.groups).content)
    if any(figure.value < 0 for cell in used for figure in cell.figures):
        there |= LOSS
    return words <= there and bool(label & words) and _columns_agree(claim, row, used)


def _in_cell(figure: Figure, cell: Cell, words: set[str]) -> bool:
    """Does a cell hold the figure? `A loss of 5` is five below zero, which brackets say."""
    if any(fits(figure, held) for held in cell.figures):
        return True
    below = replace(figure, values=tuple(-value for value in figure.values))
    return bool(words & LOSS) and any(fits(below, one) for one in cell.figures if one.value < 0)


def _named_by(figure: Figure, row: Row, used: Sequence[Cell]) -> bool:
    """A figure of the claim that is no cell's but stands in the label, a header or the caption."""
    texts = (row.label, row.caption, *(cell.header for cell in row.cells))
    return any(fits(figure, held) for text in texts for held in find(text))


def _columns_agree(claim: Claim, row: Row, used: Sequence[Cell]) -> bool:
    """Where the claim names a year or a column, its figures stand under that one."""
    named = named_columns(claim.figures, claim.said.content, row)
    return not named or any(cell in named for cell in used)


def _denies(statement: Statement, claim: Claim) -> bool:
    said, there = claim.said, statement.said
    if statement.row is not None or sorted(said.content) != sorted(there.content):
        return False
    if not in_order(said.content, there.content):
        return False
    mine, theirs = Counter(said.turns), Counter(there.turns)
    differ = (mine - theirs) + (theirs - mine)
    if differ == Counter(["not"]):
        return _figures_fit(claim.figures, statement.figures)
    return not differ and _limits_differ(claim.figures, statement.figures)


def _limits_differ(claimed: Sequence[Figure], held: Sequence[Figure]) -> bool:
    """`up to 5` against `at least 5`."""
    return any(
        one.kind is other.kind is not Kind.CODE
        and same(one.value, other.value)
        and (
            (one.bound in _UPPER and other.bound in _LOWER)
            or (one.bound in _LOWER and other.bound in _UPPER)
        )
        for one in claimed
        for other in held
    )
