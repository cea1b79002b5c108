"""`manage.py verify_decisions`: walks every chain and names the first broken link."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.decision_log import verify_all
from chat.models import DecisionRecord


class Command(BaseCommand):
    help = "Walks the chains of decision records and names the first broken link of each."

    def handle(self, *args: Any, **options: Any) -> None:
        chains, broken = 0, []
        for _, link in verify_all():
            chains += 1
            if link is not None:
                broken.append(link)
                self.stdout.write(f"{link.conversation} record {link.number}: {link.why}")
        count = DecisionRecord.objects.count()
        if broken:
            raise CommandError(f"{len(broken)} of {chains} chains are broken")
        self.stdout.write(f"{count:,} records in {chains:,} chains, none broken")
