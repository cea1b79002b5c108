"""`manage.py purge`: what is older than `RETENTION_DAYS` says goes, class by class."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from admin_tracing.retention import late_notes, notes_of, reads, reads_of
from chat import retention
from chat.removal import Counts
from chat.retention import Batch
from chat.roles import as_owner


class Command(BaseCommand):
    help = "Removes what is older than RETENTION_DAYS allows; what is under a hold stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.PLUMBLINE.retention_days
        with as_owner():
            for name in days:
                self._purge(name, days[name], dry=options["dry_run"])

    def _purge(self, name: str, days: int, *, dry: bool) -> None:
        now, total = timezone.now(), Counts()
        if not days:
            self.stdout.write(f"{name}: kept for ever")
            return
        for batch in _batches(name, days, now, dry=dry):
            total.add(batch.counts)
        told = ", ".join(Counts({k: n for k, n in total.of.items() if n}).words()) or "nothing"
        self.stdout.write(f"{name}, older than {days:,} days: {'would go: ' * dry}{told}")


def _batches(name: str, days: int, now: datetime, *, dry: bool) -> Iterator[Batch]:
    before = retention.moment(now, days)
    why = f"older than {days} days"
    steps = {
        "trace": (partial(retention.trace, before),),
        "content": (
            partial(retention.content, before, now, notes_of),
            partial(retention.staff_messages, before),
            late_notes,
        ),
        "sensitive": (
            partial(retention.content, before, now, notes_of, sensitive=True),
            late_notes,
        ),
        "attachments": (partial(retention.attachments, before),),
        "records": (partial(retention.records, before, why, reads_of),),
        "reads": (partial(reads, before),),
    }
    for step in steps[name]:
        yield from step(dry=dry)
