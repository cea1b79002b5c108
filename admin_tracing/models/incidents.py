"""Incidents: what went wrong, whose it is, what is suspected, and who did what about it.

`admin_tracing.incidents` alone writes them. Text of people is redacted before it comes here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from admin_tracing.models.labels import GroundednessLabel
from admin_tracing.suspects import SuspectKind
from admin_tracing.taxonomy import Category, Severity
from chat.models import Turn


class CategoryOwner(models.Model):
    """The group or role that a category's incidents go to; without a row, the taxonomy's."""

    category = models.CharField(max_length=20, choices=Category.choices(), unique=True)
    owner = models.CharField(max_length=80)

    class Meta:
        ordering = ("category",)
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.category}: {self.owner}"


class Incident(models.Model):
    """One thing that went wrong. `severity` is in force; `computed` is what the rule says.

    `since` and `until` are the window of what is suspected; without `until` it goes on. An alert
    opens one incident a rule and control, and no second one while that is not closed.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        CONTAINED = "contained"
        CLOSED = "closed"

    category = models.CharField(max_length=20, choices=Category.choices())
    severity = models.CharField(max_length=8, choices=Severity.choices())
    computed = models.CharField(max_length=8, choices=Severity.choices(), editable=False)
    is_overridden = models.BooleanField(default=False, editable=False)
    owner = models.CharField(max_length=80)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN, db_index=True)
    title = models.CharField(max_length=160)
    note = models.TextField(blank=True)
    opened_at = models.DateTimeField(auto_now_add=True, db_index=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    turn = models.ForeignKey(
        Turn, null=True, blank=True, on_delete=models.PROTECT, related_name="incidents"
    )
    label = models.ForeignKey(
        GroundednessLabel, null=True, on_delete=models.PROTECT, related_name="incidents"
    )
    rule = models.CharField(max_length=60, blank=True)
    control = models.CharField(max_length=24, blank=True)
    alert = models.JSONField(null=True)

    since = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    suspect_kind = models.CharField(max_length=8, choices=SuspectKind.choices(), blank=True)
    suspect_name = models.CharField(max_length=200, blank=True)
    suspect_value = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ("-opened_at", "-id")
        default_permissions = ()
        permissions = (("work_on_incidents", "Can open, see and work on incidents"),)
        constraints = (
            models.UniqueConstraint(
                fields=("rule", "control"),
                condition=Q(status__in=("open", "contained")) & ~Q(rule=""),
                name="one_open_incident_a_rule",
            ),
        )

    def __str__(self) -> str:
        """Without its title: this goes into the admin's log, which nothing erases."""
        return f"incident {self.pk}"


class IncidentChange(models.Model):
    """One line of an incident's log: who changed what, and why. Rows are added, never changed.

    Notes are named, not repeated; erasing a person empties `reason` and nothing else.
    """

    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="changes")
    at = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    what = models.CharField(max_length=40)
    before = models.CharField(max_length=300, blank=True)
    after = models.CharField(max_length=300, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ("at", "id")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.what} of {self.incident_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises `TypeError` for a row that stands already."""
        if self.pk is not None:
            raise TypeError("A line of the log is written once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("A line of the log stays.")


class BlastRead(models.Model):
    """Who saw whom an incident touched, as a page or as a file. The database refuses a change."""

    class Form(models.TextChoices):
        PAGE = "page"
        CSV = "csv"
        JSONL = "jsonl"

    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="reads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True, db_index=True)
    form = models.CharField(max_length=5, choices=Form)
    suspect = models.CharField(max_length=300)
    turns = models.PositiveIntegerField()

    class Meta:
        ordering = ("-at", "-id")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user} read {self.form} of {self.incident}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises `TypeError` for a row that stands already."""
        if self.pk is not None:
            raise TypeError("A reading is written once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("A reading stays.")
