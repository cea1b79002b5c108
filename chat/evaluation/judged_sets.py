"""The sets that a judge is measured on, and the published figures beside them.

References are of their sets' notes: AUROC of plain word overlap, on these rows; balanced accuracy
of attributionbench of the same; F1 and accuracy of wice of T5-3B trained on such claims (GPT-4:
0.610 and 0.77); accuracy of halueval of the paper's model on ten thousand rows; macro-F1 of
attributionbench of a GPT-3.5 that was tuned for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from chat.evaluation.table import DataSet, Measure, of

_SHOWN = (
    "precision of supported",
    "recall of supported",
    "precision of not supported",
    "recall of not supported",
    "F1 of not supported",
    "F1 of supported",
    "balanced accuracy",
    "accuracy",
    "AUROC",
    "AUROC of word overlap",
    "decided by code alone",
)


def _judged(name: str, references: Mapping[str, str], *more: str) -> DataSet:
    """`references` stand beside the measures of these names; `more` are the set's own measures."""
    measures = tuple(Measure(what, of(what), references.get(what, "")) for what in (*_SHOWN, *more))
    return DataSet(lambda bench, folder: bench.measure(name, folder), measures, judged=True)


JUDGED_SETS: dict[str, DataSet] = {
    "attributionbench": _judged(
        "attributionbench",
        {"AUROC": "0.814", "balanced accuracy": "0.755", "macro-F1 of subsets": "0.80"},
        "macro-F1 of subsets",
    ),
    "wice": _judged("wice", {"AUROC": "0.756", "accuracy": "0.88", "F1 of supported": "0.778"}),
    "mtrag_human_eval": _judged(
        "mtrag_human_eval", {"AUROC": "0.940"}, "rank correlation with the rating"
    ),
    "begin_wow": _judged("begin_wow", {"AUROC": "0.939"}),
    "faithdial_audit": _judged(
        "faithdial_audit", {"AUROC": "0.746"}, "partial hallucinations caught"
    ),
    "halueval": _judged("halueval", {"AUROC": "0.915", "accuracy": "0.626"}),
}
