"""Takes documents into the index from the command line."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat import wiring
from chat.contracts.errors import ChatError
from chat.retrieval.ingest import Outcome, Progress, Report, ingest_paths


class Command(BaseCommand):
    """`manage.py ingest PATH…`: Markdown files, and the Markdown files of folders."""

    help = "Takes documents into the index; unchanged ones are skipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument(
            "--collection",
            default=wiring.COLLECTION,
            help="the collection that the documents belong to (default: %(default)s)",
        )
        parser.add_argument(
            "--prune",
            action="store_true",
            help="retire documents of the collection that the paths do not hold",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["prune"] and not all(path.exists() for path in options["paths"]):
            raise CommandError("With --prune every path must exist; nothing was changed.")
        try:
            report = ingest_paths(
                options["paths"],
                options["collection"],
                wiring.embedder(),
                self._show,
                prune=options["prune"],
            )
        except ChatError as error:
            raise CommandError(f"Stopped: {error}") from error
        self._sum_up(report)

    def _show(self, progress: Progress) -> None:
        """One line that is written over on a terminal, and the last one elsewhere."""
        last = progress.done == progress.total
        if not self.stderr.isatty() and not last:
            return
        line = (
            f"{progress.done}/{progress.total} documents, "
            f"{_counted(progress.passages, 'passage')}, "
            f"{progress.seconds:.1f} s"
        )
        start = "\r\x1b[K" if self.stderr.isatty() else ""
        self.stderr.write(f"{start}{line}", lambda text: text, ending="\n" if last else "")

    def _sum_up(self, report: Report) -> None:
        for refusal in report.refused:
            self.stderr.write(str(refusal))
        counts = ", ".join(f"{report.count(outcome)} {outcome}" for outcome in Outcome)
        self.stdout.write(
            f"{_counted(len(report.outcomes), 'document')}: {counts}, "
            f"{len(report.retired)} retired; "
            f"{_counted(report.passages, 'passage')} written in {report.seconds:.1f} s"
        )
        if report.refused:
            raise CommandError(f"{len(report.refused)} refused; the others are in the index.")
        if not report.outcomes:
            raise CommandError("No Markdown file was found there.")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
