"""All that a claim may rest on, read once for a draft: sentences, rows, and what they hold.

Everything costly is read when it is first asked for, and kept for the other claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from chat.contracts.passages import Passage
from chat.guardrails.claims import quantities, tables, words
from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.numbers import ONES, ORDINALS
from chat.guardrails.claims.tolerance import near
from chat.guardrails.claims.words import Groups, Said
from chat.guardrails.drafts.quotes import Words, sentences, words_of

QUESTION = 0  # the number of what the person said, where passages are numbered from 1

_STUCK = re.compile(r"\.(?<=[a-z0-9)]\.)(?=[A-Z][a-z])")  # a full stop without its space
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_SPELT: dict[float, tuple[str, ...]] = {
    float(number): (word, *(ones for ones, one in ONES.items() if one == number))
    for word, number in ORDINALS.items()
}


class Statement:
    """One sentence, item, heading or row of a passage, or the question.

    `worded` says that its source has numbers in words somewhere. What is read is read once, by
    hand: a passage has many statements, and `cached_property` takes a lock for each.
    """

    __slots__ = ("_figures", "_groups", "_lower", "_said", "row", "source", "text", "worded")

    def __init__(
        self,
        text: str,
        source: int,
        groups: Groups,
        *,
        row: tables.Row | None = None,
        worded: bool = True,
    ) -> None:
        self.text = text
        self.source = source
        self.row = row
        self.worded = worded
        self._groups = groups
        self._lower: str | None = None
        self._figures: tuple[Figure, ...] | None = None
        self._said: Said | None = None

    @property
    def lower(self) -> str:
        if self._lower is None:
            self._lower = words.plain(self.text)
        return self._lower

    @property
    def counts(self) -> bool:
        """Is there a digit in it?"""
        return _DIGIT.search(self.text) is not None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Its figures; those of a row's cells are in the unit of their column."""
        if self._figures is None:
            if self.row is None:
                self._figures = self._read()
            else:
                self._figures = (*quantities.find(self.row.label), *self.row.figures)
        return self._figures

    @property
    def said(self) -> Said:
        """Its words without its figures."""
        if self._said is None:
            figures = self.figures if self.row is None else self._read()
            self._said = words.read(without_figures(self.text, figures), self._groups)
        return self._said

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(self.said.content)

    def may_share(self, starts: Sequence[str]) -> bool:
        """Might it hold a word that begins like one of these? Quick, before `stems` is asked."""
        return self.row is not None or any(start in self.lower for start in starts)

    def _read(self) -> tuple[Figure, ...]:
        if not (self.worded or self.counts):
            return ()
        return quantities.find(self.text, worded=self.worded)


def without_figures(text: str, figures: Sequence[Figure]) -> str:
    """The text without its figures; names with a number in them stay."""
    place, kept = 0, []
    for figure in figures:
        if figure.kind is not Kind.CODE:
            kept.append(text[place : figure.start])
            place = figure.end
    return " ".join((*kept, text[place:]))


def starts_of(stems: Iterable[str]) -> list[str]:
    """How words with these stems begin; a group of near-synonyms may begin in any way."""
    return ["" if stem[0] == "=" else stem[: max(3, len(stem) - 1)] for stem in stems]


class Source:
    """One passage, numbered from 1."""

    def __init__(
        self, number: int, passage: Passage, groups: Groups, before: Passage | None = None
    ) -> None:
        """`before` is the passage just before this one in its document, if it is there too."""
        self.number = number
        self.passage = passage
        self._groups = groups
        self._before = before

    @cached_property
    def whole(self) -> str:
        """Title, heading and text in lower case."""
        passage = self.passage
        return words.plain(f"{passage.title}\n{passage.heading}\n{passage.text}")

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of its title and heading."""
        text = f"{self.passage.title}\n{self.passage.heading}"
        return frozenset(words.read(text, self._groups).content)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Its sentences and rows, then its heading and title."""
        passage = self.passage
        begun = tables.part(self._before.text).headers if self._before else ()
        around = f"{passage.title}\n{passage.heading}"
        parted = tables.part(passage.text, around, begun[-1] if begun else "")
        others = (*sentences(_STUCK.sub(". ", parted.prose)), *parted.headers)
        told = (text for text in (*others, passage.heading, passage.title) if text)
        worded = quantities.has_worded(self.whole)
        make = partial(Statement, source=self.number, groups=self._groups, worded=worded)
        return (*(make(text) for text in told), *(make(row.text, row=row) for row in parted.rows))

    @cached_property
    def quotable(self) -> tuple[str, ...]:
        return tuple(sentences(self.passage.text))

    def quotes(self, claim: Words, longest: str) -> bool:
        """Is the claim, word by word, a whole sentence here? `longest` is its longest word."""
        if longest not in self.whole:
            return False
        return any(
            words_of(sentence) == claim
            for sentence in self.quotable
            if longest in words.plain(sentence)
        )


class Sources:
    """The passages of a draft, and the question, which excuses a figure but carries nothing."""

    def __init__(self, passages: Sequence[Passage], question: str, groups: Groups) -> None:
        self.groups = groups
        at = {(one.document, one.version, one.ordinal): one for one in passages}
        self.each = tuple(
            Source(number, one, groups, at.get((one.document, one.version, one.ordinal - 1)))
            for number, one in enumerate(passages, 1)
        )
        self.question = Statement(question, QUESTION, groups)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(statement for source in self.each for statement in source.statements)

    @cached_property
    def whole(self) -> str:
        return "\n".join((words.plain(self.question.text), *(source.whole for source in self.each)))

    def quoting(self, claim: Words) -> tuple[int, ...]:
        """The numbers of the passages that hold the claim word for word."""
        longest = max(claim, key=len, default="")
        return tuple(source.number for source in self.each if source.quotes(claim, longest))

    def holds(self, figure: Figure) -> bool:
        """May any passage, or the question, hold this figure, or both ends of this range?"""
        if figure.upto is not None and not self._is_near(figure):
            ends = (figure.values, (figure.upto,))
            return all(self._is_near(replace(figure, values=end, upto=None)) for end in ends)
        return self._is_near(figure) or self._is_spelt(figure)

    def _is_spelt(self, figure: Figure) -> bool:
        """A small number as a word that is no figure elsewhere: `number one`, `second-largest`."""
        if figure.kind not in (Kind.NUMBER, Kind.CODE) or figure.value not in _SPELT:
            return False
        return any(map(self.holds_word, _SPELT[figure.value]))

    def _is_near(self, figure: Figure) -> bool:
        return any(near(figure, held) for _, held in self.figures_for(figure))

    def figures_for(self, figure: Figure) -> Iterator[tuple[Statement, Figure]]:
        """Held figures, those of statements with the same digits first: mostly they are enough."""
        digits = _DIGITS.search(figure.text)
        likely: list[Statement] = []
        others: list[Statement] = []
        for statement in (self.question, *self.statements):
            is_likely = digits is not None and digits[0] in statement.text
            (likely if is_likely else others).append(statement)
        for statement in (*likely, *others):
            for held in statement.figures:
                yield statement, held

    def holds_word(self, start: str) -> bool:
        """Does any passage, or the question, hold a word that begins like this?"""
        place = self.whole.find(start)
        while place > 0 and self.whole[place - 1].isalnum():
            place = self.whole.find(start, place + 1)
        return place >= 0
