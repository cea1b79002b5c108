"""`manage.py evaluate`: figures on public data sets, beside the figures they are held against."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from chat.evaluation.answerability import evaluate_clapnq
from chat.evaluation.retrieval import evaluate_support_kbs
from chat.evaluation.scope import evaluate_clinc150

HEAD = ("set", "what", "figure", "reference", "n", "seconds")
UNSET = "EVAL_DATA is not set, so there is nothing to evaluate on. It names a folder of data sets."


@dataclass(frozen=True)
class Measure:
    """A figure: what it is, where it stands in a result, and what it is held against."""

    what: str
    read: Callable[[dict[str, Any]], float]
    reference: str = ""


@dataclass(frozen=True)
class DataSet:
    """A set's evaluation and the measures that are shown of it."""

    run: Callable[[Path], dict[str, Any]]
    measures: tuple[Measure, ...]


def _ndcg(mode: str) -> Callable[[dict[str, Any]], float]:
    return lambda found: float(found["modes"][mode]["ndcg_at_10"])


SETS: dict[str, DataSet] = {
    "clinc150": DataSet(
        evaluate_clinc150,
        (
            Measure("accuracy in scope", lambda found: found["accuracy"], "0.952"),
            Measure("AUROC of the scope score", lambda found: found["auroc"], "0.964"),
            Measure("in scope, kept at the threshold", lambda found: found["kept"]),
            Measure("out of scope, caught there", lambda found: found["recall_out_of_scope"]),
        ),
    ),
    "clapnq": DataSet(
        evaluate_clapnq,
        (
            Measure("AUROC of the grade", lambda found: found["auroc"], "0.892"),
            Measure("AUROC of the cosine alone", lambda found: found["auroc_of_cosine"], "0.892"),
            Measure("recall of ANSWERS", lambda found: found["recall"]),
            Measure("precision of ANSWERS", lambda found: found["precision"]),
        ),
    ),
    "support_kbs": DataSet(
        evaluate_support_kbs,
        (
            Measure("nDCG@10 by words", _ndcg("lexical"), "0.369"),
            Measure("nDCG@10 by vectors", _ndcg("vector"), "0.483"),
            Measure("nDCG@10 of both", _ndcg("hybrid"), "0.465"),
        ),
    ),
}


class Command(BaseCommand):
    """Measures scope, answerability and retrieval as the product does them."""

    help = "Prints figures on the data sets under EVAL_DATA, with their references and times."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all without any"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options["sets"] or list(SETS)
        if unknown := [name for name in wanted if name not in SETS]:
            raise CommandError(f"No such set: {', '.join(unknown)}. There are {', '.join(SETS)}.")
        folder = settings.PLUMBLINE.eval_data
        if not folder:
            self.stdout.write(UNSET)
            return
        self._measure(Path(folder), wanted)

    def _measure(self, folder: Path, wanted: Sequence[str]) -> None:
        self.stdout.write(_row(HEAD))
        for name in wanted:
            for line in _lines(name, folder / name):
                self.stdout.write(line)


def _lines(name: str, folder: Path) -> Iterator[str]:
    """A line a measure, or one that says why there is none."""
    if not folder.is_dir():
        yield f"{name}: there is no folder {folder}."
        return
    started = time.perf_counter()
    try:
        found = SETS[name].run(folder)
    except OSError as error:
        yield f"{name}: {error.filename} cannot be read ({error.strerror})."
        return
    except ProgrammingError:
        yield f"{name}: the database has no tables yet. Run manage.py migrate first."
        return
    seconds = f"{time.perf_counter() - started:.0f}"
    for measure in SETS[name].measures:
        figure = f"{measure.read(found):.3f}"
        yield _row((name, measure.what, figure, measure.reference, str(found["n"]), seconds))


def _row(cells: Sequence[str]) -> str:
    widths = (12, 32, 7, 10, 5, 7)
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
