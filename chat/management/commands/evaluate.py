"""`manage.py evaluate`: figures on public data sets, beside the figures they are held against."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from chat.evaluation.advice import AREAS, MUST_PASS, evaluate_advice_boundary
from chat.evaluation.ambiguity import evaluate_ambiguity
from chat.evaluation.answerability import evaluate_clapnq
from chat.evaluation.distress import evaluate_distress
from chat.evaluation.figures import Figure
from chat.evaluation.followups import (
    evaluate_alexa_cqr,
    evaluate_canard,
    evaluate_mtrag_rewrites,
    evaluate_trec_cast,
)
from chat.evaluation.intents import BOTS, evaluate_banking77, evaluate_hint3
from chat.evaluation.judged_sets import JUDGED_SETS
from chat.evaluation.measuring import Bench
from chat.evaluation.pasted import evaluate_doc_paste
from chat.evaluation.personal_sets import PERSONAL_SETS
from chat.evaluation.retrieval import evaluate_support_kbs
from chat.evaluation.routing import evaluate_routing
from chat.evaluation.safety_sets import SAFETY_SETS
from chat.evaluation.scope import evaluate_clinc150
from chat.evaluation.table import DataSet, Measure
from chat.evaluation.table import of as _of

HEAD = ("set", "what", "figure", "interval", "reference", "n", "seconds")
UNSET = "EVAL_DATA is not set, so there is nothing to evaluate on. It names a folder of data sets."


# Reference per bot: in-scope accuracy without a threshold and AUROC of words with regression.
HINT3_REFERENCE = {
    "curekart": (0.791, 0.81),
    "powerplay11": (0.56, 0.68),
    "sofmattress": (0.664, 0.83),
}


def _hint3() -> tuple[Measure, ...]:
    found: list[Measure] = []
    for bot in BOTS:
        forced, scope = HINT3_REFERENCE[bot]
        found += (
            Measure(f"{bot}: in scope, right", _of(bot, "accuracy")),
            Measure(f"{bot}: the same, none turned away", _of(bot, "forced"), f"{forced:.3f}"),
            Measure(f"{bot}: out of scope, caught", _of(bot, "recall")),
            Measure(f"{bot}: MCC", _of(bot, "mcc")),
            Measure(f"{bot}: AUROC of the scope score", _of(bot, "auroc"), f"{scope:.3f}"),
        )
    return tuple(found)


def _advice() -> tuple[Measure, ...]:
    """What must be refused, then what must not be; each by rules alone and with the classifier."""
    kinds = {
        "both": "advice, refused",
        "read": "advice, the half that was read",
        "unread": "advice, the half nobody read",
        **{area: f"{area} advice, refused" for area in AREAS},
        "elections": "elections: of no category",
        **{name: f"{name}, refused wrongly" for name in MUST_PASS},
    }
    return tuple(
        Measure(f"{words}{' (rules)' if by else ''}", _of(f"{kind}{by}"))
        for kind, words in kinds.items()
        for by in ("_rules", "")
    )


def _ndcg(mode: str) -> Callable[[dict[str, Any]], float]:
    return lambda found: float(found["modes"][mode]["ndcg_at_10"])


def _rewrites(bleu: str = "", copied: str = "") -> tuple[Measure, ...]:
    return (
        Measure("BLEU of the rewrite", _of("bleu"), bleu),
        Measure("BLEU of the question as typed", _of("copied"), copied),
    )


_KEPT = Measure("needs no rewrite, kept as typed", _of("unchanged"), "1.000")

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
    "hint3": DataSet(evaluate_hint3, _hint3()),
    "banking77": DataSet(
        evaluate_banking77, (Measure("accuracy, 77 intents", _of("accuracy"), "0.828"),)
    ),
    "routing": DataSet(
        evaluate_routing,
        (
            Measure("tidy: right", _of("tidy", "accuracy")),
            Measure("tidy: macro-F1", _of("tidy", "macro_f1")),
            Measure("tidy: below the label", _of("tidy", "below")),
            Measure("tidy: above the label", _of("tidy", "above")),
            Measure("tidy: right before the rule", _of("tidy", "guessed")),
            Measure("tidy: right, sure from 0.85", _of("tidy", "right_when_sure")),
            Measure("tidy: right, sure 0.62 to 0.85", _of("tidy", "right_when_fair")),
            Measure("ugly: ids and searches, right", _of("ugly", "accuracy")),
            Measure("ugly: below the label", _of("ugly", "below")),
            Measure("ugly: bare ids, direct", _of("ugly", "ids_direct"), "0"),
            Measure("ugly: product searches, direct", _of("ugly", "searches_direct"), "0"),
            Measure("ugly: chat openers, direct", _of("ugly", "openers_direct")),
            Measure("ugly: chat openers, single shot", _of("ugly", "openers_single_shot")),
            Measure("ugly: chat openers, iterative", _of("ugly", "openers_iterative")),
            Measure("ugly: fragments, direct", _of("ugly", "fragments_direct")),
            Measure("ugly: fragments, single shot", _of("ugly", "fragments_single_shot")),
            Measure("ugly: fragments, iterative", _of("ugly", "fragments_iterative")),
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
    "advice_boundary": DataSet(evaluate_advice_boundary, _advice()),
    "distress": DataSet(
        evaluate_distress,
        (
            Measure("crisis: heard", _of("crisis")),
            Measure("neutral taken for a crisis", _of("alarms")),
            Measure("the same, of look-alikes", _of("look_alikes")),
            Measure("upset: heard", _of("upset")),
            Measure("neutral taken for upset", _of("upset_alarms")),
            Measure("macro-F1 of the three", _of("macro_f1")),
        ),
    ),
    "doc_paste": DataSet(
        evaluate_doc_paste,
        (
            Measure("balanced accuracy", _of("balanced")),
            Measure("documents found", _of("documents")),
            Measure("messages taken for a document", _of("messages")),
        ),
    ),
    "mtrag_un": DataSet(
        evaluate_ambiguity,
        (
            Measure("answerable, asked back by code", _of("over_asking")),
            Measure("underspecified, asked back by code", _of("recall")),
            Measure("left to a model", _of("undecided")),
        ),
    ),
    "mtrag_rewrites": DataSet(evaluate_mtrag_rewrites, (*_rewrites("", "0.435"), _KEPT)),
    "canard": DataSet(
        evaluate_canard,
        (
            *_rewrites("0.515", "0.351"),
            Measure("words the question lacks, brought", _of("recall")),
        ),
    ),
    "trec_cast": DataSet(evaluate_trec_cast, (*_rewrites("", "0.541"), _KEPT)),
    "alexa_cqr": DataSet(
        evaluate_alexa_cqr,
        (
            *_rewrites(),
            Measure("slots held", _of("slots")),
            Measure("slots held by the reply as typed", _of("copied_slots")),
        ),
    ),
    **JUDGED_SETS,
    **SAFETY_SETS,
    **PERSONAL_SETS,
}


# One name for several sets.
GROUPS: dict[str, tuple[str, ...]] = {
    "ambiguity": ("mtrag_un",),
    "groundedness": tuple(name for name, each in SETS.items() if each.judged),
    "followups": ("mtrag_rewrites", "canard", "trec_cast", "alexa_cqr"),
    "topic": ("clinc150", "hint3", "banking77"),
}


class Command(BaseCommand):
    """Measures the controls and the retrieval as the product does them."""

    help = "Prints figures on the data sets under EVAL_DATA, with their references and times."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all without any"
        )
        parser.add_argument("--limit", type=int, help="rows of a set that a judge is put to")
        parser.add_argument("--keep", action="store_true", help="store the figures for this site")
        parser.add_argument("--ship", action="store_true", help="write them into the product")

    def handle(self, *args: Any, **options: Any) -> None:
        named = options["sets"] or list(SETS)
        wanted = [name for group in named for name in GROUPS.get(group, (group,))]
        if unknown := [name for name in wanted if name not in SETS]:
            raise CommandError(f"No such set: {', '.join(unknown)}. There are {', '.join(SETS)}.")
        folder = settings.PLUMBLINE.eval_data
        if not folder:
            self.stdout.write(UNSET)
            return
        kept = {name: options[name] for name in ("limit", "keep", "ship")}
        with Bench(**kept) as bench:
            self._measure(Path(folder), wanted, bench)

    def _measure(self, folder: Path, wanted: Sequence[str], bench: Bench) -> None:
        self.stdout.write(_row(HEAD))
        for name in wanted:
            for line in _lines(name, folder / name, bench):
                self.stdout.write(line)


def _lines(name: str, folder: Path, bench: Bench) -> Iterator[str]:
    """A line a measure, or one that says why there is none."""
    if not folder.is_dir():
        yield f"{name}: there is no folder {folder}."
        return
    started = time.perf_counter()
    try:
        found = SETS[name].run(bench, folder) if SETS[name].judged else SETS[name].run(folder)
    except OSError as error:
        yield f"{name}: {error.filename} cannot be read ({error.strerror})."
        return
    except ProgrammingError:
        yield f"{name}: the database has no tables yet. Run manage.py migrate first."
        return
    seconds = f"{time.perf_counter() - started:.0f}"
    figures = {each.what: _figure(each.read(found), found) for each in SETS[name].measures}
    if not SETS[name].judged:
        bench.note(name, figures)
    for measure in SETS[name].measures:
        figure = figures[measure.what]
        cells = (f"{figure.value:.3f}", figure.interval, measure.reference, str(figure.n), seconds)
        yield _row((name, measure.what, *cells))


def _figure(read: float | Figure, found: Mapping[str, Any]) -> Figure:
    """A bare number has no interval, and the rows of its set."""
    return read if isinstance(read, Figure) else Figure(read, read, read, int(found["n"]))


def _row(cells: Sequence[str]) -> str:
    widths = (14, 36, 7, 12, 10, 5, 7)
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
