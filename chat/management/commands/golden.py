"""`manage.py golden`: the golden five at every bound, as a table or as data."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat import lab, wiring
from chat.management.setting_up import set_up

HEAD = (
    "rewrites allowed",
    "answered",
    "no results",
    "off topic",
    "retrievals",
    "model calls",
    "budget first: answered / calls",
    "without the topic check: no results / retrievals / calls",
)


class Command(BaseCommand):
    help = "Runs the golden five through the real graph and prints how each bound does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bounds", default="0-3", help="rewrites allowed, such as 2 or 0-3")
        parser.add_argument("--order", choices=("evidence", "budget"))
        parser.add_argument("--no-topic-check", action="store_true")
        parser.add_argument("--retrieval", choices=("lexical", "hybrid"), default="lexical")
        parser.add_argument("--json", action="store_true", help="the same as data")

    def handle(self, *args: Any, **options: Any) -> None:
        bounds = parsed_bounds(options["bounds"])
        set_up(self.stderr.write, self.stderr)
        if options["order"] or options["no_topic_check"]:
            rows = asyncio.run(_one_variant(bounds, options))
            shown = as_table(HEAD[:6], [_plain(row) for row in rows])
        else:
            rows = asyncio.run(_whole(bounds, options["retrieval"]))
            shown = as_table(HEAD, [_line(row) for row in rows])
        text = [json.dumps(rows, indent=2)] if options["json"] else shown + _per_question(rows)
        self.stdout.write("\n".join(text))


def parsed_bounds(text: str) -> range:
    """`2` or `0-3`. Raises `CommandError` for anything else."""
    first, _, last = text.partition("-")
    try:
        bounds = range(int(first), int(last or first) + 1)
    except ValueError:
        raise CommandError("--bounds takes a number or a range, such as 2 or 0-3") from None
    if not bounds or bounds[-1] > 3:
        raise CommandError("--bounds goes from 0 to 3: each golden question has three rewrites")
    return bounds


async def _whole(bounds: Sequence[int], retrieval: str) -> list[dict[str, Any]]:
    try:
        return await lab.table(bounds, retrieval)
    finally:
        await wiring.runner().close()


async def _one_variant(bounds: Sequence[int], options: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    try:
        for bound in bounds:
            variant = lab.Variant(
                bound,
                order=options["order"] or "evidence",
                topic_check=not options["no_topic_check"],
                retrieval=options["retrieval"],
            )
            outcomes = await lab.run(variant)
            questions = [{**asdict(o), "turn": str(o.turn)} for o in outcomes]
            rows.append({"bound": bound, **asdict(lab.totals(outcomes)), "questions": questions})
    finally:
        await wiring.runner().close()
    return rows


def _plain(row: dict[str, Any]) -> list[str]:
    fields = ("bound", "answered", "no_results", "off_topic", "retrievals", "calls")
    return [str(row[field]) for field in fields]


def _line(row: dict[str, Any]) -> list[str]:
    budget, unchecked = row["budget_first"], row["no_topic_check"]
    return [
        *_plain(row),
        f"{budget['answered']} / {budget['calls']}",
        f"{unchecked['no_results']} / {unchecked['retrievals']} / {unchecked['calls']}",
    ]


def as_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Markdown rows, padded to their columns."""
    widths = [max(len(cell) for cell in column) for column in zip(head, *lines, strict=True)]
    rule = ["-" * width for width in widths]
    return [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in (head, rule, *lines)
    ]


def _per_question(rows: Sequence[dict[str, Any]]) -> list[str]:
    return ["", *(f"{row['bound']} rewrites: {_calls(row)}" for row in rows)]


def _calls(row: dict[str, Any]) -> str:
    return ", ".join(f"{q['question']} {q['termination']} {q['calls']}" for q in row["questions"])
