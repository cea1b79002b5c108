"""The evidence boundary: what may reach the answer, and what its markers stand for.

A passage that only supports is no evidence. A marker resolves to a passage or it goes; what
it then proves is a second verdict, and code says yes to a quotation alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from chat.contracts.passages import Citation, Hit, Passage
from chat.contracts.verdicts import ClaimVerdict, Grade, GradeLabel, Supports
from chat.guardrails.drafts.markers import GONE, GUARDED, KEPT, Number, Template, read_markers
from chat.guardrails.drafts.quotes import Words, carried_by, is_quoted, words_of

_EVIDENCE = (GradeLabel.ANSWERS, GradeLabel.UNGRADED)

_BETWEEN = r"[ \t]*(?:[,;][ \t]*)?"
_EMPTIED = re.compile(rf"\([ \t]*{GONE}(?:{_BETWEEN}{GONE})*[ \t]*\)")
_ROW = re.compile(rf"(?<![ \t])([ \t]*)([{GONE}{KEPT}](?:{_BETWEEN}[{GONE}{KEPT}])*)([ \t]*)")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6  # letters by which a word is known in all its forms
_TIGHT = frozenset(".,;:!?)]}\n")  # signs before which no space stands


def accepts(grade: Grade) -> bool:
    """Does a passage with this grade reach the answer? UNGRADED does: the grader was away."""
    return grade.label in _EVIDENCE


_WORTH = (GradeLabel.IRRELEVANT, GradeLabel.SUPPORTS, GradeLabel.UNGRADED, GradeLabel.ANSWERS)


def better(one: Grade, other: Grade) -> Grade:
    """The grade that says more for a passage; the first of two equal ones."""
    return other if _WORTH.index(other.label) > _WORTH.index(one.label) else one


def keeps(hits: Sequence[Hit], verdicts: Mapping[str, Grade], floor: float) -> list[Passage]:
    """The passages that go into the answer, in their order.

    What was graded ANSWERS stays whatever its score. What could not be graded needs a cosine of
    `floor`, unless that would leave nothing: noisy evidence beats none.
    """
    let_in = [hit for hit in hits if accepts(verdicts[hit.passage.chunk])]
    kept = [
        hit
        for hit in let_in
        if verdicts[hit.passage.chunk].label is GradeLabel.ANSWERS
        or hit.cosine is None
        or hit.cosine >= floor
    ]
    return [hit.passage for hit in kept or let_in]


def missing_words(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Words of four letters or more that the question has and no passage does, in order."""
    there = " ".join(f"{p.title} {p.heading} {p.text}" for p in passages).casefold()
    words = dict.fromkeys(_LONG_WORD.findall(question.casefold()))
    return tuple(word for word in words if word[:_STEM] not in there)


@dataclass(frozen=True, slots=True)
class Bound:
    """A text whose markers run from [1] in order of first use, each with its citation.

    `removed` holds what did not resolve, in order: numbers, or the words of the marker.
    """

    text: str
    citations: tuple[Citation, ...]
    removed: tuple[Number, ...]


def bind_citations(draft: str, passages: Sequence[Passage]) -> Bound:
    """Hold every marker of a draft against the passages, which are numbered from 1.

    Markers in code and in link targets are left alone. Two numbers for one chunk become one.
    """
    bound, used = _bound_once(draft, passages)
    removed = bound.removed
    while bound.removed:  # what is left where a marker went may read as another one
        bound, used = _bound_once(bound.text, used)
        removed += bound.removed
    return replace(bound, removed=removed)


def _bound_once(draft: str, passages: Sequence[Passage]) -> tuple[Bound, list[Passage]]:
    template = read_markers(draft, lambda number: 1 <= number <= len(passages))
    numbering = _Numbering(passages)
    rewritten = _rewritten(template, numbering)
    # Brackets in code are no markers, so the sentences are read without them.
    claims = _filled(rewritten, [piece.replace("[", " ") for piece in template.guarded])
    citations = _citations(numbering.used, list(carried_by(claims)))
    text = _filled(rewritten, template.guarded)
    return Bound(text, citations, template.removed), numbering.used


class _Numbering:
    """New numbers in order of first use, one for each chunk."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._numbers: dict[tuple[str, int], int] = {}
        self.used: list[Passage] = []

    def of(self, number: int) -> int:
        passage = self._passages[number - 1]
        key = (passage.chunk, passage.version)
        if key not in self._numbers:
            self.used.append(passage)
            self._numbers[key] = len(self.used)
        return self._numbers[key]


def _rewritten(template: Template, numbering: _Numbering) -> str:
    """The template's text with numbers for its markers and without those that went."""
    markers = iter(template.markers)

    def row(found: re.Match[str]) -> str:
        count = found[2].count(KEPT)
        old = [number for _ in range(count) for number in next(markers)]
        new = dict.fromkeys(numbering.of(number) for number in old)
        if new:
            return found[1] + "".join(f"[{number}]" for number in new) + found[3]
        return _space_left(found)

    return _ROW.sub(row, _EMPTIED.sub(GONE, template.text))


def _space_left(found: re.Match[str]) -> str:
    """The space that stays where markers went: none at a line's edge or before a full stop."""
    text = found.string
    at_start = found.start() == 0 or text[found.start() - 1] == "\n"
    if at_start:
        return found[1]
    if found.end() == len(text) or text[found.end()] in _TIGHT:
        return ""
    return found[1] or found[3]


def _filled(text: str, guarded: Sequence[str]) -> str:
    pieces = iter(guarded)
    return re.sub(GUARDED, lambda _: next(pieces), text)


def _citations(
    used: Sequence[Passage], claims: Sequence[tuple[Words, frozenset[int]]]
) -> tuple[Citation, ...]:
    return tuple(_citation(marker, passage, claims) for marker, passage in enumerate(used, 1))


def _citation(
    marker: int, passage: Passage, claims: Sequence[tuple[Words, frozenset[int]]]
) -> Citation:
    return Citation(
        marker=marker,
        chunk=passage.chunk,
        document=passage.document,
        version=passage.version,
        title=passage.title,
        url=passage.url,
        page=passage.page,
        passage=passage.text,
        supports=_supports(marker, passage.text, claims),
    )


def _supports(
    marker: int, passage: str, claims: Sequence[tuple[Words, frozenset[int]]]
) -> Supports:
    """YES if every sentence with the marker is a quotation; else nobody has checked."""
    said = [words for words, markers in claims if marker in markers]
    proven = bool(said) and all(is_quoted(words, passage) for words in said)
    return Supports.YES if proven else Supports.UNCHECKED


Fits = Callable[[str, Passage, Sequence[Passage]], bool]
"""Is what a sentence names what its passage is about, and not what another one is?"""


def held_against(
    bound: Bound, claims: Sequence[ClaimVerdict], passages: Sequence[Passage], fits: Fits
) -> Bound:
    """The citations with what the check found: that a marker resolves says nothing of this.

    YES where every sentence with the marker is supported and rests on that passage; NO where one
    is not, or names something that another passage is about; else nobody could say.
    """
    verdicts = {words_of(claim.text): claim for claim in claims}
    said = [(verdicts.get(words), markers) for words, markers in carried_by(bound.text)]
    return replace(
        bound,
        citations=tuple(_held(citation, said, passages, fits) for citation in bound.citations),
    )


_Said = Sequence[tuple[ClaimVerdict | None, frozenset[int]]]


def _held(citation: Citation, said: _Said, passages: Sequence[Passage], fits: Fits) -> Citation:
    number = _number_of(citation, passages)
    carrying = [(claim, markers) for claim, markers in said if claim and citation.marker in markers]
    if not carrying or not number:
        return citation
    others = [passage for passage in passages if passage.chunk != citation.chunk]
    found = {
        Supports.NO
        if not fits(claim.text, passages[number - 1], others)
        else _one(claim, number, is_alone=len(markers) == 1)
        for claim, markers in carrying
    }
    worst = next(each for each in (Supports.NO, Supports.UNCHECKED, Supports.YES) if each in found)
    return citation.model_copy(update={"supports": worst})


def _one(claim: ClaimVerdict, number: int, *, is_alone: bool) -> Supports:
    if claim.supported is False:
        return Supports.NO
    if claim.supported and number in claim.passages:
        return Supports.YES
    elsewhere = bool(claim.supported and claim.passages)
    return Supports.NO if elsewhere and is_alone else Supports.UNCHECKED


def _number_of(citation: Citation, passages: Sequence[Passage]) -> int:
    """The passage's place, from 1; 0 if it is none of them."""
    places = (n for n, passage in enumerate(passages, 1) if passage.chunk == citation.chunk)
    return next(places, 0)
