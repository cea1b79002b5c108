"""A table of what was said against what is so, with its sums, precision and recall. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from admin_tracing.stats.estimate import Estimate
from admin_tracing.stats.weighted import hajek


@dataclass(frozen=True, slots=True)
class Pair:
    """One case: what is so, what was said, and its weight; None for a case that was not drawn.

    What was not drawn stands in the table and in no estimate.
    """

    so: str
    said: str
    weight: float | None = 1.0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Rows are what is so, columns what was said, both in the order of `classes`."""

    classes: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @property
    def n(self) -> int:
        return len(self.pairs)

    def counts(self) -> Counter[tuple[str, str]]:
        """How many cases each cell has, by row and column."""
        return Counter((pair.so, pair.said) for pair in self.pairs)

    def row_sum(self, name: str) -> int:
        return sum(pair.so == name for pair in self.pairs)

    def column_sum(self, name: str) -> int:
        return sum(pair.said == name for pair in self.pairs)

    def accuracy(self) -> Estimate:
        """The share where what was said is so."""
        return hajek((pair.so == pair.said, weight) for pair, weight in self._drawn())

    def precision(self, name: str) -> Estimate:
        """Of what was called `name`, the share that is."""
        return hajek((p.so == name, weight) for p, weight in self._drawn() if p.said == name)

    def recall(self, name: str) -> Estimate:
        """Of what is `name`, the share that was called so."""
        return hajek((p.said == name, weight) for p, weight in self._drawn() if p.so == name)

    def weights(self) -> Counter[tuple[str, str]]:
        """The weight of the drawn cases in each cell."""
        found: Counter[tuple[str, str]] = Counter()
        for pair, weight in self._drawn():
            found[pair.so, pair.said] += weight  # type: ignore[assignment]
        return found

    def _drawn(self) -> list[tuple[Pair, float]]:
        return [(pair, pair.weight) for pair in self.pairs if pair.weight is not None]


def confusion(classes: Sequence[str], pairs: Iterable[Pair]) -> Confusion:
    """Raises `ValueError` for a case of a class that there is not."""
    given = tuple(pairs)
    unknown = {name for pair in given for name in (pair.so, pair.said)} - set(classes)
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))} is none of {', '.join(classes)}.")
    return Confusion(tuple(classes), given)
