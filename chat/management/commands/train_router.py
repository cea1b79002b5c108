"""Trains the router from shipped examples and labelled queries, and says how good it is."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat import wiring
from chat.adapters.query_shapes import is_ugly
from chat.adapters.route_classifier import (
    Labelled,
    Validation,
    fitted,
    nearest_centroid,
    validated,
)
from chat.contracts.errors import ChatError
from chat.contracts.verdicts import Route
from chat.evaluation.figures import share
from chat.guardrails.routes import LEVELS
from chat.models import TrainedRouter
from chat.sample.loader import examples

NAMES = ", ".join(LEVELS)


class LabelFault(ValueError):
    """A line of a file of labels that cannot be used, and why."""


class Command(BaseCommand):
    """`manage.py train_router [--labels FILE.jsonl]`."""

    help = "Trains the router, prints cross-validated figures, and stores what it learnt."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--labels",
            type=Path,
            metavar="FILE",
            help='one JSON object a line: {"text": "…", "route": "single_shot"}',
        )

    def handle(self, *args: Any, **options: Any) -> None:
        labels = read_labels(options["labels"]) if options["labels"] else []
        learnt = together(examples().routes.labelled, labels)
        embedder = wiring.embedder()
        try:
            vectors = embedder.embed([query for query, _ in learnt])
        except ChatError as error:
            raise CommandError(f"Stopped: {error}") from error
        found = validated(learnt, vectors)
        self.stdout.write(f"{len(learnt) - len(labels)} shipped examples, {len(labels)} labelled")
        for line in report(learnt, found, validated(learnt, vectors, nearest_centroid)):
            self.stdout.write(line)
        row = TrainedRouter.objects.create(
            embedder=embedder.name,
            weights=fitted(learnt, vectors).as_json(),
            examples=len(learnt),
            labels=len(labels),
            accuracy=share(right(learnt, found)).value,
        )
        self.stdout.write(
            f"Stored as {row} for {embedder.name}. A server uses it from its next start."
        )


def read_labels(path: Path) -> list[Labelled]:
    """The labelled queries of a file; of a query that stands twice the last. CommandError."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text.") from error
    found: dict[str, Labelled] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            query, route = label_from(line)
        except LabelFault as fault:
            raise CommandError(f"{path}, line {number}: {fault} Nothing was trained.") from fault
        found[_key(query)] = (query, route)
    if not found:
        raise CommandError(f"{path} holds no label. Nothing was trained.")
    return list(found.values())


def label_from(line: str) -> Labelled:
    """One line of a file of labels. Raises LabelFault; fields besides the two are let be."""
    try:
        row = json.loads(line)
    except ValueError as error:
        raise LabelFault("it is not JSON.") from error
    if not isinstance(row, dict):
        raise LabelFault("it is not a JSON object.")
    text, route = row.get("text"), row.get("route")
    if not isinstance(text, str) or not text.strip():
        raise LabelFault('"text" is missing or empty.')
    if route not in LEVELS:
        raise LabelFault(f'"route" is {json.dumps(route)}; there are {NAMES}.')
    return text.strip(), Route(route)


def together(shipped: Sequence[Labelled], labels: Sequence[Labelled]) -> list[Labelled]:
    """Shipped examples and labels; a label replaces the example with the same words."""
    said = {_key(query) for query, _ in labels}
    return [example for example in shipped if _key(example[0]) not in said] + list(labels)


def right(learnt: Sequence[Labelled], found: Validation) -> list[bool]:
    """For each example, whether a classifier that had not seen it was right."""
    return [g.route is route for g, (_, route) in zip(found.guesses, learnt, strict=True)]


def report(learnt: Sequence[Labelled], found: Validation, centroid: Validation) -> Iterator[str]:
    """The figures as lines: shares overall, of tidy and of ugly queries, and who became what."""
    hits = right(learnt, found)
    pairs = [(guess.route, route) for guess, (_, route) in zip(found.guesses, learnt, strict=True)]
    lower = [LEVELS.index(said) < LEVELS.index(true) for said, true in pairs]
    ugly = [is_ugly(query) for query, _ in learnt]
    parts: tuple[tuple[str, Callable[[bool], bool]], ...] = (
        ("", lambda _ugly: True),
        (", tidy", lambda ugly: not ugly),
        (", ugly", lambda ugly: ugly),
    )
    yield "five-fold cross-validation          share  95 %              n"
    for what, values in (("right", hits), ("routed below the label", lower)):
        for part, belongs in parts:
            chosen = [value for value, is_one in zip(values, ugly, strict=True) if belongs(is_one)]
            yield _line(f"{what}{part}", chosen)
    yield _line("right, by the nearest centroid", right(learnt, centroid))
    yield f"{'label':<14}" + "".join(f"{f'said {level}':>18}" for level in LEVELS)
    for true in LEVELS:
        yield f"{true:<14}" + "".join(f"{pairs.count((said, true)):>18}" for said in LEVELS)


def _line(what: str, values: Sequence[bool]) -> str:
    figure = share(values)
    return f"{what:<34}  {figure.value:.3f}  {figure.interval:<15} {figure.n:>4}"


def _key(query: str) -> str:
    return " ".join(query.casefold().split())
