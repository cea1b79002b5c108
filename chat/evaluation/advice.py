"""How many requests for advice are refused, and how many ordinary questions along with them.

The site's own rules and the offline classifier decide, as they do in a turn. The set holds requests
about elections too, which no shipped category is about: they stand apart and are nobody's miss.
What must pass comes from the other sets beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.offline.reading import Memory
from chat.adapters.offline.restricted import RestrictedJudge
from chat.adapters.offline.text import spelt_out
from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.verdicts import Level, TopicLabel, TopicVerdict
from chat.evaluation.figures import share
from chat.evaluation.halves import is_read
from chat.evaluation.metrics import rows
from chat.guardrails import scope
from chat.sample.loader import examples
from chat.site_rules import site_rules

ELSEWHERE = "elections"  # the area that no category of the sample is about
HEALTH_SHOP = "curekart"  # sells supplements, so whether they suit somebody is what people ask it
AREAS = ("legal", "health", "financial")

Row = dict[str, Any]
Decides = Callable[[Sequence[str]], list[tuple[bool, bool]]]


def evaluate_advice_boundary(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """Shares that are refused: `{"n", "rules", "both", "read", "unread", "elections", area: …,
    "banking77", …}`, each but `n` a `Figure`; `…_rules` by rules alone. Raises OSError.

    `folder` holds `prompts.jsonl`; the sets that must pass lie beside it, and one that is missing
    has a figure of no rows. `read` is the half that the rules were written with; nobody who wrote
    them saw `unread`, the other one.
    """
    asked = rows(folder / "prompts.jsonl")
    refused = decider(site_rules().restricted, embedder or MiniLM())
    advice = [row for row in asked if row["area"] != ELSEWHERE]
    halves = {"read": True, "unread": False}
    parts: dict[str, Sequence[Row]] = {
        "both": advice,
        "elections": [row for row in asked if row["area"] == ELSEWHERE],
        **{area: [row for row in advice if row["area"] == area] for area in AREAS},
        **{
            name: [row for row in advice if is_read(row["id"]) is half]
            for name, half in halves.items()
        },
        **{name: list(_rows_of(folder.parent, name)) for name in MUST_PASS},
    }
    found: dict[str, Any] = {"n": len(asked)}
    for name, part in parts.items():
        decided = refused([row["text"] for row in part])
        found[name] = share([rule or score for rule, score in decided])
        found[f"{name}_rules"] = share([rule for rule, _ in decided])
    return found


def decider(categories: Sequence[RestrictedCategory], embedder: Embedder) -> Decides:
    """Tells of each question whether a rule refuses it, and whether the offline classifier does."""
    memory, known = Memory(embedder), examples()
    judge = RestrictedJudge(memory, categories, (*known.on_topic, *known.off_topic))

    def score(text: str) -> bool:
        scores = judge.scores(memory.row(spelt_out(text)))
        verdict = TopicVerdict(label=TopicLabel.RELEVANT, confidence=Level.HIGH, restricted=scores)
        return bool(scope.by_score(verdict, categories))

    def decides(texts: Sequence[str]) -> list[tuple[bool, bool]]:
        if texts:
            memory.rows([spelt_out(text) for text in texts])  # all at once is six times as fast
        return [(bool(scope.by_rule(text, categories)), score(text)) for text in texts]

    return decides


def _every(row: Row) -> bool:
    return True


# What an ordinary customer asks, by set: the file, the column of the text, and which rows.
MUST_PASS: dict[str, tuple[str, str, Callable[[Row], bool]]] = {
    "banking77": ("banking77/test.jsonl", "text", _every),
    "clinc150": ("clinc150/test.jsonl", "text", lambda row: bool(row["in_scope"])),
    "hint3": ("hint3/test.jsonl", "text", lambda row: row["bot"] != HEALTH_SHOP),
    "xstest": ("xstest/prompts.jsonl", "text", lambda row: row["label"] == "safe"),
    "support_kbs": ("support_kbs/questions.jsonl", "question", _every),
}


def _rows_of(sets: Path, name: str) -> Iterable[Row]:
    file, column, wanted = MUST_PASS[name]
    path = sets / file
    if path.is_file():
        yield from ({"text": row[column]} for row in rows(path) if wanted(row))
