"""The sets on which people said whether a text is carried by its sources, as rows of one shape.

Rows without anything to rest on, and those on which the label says nothing of grounding (small
talk, refusals), are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chat.contracts.passages import Passage
from chat.evaluation.halves import is_read
from chat.evaluation.metrics import rows


@dataclass(frozen=True, slots=True)
class Labelled:
    """A draft with its passages, and whether people found all of it carried by them.

    `key` names the row, or what its near twins share. `group` is a part of the set with figures
    of its own. `marked` are further labels of people: words, and a rating from 1 to 4.
    """

    key: str
    question: str
    draft: str
    passages: tuple[Passage, ...]
    grounded: bool
    group: str = ""
    marked: frozenset[str] = field(default_factory=frozenset)
    rating: float | None = None


def unread(found: Sequence[Labelled]) -> list[Labelled]:
    """The half on which no rule and no weight was chosen."""
    return [row for row in found if not is_read(row.key)]


def attributionbench(folder: Path) -> Iterator[Labelled]:
    for row in rows(folder / "claims.jsonl"):
        yield Labelled(
            row["id"],
            row["question"],
            row["claim"],
            _passages(row["references"]),
            row["attributable"],
            group=row["subset"],
        )


def wice(folder: Path) -> Iterator[Labelled]:
    for row in rows(folder / "claims.jsonl"):
        evidence = _passages(["\n".join(row["evidence"])], title=row["article"])
        yield Labelled(row["id"], "", row["claim"], evidence, row["label"] == "supported")


def mtrag_human_eval(folder: Path) -> Iterator[Labelled]:
    """Carried from a median of 3 of 4. The passages lie in the set beside it."""
    texts = {row["id"]: row for row in rows(folder.parent / "mtrag_un" / "passages.jsonl")}
    for row in rows(folder / "answers.jsonl"):
        found = [texts[name] for name in row["passages"] if name in texts]
        if not found:
            continue
        passages = tuple(
            _passage(text["id"], text["text"], text.get("title") or "") for text in found
        )
        rating = row["faithfulness_median"]
        yield Labelled(
            row["conversation"],
            row["question"],
            row["answer"],
            passages,
            rating >= 3,
            rating=rating,
        )


def begin_wow(folder: Path) -> Iterator[Labelled]:
    for row in rows(folder / "responses.jsonl"):
        if row["label"] != "Generic":
            carried = row["label"] == "Fully attributable"
            said = _passages([row["knowledge"]])
            yield Labelled(row["id"], row["message"], row["response"], said, carried)


def faithdial_audit(folder: Path) -> Iterator[Labelled]:
    """Carried if people found entailment and no hallucination, whatever the manner."""
    for row in rows(folder / "responses.jsonl"):
        marked = frozenset(row["labels"])
        made_up = bool(marked & {"hallucination", "partial hallucination"})
        if made_up or "entailment" in marked:
            said = _passages([row["knowledge"]])
            yield Labelled(
                row["id"], row["history"], row["response"], said, not made_up, marked=marked
            )


def halueval(folder: Path) -> Iterator[Labelled]:
    """The right answer and the made-up one to each question; a model made up the latter."""
    for row in rows(folder / "qa.jsonl"):
        for name, carried in (("right_answer", True), ("hallucinated_answer", False)):
            said = _passages([row["knowledge"]])
            yield Labelled(row["id"], row["question"], row[name], said, carried)


READERS: dict[str, Callable[[Path], Iterator[Labelled]]] = {
    "attributionbench": attributionbench,
    "wice": wice,
    "mtrag_human_eval": mtrag_human_eval,
    "begin_wow": begin_wow,
    "faithdial_audit": faithdial_audit,
    "halueval": halueval,
}


def _passages(texts: Sequence[Any], title: str = "") -> tuple[Passage, ...]:
    return tuple(_passage(str(n), text, title) for n, text in enumerate(texts, start=1) if text)


def _passage(name: str, text: str, title: str) -> Passage:
    return Passage(chunk=name, document=name, version=1, title=title, text=text)
