"""How well the shipped router sends queries their way, tidy and ugly ones apart.

Nothing is learnt here: the classifier is trained on the shipped examples alone, and its guesses go
through the rule and the thresholds of a turn. Greetings are left out of the ugly sets, as they
never come to the router. The tidy labels are the nature of three sources and no person's verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chat.adapters.embeddings import Embedder, MiniLM
from chat.adapters.route_classifier import Labelled, RouteClassifier, fitted
from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Route, RouteGuess
from chat.evaluation.figures import Figure, macro_f1, resampled, share
from chat.evaluation.metrics import rows
from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.routes import LEVELS, decide, never_direct
from chat.sample.loader import examples

SHORT = 4  # words of a fragment


class Paths:
    """The router of a turn, over many queries at once."""

    def __init__(self, embedder: Embedder, shipped: Sequence[Labelled]) -> None:
        self._embedder = embedder
        self._classifier: RouteClassifier = fitted(
            shipped, embedder.embed([query for query, _ in shipped])
        )
        limits = AgentSettings()
        self._limits = {
            "threshold": limits.route_threshold,
            "direct_threshold": limits.direct_threshold,
        }

    def guessed(self, queries: Sequence[str]) -> list[RouteGuess]:
        return self._classifier.guesses(queries, self._embedder.embed(queries))

    def decided(self, queries: Sequence[str]) -> list[Route]:
        """After the rule: unsure goes up, and some shapes are never answered directly."""
        return [
            self._path(query, guess)
            for query, guess in zip(queries, self.guessed(queries), strict=True)
        ]

    def _path(self, query: str, guess: RouteGuess) -> Route:
        path = decide(guess, **self._limits)
        return Route.SINGLE_SHOT if path is Route.DIRECT and never_direct(query) else path


def evaluate_routing(
    folder: Path, embedder: Embedder | None = None, shipped: Sequence[Labelled] | None = None
) -> dict[str, Any]:
    """`{"n", "tidy": {...}, "ugly": {...}}` of `Figure`s.

    `folder` holds `queries.jsonl`; the ugly sets `bare_ids`, `wands_queries`, `ubuntu_irc` and
    `hint3` lie beside it. Raises OSError when a file is missing.
    """
    paths = Paths(embedder or MiniLM(), shipped or examples().routes.labelled)
    tidy = rows(folder / "queries.jsonl")
    return {"n": len(tidy), "tidy": _tidy(paths, tidy), "ugly": _ugly(paths, folder.parent)}


def _tidy(paths: Paths, asked: list[dict[str, Any]]) -> dict[str, Figure]:
    queries, true = [row["text"] for row in asked], [row["route"] for row in asked]
    guesses, said = paths.guessed(queries), paths.decided(queries)
    sure = [guess for guess in zip(guesses, true, strict=True) if guess[0].confidence >= 0.85]
    fair = [g for g in zip(guesses, true, strict=True) if 0.62 <= g[0].confidence < 0.85]
    return {
        "guessed": share([guess.route == t for guess, t in zip(guesses, true, strict=True)]),
        "accuracy": share([a == b for a, b in zip(said, true, strict=True)]),
        "macro_f1": _macro_f1(said, true),
        "below": share([_level(a) < _level(b) for a, b in zip(said, true, strict=True)]),
        "above": share([_level(a) > _level(b) for a, b in zip(said, true, strict=True)]),
        "right_when_sure": share([guess.route == t for guess, t in sure]),
        "right_when_fair": share([guess.route == t for guess, t in fair]),
    }


def _macro_f1(said: Sequence[str], true: Sequence[str]) -> Figure:
    a, b = np.array([str(path) for path in said]), np.array(true)
    return resampled(lambda drawn: macro_f1(a[drawn].tolist(), b[drawn].tolist()), len(b))


def _ugly(paths: Paths, data: Path) -> dict[str, Figure]:
    """Ids and product searches need one search; of the other two sets nobody has said it."""
    ids = [row["query"] for row in rows(data / "bare_ids" / "queries.jsonl")]
    searches = [row["text"] for row in rows(data / "wands_queries" / "queries.jsonl")]
    threads = rows(data / "ubuntu_irc" / "threads.jsonl")
    foreign = [row for row in rows(data / "hint3" / "test.jsonl") if not row["in_scope"]]
    openers = _asked(row["messages"][0]["text"] for row in threads)
    short = _asked(row["text"] for row in foreign if len(row["text"].split()) <= SHORT)
    look_ups = paths.decided([*ids, *searches])
    found = {
        "accuracy": share([path is Route.SINGLE_SHOT for path in look_ups]),
        "below": share([path is Route.DIRECT for path in look_ups]),
        "ids_direct": share([path is Route.DIRECT for path in look_ups[: len(ids)]]),
        "searches_direct": share([path is Route.DIRECT for path in look_ups[len(ids) :]]),
    }
    for name, queries in (("openers", openers), ("fragments", short)):
        said = paths.decided(queries)
        for level in LEVELS:
            found[f"{name}_{level}"] = share([path is level for path in said])
    return found


def _asked(texts: Any) -> list[str]:
    return [text for text in texts if greeting(text) is not GreetingGuess.YES]


def _level(path: str) -> int:
    return LEVELS.index(Route(path))
