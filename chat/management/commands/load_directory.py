"""Takes the directory's records in from the command line."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.tools.loading import BadDirectory, load, read_file


class Command(BaseCommand):
    """`manage.py load_directory FILE.csv`: refused records are named, the others go in."""

    help = "Takes records from a CSV file into the directory; unchanged ones are left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, metavar="FILE.csv")
        parser.add_argument(
            "--prune", action="store_true", help="remove records that the file does not hold"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            table = read_file(options["path"])
        except BadDirectory as error:
            raise CommandError(str(error)) from error
        if options["prune"] and (table.refused or not table.rows):
            told = "; ".join(table.refused) or "The file holds no record."
            raise CommandError(f"With --prune every record must be good; nothing changed. {told}")
        for refusal in table.refused:
            self.stderr.write(refusal)
        done = load(table.rows, prune=options["prune"])
        self.stdout.write(
            f"Directory: {done.new} new, {done.changed} changed, "
            f"{done.unchanged} unchanged, {done.removed} removed"
        )
        if table.refused:
            raise CommandError(f"{len(table.refused)} refused; the others are in the directory.")
