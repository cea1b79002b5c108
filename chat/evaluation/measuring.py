"""The judge of this site, put to the labelled sets, and what is kept of its figures.

The offline judge was chosen on half of each set and is measured on the other half; the judge of
an endpoint has seen neither, and is measured on all rows.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from django.conf import settings

from chat import judging, wiring
from chat.adapters.embeddings import DIMENSIONS, MiniLM
from chat.adapters.llm_offline import NAME, RULES, OfflineModel
from chat.adapters.offline.corpus import Documents
from chat.contracts.ports import LanguageModel
from chat.contracts.verdicts import Control
from chat.evaluation.figures import Figure
from chat.evaluation.groundedness import evaluate_groundedness
from chat.judging import SHIPPED, Measured
from chat.models import Measurement


class Bench:
    """Measures set after set with one judge, and lets go of its connections at the end.

    `limit` takes the first rows of a set alone. `keep` stores the figures for the pages of this
    site, `ship` writes them for every site.
    """

    def __init__(
        self,
        *,
        limit: int | None = None,
        keep: bool = False,
        ship: bool = False,
        judge: LanguageModel | None = None,
    ) -> None:
        self._limit, self._keep, self._ship = limit, keep, ship
        self._given = judge
        self._runner = asyncio.Runner()
        self._judge: LanguageModel | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._judge is not None:
            self._runner.run(self._judge.aclose())
        self._runner.close()

    def measure(self, name: str, folder: Path) -> dict[str, Any]:
        """The figures of one set. Raises OSError when a file is missing."""
        self._judge = self._judge or self._given or _configured()
        found = self._runner.run(
            evaluate_groundedness(
                name,
                folder,
                self._judge,
                limit=self._limit,
                half=isinstance(self._judge, OfflineModel),
            )
        )
        rows = measured(judging.judge_subject(), name, found)
        self._put(rows)
        return found

    def note(self, name: str, figures: Mapping[str, Figure]) -> None:
        """Keep and ship what was shown of a set that no judge is put to."""
        self._put(shown(name, figures))

    def _put(self, rows: Sequence[Measured]) -> None:
        if self._keep and rows:
            keep(rows)
        if self._ship and rows:
            ship(rows)


CONTROL_OF: dict[str, tuple[Control, str]] = {
    "clinc150": (Control.SCOPE, f"{NAME} {RULES}"),
    "advice_boundary": (Control.SCOPE, f"{NAME} {RULES}"),
    "mtrag_un": (Control.AMBIGUITY, "code"),
    "pii": (Control.REDACTION, "code"),
    "prompt_injection": (Control.UNTRUSTED_INPUT, "code"),
    "clapnq": (Control.RELEVANCE, f"{NAME} {RULES}"),
    "hatecheck": (Control.TOXICITY, "code"),
}
"""Sets whose figures say how good a control is, and what of it was measured.

The offline judge is measured set by set on its own bench.
"""


def shown(name: str, figures: Mapping[str, Figure]) -> tuple[Measured, ...]:
    """The figures that `evaluate` shows of a set, as rows of its control; none without one."""
    if name not in CONTROL_OF:
        return ()
    control, subject = CONTROL_OF[name]
    return tuple(
        Measured(subject, name, what, *_rounded(figure), figure.n, control=control)
        for what, figure in figures.items()
        if figure.n
    )


def measured(subject: str, dataset: str, found: dict[str, Any]) -> tuple[Measured, ...]:
    """The figures as rows, each with its own number of rows. One over no row is no figure."""
    figures = ((name, each) for name, each in found.items() if isinstance(each, Figure))
    return tuple(
        Measured(subject, dataset, name, *_rounded(each), each.n)
        for name, each in figures
        if each.n
    )


def keep(rows: Sequence[Measured]) -> None:
    """Store them in place of what was kept of the same judge, set and metric."""
    for row in rows:
        Measurement.objects.update_or_create(
            control=row.control,
            subject=row.subject,
            dataset=row.dataset,
            metric=row.metric,
            defaults={"value": row.value, "low": row.low, "high": row.high, "n": row.n},
        )
    judging.refresh()


def ship(rows: Sequence[Measured], path: Path = SHIPPED) -> None:
    """Write them into the file that comes with the product, in place of those of the same set.

    A set's figures are those of one judge: what an earlier version of it had goes.
    """
    fresh = {(row.control, row.dataset) for row in rows}
    others = [row for row in judging.shipped(path) if (row.control, row.dataset) not in fresh]
    ordered = sorted((*others, *rows), key=lambda row: (row.control, row.dataset, row.metric))
    text = json.dumps([asdict(row) for row in ordered], indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", "utf-8")
    judging.refresh()


def _rounded(figure: Figure) -> tuple[float, float, float]:
    return round(figure.value, 4), round(figure.low, 4), round(figure.high, 4)


class _NoDocuments:
    """The offline judge goes by the passages of a draft alone, so it needs no index."""

    on_topic: tuple[str, ...] = ()
    off_topic: tuple[str, ...] = ()

    def documents(self) -> Documents:
        nothing = np.empty((0, DIMENSIONS), dtype=np.float32)
        return Documents(stamp="none", headings=(), texts=(), vectors=nothing)


def _configured() -> LanguageModel:
    if settings.PLUMBLINE.llm_model:
        return wiring.model()
    return OfflineModel(MiniLM(), _NoDocuments(), _NoDocuments(), pace=0)
