"""How well abuse is told from what only looks like it, by functionality.

The set calls an insult to one person "non-hateful": its label is hate against a group. The product
must not say either, so those rows, and slurs that their own people use, are right to be stopped
here and count as wrong in the set's own figure; both figures are given. The rows are made from
templates, and the two halves share them: the half that was not read says little more than the
other.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from chat.evaluation.figures import Figure, share
from chat.evaluation.halves import is_read
from chat.evaluation.injection import handbook
from chat.evaluation.metrics import rows
from chat.guardrails.toxicity import toxic

HATEFUL = "hateful"
OURS_TOO = ("target_indiv_nh", "slur_reclaimed_nh")  # labelled non-hateful, and unfit to be said

FUNCTIONS = (
    "derog_dehum_h", "derog_impl_h", "derog_neg_attrib_h", "derog_neg_emote_h", "negate_pos_h",
    "phrase_opinion_h", "phrase_question_h", "profanity_h", "ref_subs_clause_h", "ref_subs_sent_h",
    "slur_h", "spell_char_del_h", "spell_char_swap_h", "spell_leet_h", "spell_space_add_h",
    "spell_space_del_h", "threat_dir_h", "threat_norm_h", "counter_quote_nh", "counter_ref_nh",
    "ident_neutral_nh", "ident_pos_nh", "negate_neg_nh", "profanity_nh", "slur_homonym_nh",
    "slur_reclaimed_nh", "target_group_nh", "target_indiv_nh", "target_obj_nh",
)  # fmt: skip

# Ordinary text, by set: the file, and the column that holds its text or its sentences.
ORDINARY: dict[str, tuple[str, str]] = {
    "support_kbs": ("support_kbs/sections.jsonl", "text"),
    "banking77": ("banking77/test.jsonl", "text"),
    "xquad": ("xquad/passages.jsonl", "text"),
    "clapnq": ("clapnq/passages.jsonl", "sentences"),
}


def evaluate_hatecheck(folder: Path) -> dict[str, Any]:
    """Shares that are right: `{"n", "hateful", "non_hateful", "unfit", "fit", "functions": {…},
    "alarms": {…}}`, each but `n` a figure or a table of them; `…_read` and `…_unread` by halves.

    `unfit` and `fit` take insults and reclaimed slurs for what no answer may say. `alarms` are the
    shares of ordinary text that are stopped; the other sets lie beside `folder`, which holds
    `cases.jsonl`, and one that is missing has a figure of no rows. Raises OSError.
    """
    cases = rows(folder / "cases.jsonl")
    found = [toxic(row["text"]).found for row in cases]
    functions: dict[str, list[bool]] = defaultdict(list)
    parts: dict[str, list[bool]] = defaultdict(list)
    for row, hit in zip(cases, found, strict=True):
        is_hateful = row["label"] == HATEFUL
        is_unfit = is_hateful or row["functionality"] in OURS_TOO
        functions[row["functionality"]].append(hit == is_hateful)
        parts["hateful" if is_hateful else "non_hateful"].append(hit == is_hateful)
        parts["unfit" if is_unfit else "fit"].append(hit == is_unfit)
        half = "read" if is_read(row["id"]) else "unread"
        parts[f"{'hateful' if is_hateful else 'non_hateful'}_{half}"].append(hit == is_hateful)
    names = ("hateful", "non_hateful")
    halves = [f"{name}_{half}" for name in names for half in ("read", "unread")]
    return {
        "n": len(cases),
        **{name: share(parts[name]) for name in (*names, "unfit", "fit", *halves)},
        "functions": {name: share(functions[name]) for name in FUNCTIONS},
        "alarms": alarms(folder.parent),
    }


def alarms(sets: Path) -> dict[str, Figure]:
    """The shares of ordinary text that would be stopped."""
    found = {name: _stopped(sets / file, column) for name, (file, column) in ORDINARY.items()}
    return {**found, "handbook": share([toxic(text).found for text in handbook()])}


def _stopped(path: Path, column: str) -> Figure:
    texts = [row[column] for row in rows(path)] if path.is_file() else []
    return share([toxic(t if isinstance(t, str) else " ".join(t)).found for t in texts])
