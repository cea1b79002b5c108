"""What the documents lack: what people asked for and nobody found, in groups for who writes them.

Pure. A group says how many turns, three of their questions, the section that was found instead,
and the words that were tried without a find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import UUID

from admin_tracing.running.clusters import clusters
from admin_tracing.running.words import as_written

EXAMPLES = 3
NAMED = 4  # words that name a group
TRIED = 8  # words tried that are shown
LINKED = 100  # turns of a group that its link can name

Written = Callable[[str], Mapping[str, str]]
"""`words.as_written`, or what remembers it."""


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that a turn asked for and did not find. `section` is what was found first."""

    turn: UUID
    at: datetime
    question: str
    asked: str
    answered: bool
    section: str = ""
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    turn: UUID
    question: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A group. `unanswered` of its `turns` ended without any answer, the others left a part open.

    `section` is the one that most of them found first, and `near` how many did.
    """

    name: str
    turns: tuple[UUID, ...]
    unanswered: int
    examples: tuple[Example, ...]
    section: str
    near: int
    tried: tuple[str, ...]
    first: datetime
    last: datetime

    @property
    def n(self) -> int:
        return len(self.turns)

    @property
    def linked(self) -> str:
        """The keys of its newest turns, as the list's filter takes them."""
        return ",".join(str(turn) for turn in self.turns[:LINKED])

    @property
    def is_cut(self) -> bool:
        return self.n > LINKED


def gaps(lacks: Iterable[Lack]) -> list[Gap]:
    """The groups by their number of turns, the largest first. In whatever order they came."""
    given = sorted(set(lacks), key=lambda lack: (lack.at, str(lack.turn), lack.asked), reverse=True)
    written = cache(as_written)  # each text is taken apart once, and forgotten with this call
    groups = clusters([frozenset(written(lack.asked)) for lack in given])
    found = [_gap([given[place] for place in group], written) for group in groups]
    return sorted(found, key=lambda gap: (-gap.n, -gap.last.timestamp(), gap.name, gap.linked))


def _gap(lacks: Sequence[Lack], written: Written) -> Gap:
    """Of its members, newest first."""
    by_turn = {lack.turn: lack for lack in lacks}
    sections = Counter(lack.section for lack in by_turn.values() if lack.section)
    section, near = min(sections.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
    return Gap(
        _name(lacks, written),
        tuple(by_turn),
        sum(not lack.answered for lack in by_turn.values()),
        _examples(lacks),
        section,
        near,
        _tried(lacks, written),
        lacks[-1].at,
        lacks[0].at,
    )


def _name(lacks: Sequence[Lack], written: Written) -> str:
    """Its most frequent words as they were mostly written, in the order of the newest text."""
    seen: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    for lack in lacks:
        for word, form in written(lack.asked).items():
            seen[word] += 1
            forms.setdefault(word, Counter())[form] += 1
    chosen = sorted(seen, key=lambda word: (-seen[word], word))[:NAMED]
    order = list(written(lacks[0].asked))
    chosen.sort(key=lambda word: (order.index(word) if word in order else len(order), word))
    return " ".join(min(forms[word], key=lambda f: (-forms[word][f], f)) for word in chosen)


def _examples(lacks: Sequence[Lack]) -> tuple[Example, ...]:
    """The newest questions that are not the same."""
    found: dict[str, Example] = {}
    for lack in lacks:
        found.setdefault(lack.question.casefold(), Example(lack.turn, lack.question))
    return tuple(found.values())[:EXAMPLES]


def _tried(lacks: Sequence[Lack], written: Written) -> tuple[str, ...]:
    """Words of rewrites that the question did not have, the most frequent first."""
    seen: Counter[str] = Counter()
    for lack in lacks:
        asked = written(lack.asked).keys() | written(lack.question).keys()
        words = {w: form for text in lack.tried for w, form in written(text).items()}
        seen.update(form for word, form in words.items() if word not in asked)
    return tuple(sorted(seen, key=lambda word: (-seen[word], word))[:TRIED])
