"""`manage.py alerts`: looks at what happened lately, and opens incidents of what speaks."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from admin_tracing import incidents
from chat.alerts import check


class Command(BaseCommand):
    help = (
        "Evaluates the alert rules over the database and opens one incident a rule and control, "
        "never a second while one is not closed. Made to be run every few minutes."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        alerts = check(timezone.now())
        opened = [incident for alert in alerts if (incident := incidents.open_from_alert(alert))]
        incidents.weigh_open()
        for incident in opened:
            told = f"incident {incident.pk}, {incident.severity}, {incident.owner}"
            self.stdout.write(f"{told}: {incident.title}")
        self.stdout.write(f"{len(alerts)} alerts, {len(opened)} incidents opened")
