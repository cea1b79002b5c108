"""What a turn waits for: a person's answer, or their yes to an action.

One row a pause, with the checkpoint from which its turn goes on. The row and the turn's state
change in one transaction, so that a kill at any moment leaves either a running turn or a
waiting one.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from chat.models.conversation import Turn


class Pause(models.Model):
    """`seq` is the turn's last event when it paused, `elapsed_ms` the time that it had worked.

    `checkpoint` is plain JSON with a schema version; it goes when the turn has ended.
    """

    class Kind(models.TextChoices):
        CLARIFICATION = "clarification"
        ACTION = "action"

    class Status(models.TextChoices):
        WAITING = "waiting"
        ANSWERED = "answered"
        EXPIRED = "expired"
        ENDED = "ended"  # the turn was stopped or superseded while it waited

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="pauses")
    kind = models.CharField(max_length=16, choices=Kind)
    question = models.TextField()
    options = models.JSONField(default=list)
    tool = models.CharField(max_length=60, blank=True)
    irreversible = models.BooleanField(default=False)
    seq = models.PositiveIntegerField()
    elapsed_ms = models.FloatField()
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    answered_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(blank=True)
    approved = models.BooleanField(null=True, blank=True)
    checkpoint = models.JSONField(null=True)

    class Meta:
        ordering = ("asked_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("turn",), condition=Q(status="waiting"), name="one_waiting_pause_a_turn"
            ),
        )
        indexes = (
            models.Index(
                fields=("expires_at",), condition=Q(status="waiting"), name="pause_expiry_idx"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"
