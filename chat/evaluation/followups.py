"""How well a follow-up becomes a question of its own, on four public sets of rewrites.

What is measured is the offline model's code, given what a turn is given: the last five exchanges,
with answers where a set has them. Beside each BLEU stands that of the question as it was typed,
since a text that is left alone already shares most of its words with its rewrite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.offline.followup import standalone
from chat.adapters.offline.reading import Memory
from chat.adapters.offline.text import content
from chat.contracts.tasks import Exchange
from chat.evaluation.bleu import best, counts, score, tokens
from chat.evaluation.figures import Figure, resampled, share
from chat.evaluation.metrics import rows

HISTORY = 5  # exchanges, as in a turn


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A row of any set: what was typed, what came before, oldest first, and how people put it."""

    question: str
    history: tuple[Exchange, ...]
    rewrites: tuple[str, ...]


def evaluate_mtrag_rewrites(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """`{"n", "bleu", "copied", "unchanged"}`: BLEU, that of a copy, and the share kept as it is.

    `unchanged` counts the rows that need no rewrite and are left exactly as typed. Raises
    OSError. `folder` holds `rewrites.jsonl`.
    """
    read = [
        FollowUp(row["last_turn"], _asked(row["earlier_user_turns"]), (row["rewrite"],))
        for row in rows(folder / "rewrites.jsonl")
    ]
    return _questions(read, embedder)


def evaluate_trec_cast(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """The same over the TREC conversations. Raises OSError. `folder` holds `rewrites.jsonl`."""
    read = [
        FollowUp(row["utterance"], _asked(row["history"]), (row["resolved"],))
        for row in rows(folder / "rewrites.jsonl")
    ]
    return _questions(read, embedder)


def evaluate_canard(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """`{"n", "bleu", "copied", "recall"}`, with answers in the history.

    `recall` is the share of the content words that a rewrite has and its question lacks, which
    the output brings. Raises OSError. `folder` holds `dev.jsonl`.
    """
    read = [
        FollowUp(row["question"], _answered(row["history"]), (row["rewrite"],))
        for row in rows(folder / "dev.jsonl")
    ]
    said = folded(read, embedder)
    found = [_brought(text, row) for text, row in zip(said, read, strict=True)]
    return {**_bleu(read, said), "recall": _ratio(found)}


def evaluate_alexa_cqr(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """`{"n", "bleu", "copied", "slots", "copied_slots"}`: replies to the assistant's questions.

    BLEU here is the mean of each text's with the reference it is most like; `slots` is the
    share of the things named in the conversation that the output holds. Raises OSError.
    `folder` holds `rewrites.jsonl`.
    """
    kept = rows(folder / "rewrites.jsonl")
    read = [
        FollowUp(row["utterance"], _spoken(row["history"]), tuple(row["rewrites"])) for row in kept
    ]
    said, typed = folded(read, embedder), [row.question for row in read]
    return {
        "n": len(read),
        "bleu": _mean([best(text, row.rewrites) for text, row in zip(said, read, strict=True)]),
        "copied": _mean([best(row.question, row.rewrites) for row in read]),
        "slots": _ratio([_held(t, r["gold_slots"] or ()) for t, r in zip(said, kept, strict=True)]),
        "copied_slots": _ratio(
            [_held(t, r["gold_slots"] or ()) for t, r in zip(typed, kept, strict=True)]
        ),
    }


def folded(read: Sequence[FollowUp], embedder: Embedder | None = None) -> list[str]:
    """What the offline model makes of each row."""
    memory = Memory(embedder or MiniLM())
    return [standalone(row.question, row.history[-HISTORY:], memory) for row in read]


def _questions(read: Sequence[FollowUp], embedder: Embedder | None) -> dict[str, Any]:
    said = folded(read, embedder)
    kept = [
        text == row.question
        for text, row in zip(said, read, strict=True)
        if row.rewrites == (row.question,)
    ]
    return {**_bleu(read, said), "unchanged": share(kept)}


def _bleu(read: Sequence[FollowUp], said: Sequence[str]) -> dict[str, Any]:
    typed = [row.question for row in read]
    return {"n": len(read), "bleu": _corpus(read, said), "copied": _corpus(read, typed)}


def _corpus(read: Sequence[FollowUp], said: Sequence[str]) -> Figure:
    table = np.array([counts(text, row.rewrites) for text, row in zip(said, read, strict=True)])
    return resampled(lambda drawn: score(table[drawn]), len(table))


def _mean(values: Sequence[float]) -> Figure:
    found = np.array(values)
    return resampled(lambda drawn: float(found[drawn].mean()), len(found))


def _ratio(pairs: Sequence[tuple[int, int]]) -> Figure:
    """Found of wanted, over the rows that want anything."""
    table = np.array([pair for pair in pairs if pair[1]])

    def of(drawn: Any) -> float:
        found, wanted = table[drawn].sum(axis=0)
        return float(found / wanted)

    return resampled(of, len(table))


def _brought(text: str, row: FollowUp) -> tuple[int, int]:
    """How many content words the rewrite adds to its question, and how many the text brings."""
    wanted = set(content(row.rewrites[0])) - set(content(row.question))
    return len(wanted & set(content(text))), len(wanted)


def _held(text: str, slots: Sequence[str]) -> tuple[int, int]:
    """How many of the slots stand in the text as whole words, and how many there are."""
    whole = f" {' '.join(tokens(text))} "
    return sum(f" {' '.join(tokens(slot))} " in whole for slot in slots), len(slots)


def _asked(questions: Sequence[str]) -> tuple[Exchange, ...]:
    return tuple(Exchange(question=question, answer="") for question in questions)


def _answered(turns: Sequence[str]) -> tuple[Exchange, ...]:
    """Question and answer in turn."""
    return tuple(
        Exchange(question=question, answer=answer)
        for question, answer in zip(turns[::2], turns[1::2], strict=False)
    )


def _spoken(turns: Sequence[dict[str, str]]) -> tuple[Exchange, ...]:
    """What each side said; a side that speaks twice in a row says it in one breath."""
    found: list[Exchange] = []
    for turn in turns:
        if turn["speaker"] == "driver":
            found.append(Exchange(question=turn["text"], answer=""))
        elif found:
            last = found.pop()
            answer = f"{last.answer} {turn['text']}".strip()
            found.append(Exchange(question=last.question, answer=answer))
    return tuple(found)
