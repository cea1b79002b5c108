"""Who judges here, and how often it is right when it calls something supported.

The figure comes from the measurements that this site kept (`manage.py evaluate groundedness
--keep`), else from those that are shipped with the product. No figure means no claim.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from chat.adapters.offline import checking
from chat.agent.prompts import check
from chat.contracts.trust import Trust
from chat.models import Measurement

CONTROL = "groundedness"
PRECISION_OF_SUPPORTED = "precision of supported"

FIT = ("attributionbench", "begin_wow", "faithdial_audit", "wice")
"""The sets that decide: people said of a sentence or two, and of the very text that was to carry
them, whether it does, which is what a judge is asked here; and neither answer is rare. Nearest is
attributionbench (a sentence of an answer and the text cited for it); alone it is too small. Left
out: mtrag_human_eval, where whole answers were rated and most are faithful, so that any judge
looks right; halueval, answers of a few words that a model made up to be wrong."""

FEWEST = 100  # rows that the judge called supported; with fewer, nothing is known
KEPT_SECONDS = 300.0  # until a figure that another process stored is seen

SHIPPED = Path(__file__).parent / "evaluation" / "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """One share, of `n` rows of one set, between `low` and `high` 95 times of 100."""

    subject: str
    dataset: str
    metric: str
    value: float
    low: float | None
    high: float | None
    n: int
    control: str = CONTROL


def judge_subject() -> str:
    """The judge as measurements name it: its model and the version of what it is told."""
    site = settings.PLUMBLINE
    if not site.llm_model:
        return f"{checking.NAME} {checking.VERSION}"
    return f"{site.llm_judge_model or site.llm_model} {check.VERSION}"


def trust(subject: str, floor: float) -> Trust:
    """What may be said of an answer that this judge passed. Database work, now and then.

    `floor` is the least precision, 0 to 1, with which the word is "checked".
    """
    known = _KEPT.of(subject)
    if known is None or known.precision is None:
        return known or Trust()
    return known.model_copy(update={"word": "checked" if known.precision >= floor else "compared"})


def refresh() -> None:
    """Look the figures up again with the next question."""
    _KEPT.forget()


def shipped(path: Path = SHIPPED) -> tuple[Measured, ...]:
    """The figures that come with the product; none where the file is missing or no such list."""
    try:
        return tuple(Measured(**row) for row in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return ()


def pooled(rows: Iterable[Measured]) -> Trust | None:
    """The figure over all sets that fit, each row of a set counted once; None without any."""
    fit = [row for row in rows if row.metric == PRECISION_OF_SUPPORTED and row.dataset in FIT]
    if not fit:
        return None
    n = sum(row.n for row in fit)
    right = sum(row.value * row.n for row in fit)
    named = ", ".join(sorted({row.dataset for row in fit}))
    return Trust(precision=right / n if n >= FEWEST else None, n=n, dataset=named)


def _look_up(subject: str) -> Trust | None:
    found = Measurement.objects.filter(
        control=CONTROL, subject=subject, metric=PRECISION_OF_SUPPORTED, dataset__in=FIT
    )
    own = [
        Measured(subject, row.dataset, row.metric, row.value, row.low, row.high, row.n)
        for row in found
    ]
    return pooled(own) or pooled(row for row in shipped() if row.subject == subject)


class _Kept:
    """What was looked up, for some minutes; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Trust | None]] = {}

    def of(self, subject: str) -> Trust | None:
        with self._lock:
            at, known = self._known.get(subject, (float("-inf"), None))
        if self._clock() - at < KEPT_SECONDS:
            return known
        known = _look_up(subject)
        with self._lock:
            self._known[subject] = (self._clock(), known)
        return known

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


_KEPT = _Kept()
