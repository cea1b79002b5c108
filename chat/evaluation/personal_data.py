"""How well personal data is found, and how often ordinary text is taken for it.

The sentences are made from templates with invented persons. Of their types we promise some
(`PROMISED`) and not others: organisations, street addresses, places, dates and ages name nobody
by themselves, and a name in running text needs a model that would take products for people.
A span counts as found only when no character of it that is a letter or a digit is left.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chat.evaluation.figures import Figure, share
from chat.evaluation.metrics import rows
from chat.guardrails.personal_data.redaction import KINDS, Found, spans

# The set's types and the kind by which we find them. A title is the word before a name.
PROMISED: dict[str, str] = {
    "CREDIT_CARD": "card",
    "PHONE_NUMBER": "phone",
    "EMAIL_ADDRESS": "email",
    "US_SSN": "national_id",
    "IP_ADDRESS": "ip",
    "IBAN_CODE": "iban",
}
INTRODUCED = "PERSON introduced"
NOT_PROMISED = (
    "PERSON", "ORGANIZATION", "STREET_ADDRESS", "GPE", "DATE_TIME", "TITLE", "AGE", "NRP",
    "ZIP_CODE", "DOMAIN_NAME", "US_DRIVER_LICENSE",
)  # fmt: skip

# What people write before their own or somebody's name. Kept apart from the recogniser's words,
# so that the figure does not follow from them.
_INTRODUCES = re.compile(
    r"(?:\bname(?:'s| is|:)|\bname\?(?: user:)?|\bcalled|\bcalls? me|\bthis is(?: dr\.?)?|\bi am"
    r"|\bi'm|\bmrs?\.|\bms\.|\bdr\.|\bmiss)\s{1,2}\Z",
    re.IGNORECASE,
)
_BEFORE = 24  # characters before a name in which it is introduced


@dataclass(frozen=True, slots=True)
class Seen:
    """A true span: its type, and whether all of it is covered by finds."""

    type: str
    found: bool


def evaluate_pii(folder: Path) -> dict[str, Any]:
    """Recall, precision and F2 by type, over all and over each half; alarms on ordinary text.

    `folder` holds `sentences.jsonl`; the sets of ordinary text are looked for beside it. Gives
    `{"n", "all", "read", "unread", "alarms"}`; see `scored` for the three and `alarms` for the
    last. Raises OSError.
    """
    sentences = rows(folder / "sentences.jsonl")
    halves = {
        name: [row for row in sentences if half(row["id"]) == which]
        for name, which in (("read", 0), ("unread", 1))
    }
    found = {name: scored(part) for name, part in {"all": sentences, **halves}.items()}
    return {"n": len(sentences), **found, "alarms": alarms(folder.parent)}


def half(row_id: str) -> int:
    """0 or 1, by a hash of the row's id: the first half may be read, the second may not.

    By another end of the hash than `halves`: rows were read under this one.
    """
    return int(hashlib.sha256(str(row_id).encode()).hexdigest(), 16) % 2


def scored(sentences: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """`{"n", "recall": {type: figure}, "precision": {type: figure}, "f2": {type: number}}`.

    `promised` among the types is all of them. A find that touches no true span is a false one.
    """
    seen: list[Seen] = []
    right: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for row in sentences:
        finds = list(spans(row["text"]))
        seen += seen_in(row["text"], row["spans"], finds)
        for start, end, kind in finds:
            right[kind].append(any(s["start"] < end and start < s["end"] for s in row["spans"]))
    types = (*PROMISED, INTRODUCED)
    recall = {
        each: share([one.found for one in seen if one.type == each])
        for each in (*types, *NOT_PROMISED)
    }
    recall["promised"] = share([one.found for one in seen if one.type in types])
    precision = {each: share(right[kind]) for each, kind in PROMISED.items()}
    precision |= {INTRODUCED: share(right["name"]), "promised": share(sum(right.values(), []))}
    scores = {each: f2(precision[each], recall[each]) for each in precision}
    return {"n": len(sentences), "recall": recall, "precision": precision, "f2": scores}


def seen_in(text: str, true: Iterable[dict[str, Any]], finds: Sequence[Found]) -> list[Seen]:
    """Each true span by its type; a name that is introduced is one more type of its own."""
    covered = [False] * len(text)
    for start, end, _ in finds:
        covered[start:end] = [True] * (end - start)
    seen = []
    for span in true:
        start, end = span["start"], span["end"]
        found = all(covered[at] or not text[at].isalnum() for at in range(start, end))
        seen.append(Seen(span["type"], found))
        if span["type"] == "PERSON" and _INTRODUCES.search(text[max(0, start - _BEFORE) : start]):
            seen.append(Seen(INTRODUCED, found))
    return seen


def f2(precision: Figure, recall: Figure) -> float:
    """Recall counts twice: what is left of personal data is a leak."""
    below = 4 * precision.value + recall.value
    return 5 * precision.value * recall.value / below if below else 0.0


def alarms(data: Path) -> dict[str, Any]:
    """By set of ordinary text `{"n", "any": figure, "per_1000": {kind: number}}`: the share of
    texts in which anything is found, and the finds in 1,000 texts. What a site's pages say of
    themselves (its own addresses) counts too. A set that is missing has no rows."""
    found: dict[str, Any] = {}
    for name, (file, read) in ORDINARY.items():
        texts = [read(row) for row in rows(data / file)] if (data / file).is_file() else []
        finds = [[kind for _, _, kind in spans(text)] for text in texts]
        kinds = [kind for each in finds for kind in each]
        rate = {kind: 1000 * kinds.count(kind) / max(1, len(texts)) for kind in KINDS}
        found[name] = {"n": len(texts), "any": share(finds), "per_1000": rate}
    return found


def _text(row: dict[str, Any]) -> str:
    return str(row["text"])


ORDINARY: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "banking77": ("banking77/test.jsonl", _text),
    "clinc150": ("clinc150/test.jsonl", _text),
    "support_kbs": ("support_kbs/sections.jsonl", _text),
    "xquad": ("xquad/passages.jsonl", _text),
}
