"""Do people agree on a turn, and what stands of it? Pure: words in, words out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

UNDECIDED = ("cannot_tell", "needs_expert")
FIELDS = ("needed", "grounded", "correct")

Said = Mapping[str, str]
"""What one person said of a turn: some of `FIELDS`, each with its answer."""


class Job(StrEnum):
    """The two labels of a turn, which are two separate jobs. `Settlement.job` has these values."""

    ROUTING = "routing"
    GROUNDEDNESS = "groundedness"


class How(StrEnum):
    """Why something stands of a turn, or why nothing does."""

    SETTLED = "settled"
    AGREED = "agreed"
    ONE_PERSON = "one person"
    DISAGREED = "disagreed"
    NEEDS_EXPERT = "needs an expert"
    CANNOT_TELL = "cannot tell"
    UNLABELLED = "unlabelled"

    @property
    def stands(self) -> bool:
        return self in (How.SETTLED, How.AGREED, How.ONE_PERSON)


@dataclass(frozen=True, slots=True)
class Word:
    """What stands of one question: the answer, empty where nothing does, and why."""

    value: str
    how: How


def of_field(said: Sequence[str], settled: str = "") -> Word:
    """What stands, of everybody's answers to one question and a reviewer's word if there is one.

    A reviewer's `cannot_tell` settles it too: it is then known that nobody can tell.
    """
    if settled:
        return Word("" if settled in UNDECIDED else settled, _settled(settled))
    definite = [one for one in said if one and one not in UNDECIDED]
    if len(set(definite)) > 1:
        return Word("", How.DISAGREED)
    if definite:
        return Word(definite[0], How.AGREED if len(definite) > 1 else How.ONE_PERSON)
    if "needs_expert" in said:
        return Word("", How.NEEDS_EXPERT)
    return Word("", How.CANNOT_TELL if "cannot_tell" in said else How.UNLABELLED)


def reasons(people: Sequence[Said]) -> tuple[How, ...]:
    """Why a reviewer has to look at a turn; nothing where people agree and could all tell."""
    found = []
    if any(of_field(_answers(people, name)).how is How.DISAGREED for name in FIELDS):
        found.append(How.DISAGREED)
    everything = [value for one in people for value in one.values()]
    found += [How.NEEDS_EXPERT] if "needs_expert" in everything else []
    found += [How.CANNOT_TELL] if "cannot_tell" in everything else []
    return tuple(found)


def _answers(people: Sequence[Said], name: str) -> list[str]:
    return [one[name] for one in people if one.get(name)]


def _settled(value: str) -> How:
    undecided = {"cannot_tell": How.CANNOT_TELL, "needs_expert": How.NEEDS_EXPERT}
    return undecided.get(value, How.SETTLED)
