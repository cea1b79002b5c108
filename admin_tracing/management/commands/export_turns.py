"""`manage.py export_turns --record TURN`: one record as one file that proves itself.

It stands here and not in `chat`, because reading a record is written down.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.management.base import BaseCommand, CommandError

from admin_tracing.access import RECORDS, may
from admin_tracing.models import RecordRead
from chat.models import DecisionRecord, Turn
from chat.records.page import page_of
from chat.records.proof import NoRecord, proof_of


class Command(BaseCommand):
    help = "Writes the decision record of one turn as a page that is checked without this site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--record", metavar="TURN", type=UUID, required=True)
        parser.add_argument(
            "--reader", metavar="NAME", required=True, help="whose reading of it is written down"
        )
        parser.add_argument(
            "--sensitive", action="store_true", help="also if it tells of somebody's health"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="unset: record-TURN.html here")

    def handle(self, *args: Any, **options: Any) -> None:
        turn: UUID = options["record"]
        reader = _reader(options["reader"])
        if not options["sensitive"] and Turn.objects.filter(pk=turn, is_sensitive=True).exists():
            raise CommandError("this turn tells of somebody's health; --sensitive writes it")
        try:
            page = page_of(proof_of(turn))
        except NoRecord as error:
            raise CommandError(str(error)) from error
        RecordRead.objects.create(record=DecisionRecord.objects.get(turn=turn), user=reader)
        file = Path(options["output"] or f"record-{turn}.html")
        try:
            file.write_text(page)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{file}: {len(page.encode()) // 1024:,} KB, opens in any browser")


def _reader(name: str) -> AbstractUser:
    """The account that reads. Raises `CommandError` for one that may not."""
    found: AbstractUser | None = get_user_model().objects.filter(username=name).first()
    if found is None or not may(found, RECORDS):
        raise CommandError(f"{name} is no account of the staff that may read records")
    return found
