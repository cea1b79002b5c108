"""`manage.py verify_decisions`: walks every chain and names the first broken link of each.

With `--anchor FILE` the state of all chains is added to a file that is kept elsewhere; with
`--against FILE` it is proved that nothing that stood then was changed or removed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.records import anchors
from chat.records.verify import chains
from chat.roles import as_owner


class Command(BaseCommand):
    help = "Walks the chains of decision records and names the first broken link of each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--anchor", metavar="FILE", help="add a line about all heads to a file")
        parser.add_argument("--against", metavar="FILE", help="compare with a file of such lines")

    def handle(self, *args: Any, **options: Any) -> None:
        kept = _read(options["against"]) if options["against"] else []
        self._walk()
        for anchor in kept:
            if told := anchors.difference(anchor):
                raise CommandError(f"not as it was on {anchor.time}: {told}")
            self.stdout.write(f"as it was on {anchor.time}: {anchor.records:,} records")
        if options["anchor"]:
            self._anchor(options["anchor"])

    def _walk(self) -> None:
        seen = records = purged = erased = broken = 0
        for chain in chains():
            seen, records = seen + 1, records + chain.records
            purged, erased = purged + chain.purged, erased + chain.erased
            if link := chain.broken:
                broken += 1
                self.stdout.write(f"{link.conversation} record {link.number}: {link.why}")
        if broken:
            raise CommandError(f"{broken} of {seen} chains are broken")
        self.stdout.write(f"{records:,} records in {seen:,} chains, none broken")
        if purged or erased:
            self.stdout.write(f"{purged:,} purged before them, content of {erased:,} erased")

    def _anchor(self, path: str) -> None:
        """Only what was verified is anchored."""
        with as_owner():
            anchor = anchors.take()
        try:
            with Path(path).open("a") as file:
                file.write(anchor.line() + "\n")
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from error
        self.stdout.write(f"anchored {anchor.records:,} records in {path}; keep it elsewhere")


def _read(path: str) -> list[anchors.Anchor]:
    try:
        lines = Path(path).read_text().splitlines()
        found = [anchors.read(line) for line in lines if line.strip()]
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    except (anchors.BadAnchor, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from error
    if not found:
        raise CommandError(f"{path} holds no anchor")
    return found
