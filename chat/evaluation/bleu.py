"""Corpus BLEU-4: how many runs of one to four words a text shares with its references. Pure.

Words are compared in lower case, and punctuation counts as words. Counts are kept a row, so that
resampled rows cost an addition and no second reading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

ORDER = 4  # words of the longest run that counts

_TOKEN = re.compile(r"\w+|[^\w\s]")

Counts = NDArray[np.int64]


def bleu(pairs: Iterable[tuple[str, Sequence[str]]]) -> float:
    """BLEU of (text, its references), 0 to 1; 0 for nothing and for texts that share no run."""
    return score(np.array([counts(text, references) for text, references in pairs]))


def score(rows: Counts) -> float:
    """BLEU of rows that `counts` made, shape (texts, 2 + 2 * ORDER)."""
    if not len(rows):
        return 0.0
    total = rows.sum(axis=0).astype(float)
    said, wanted, shared, runs = total[0], total[1], total[2 : 2 + ORDER], total[2 + ORDER :]
    if not shared.all():
        return 0.0
    brevity = min(0.0, 1.0 - wanted / said)
    return float(np.exp(brevity + np.log(shared / runs).mean()))


def best(text: str, references: Sequence[str]) -> float:
    """The BLEU of one text with the reference it is most like, 0 to 1.

    One is added to the counts of runs of two words and more (Lin and Och, 2004): in a single
    text one missing run would otherwise be all.
    """
    return max(_smooth(counts(text, (reference,))) for reference in references)


def counts(text: str, references: Sequence[str]) -> list[int]:
    """Words of the text, of the reference nearest in length, then shared runs and runs by length.

    A run counts as often as the reference that has it most often.
    """
    said, wanted = tokens(text), [tokens(reference) for reference in references]
    nearest = min((len(one) for one in wanted), key=lambda n: (abs(n - len(said)), n))
    shared, runs = [], []
    for length in range(1, ORDER + 1):
        mine = _runs(said, length)
        most: Counter[tuple[str, ...]] = Counter()
        for one in wanted:
            most |= _runs(one, length)
        shared.append((mine & most).total())
        runs.append(mine.total())
    return [len(said), nearest, *shared, *runs]


def tokens(text: str) -> list[str]:
    """Lower-case words, and punctuation by the character."""
    return _TOKEN.findall(text.lower())


def _smooth(row: Sequence[int]) -> float:
    said, wanted, *rest = map(float, row)
    if not rest[0]:
        return 0.0
    more = np.array([0.0] + [1.0] * (ORDER - 1))
    precision = (np.array(rest[:ORDER]) + more) / (np.array(rest[ORDER:]) + more)
    return float(np.exp(min(0.0, 1.0 - wanted / said) + np.log(precision).mean()))


def _runs(words: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))
