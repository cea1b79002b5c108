"""What the tools work on: a directory that is searched, and tickets that staff answer."""

from __future__ import annotations

from django.db import models

from chat.models.conversation import Turn


class DirectoryEntry(models.Model):
    """One record of the directory, loaded from CSV. `attributes` can be filtered by."""

    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=60, db_index=True)
    area = models.CharField(max_length=120, db_index=True)
    details = models.TextField(blank=True)
    url = models.CharField(max_length=200, blank=True)
    attributes = models.JSONField(default=dict)

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "directory entries"
        constraints = (
            models.UniqueConstraint(fields=("name", "kind", "area"), name="one_entry_a_record"),
        )

    def __str__(self) -> str:
        return self.name


class Ticket(models.Model):
    """What a person asked staff to look into. `key` is the confirmed action's own id."""

    class Status(models.TextChoices):
        OPEN = "open"
        IN_PROGRESS = "in_progress"
        CLOSED = "closed"

    key = models.CharField(max_length=64, unique=True, editable=False)
    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="tickets")
    subject = models.CharField(max_length=120)
    description = models.TextField()
    status = models.CharField(max_length=12, choices=Status, default=Status.OPEN, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        """Without its subject: this goes into the admin's log, which everybody may read."""
        return f"ticket {self.pk}"
