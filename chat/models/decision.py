"""The decision record: one sealed row a turn, chained within its conversation.

Triggers refuse update, delete and truncate of records. Content stands apart with its salt,
so that erasing it leaves the chain whole; heads are anchored, so that a missing last row is
seen. Only `chat.decision_log` writes here.
"""

from __future__ import annotations

from django.db import models

from chat.models.conversation import Conversation, Turn


class DecisionRecord(models.Model):
    """The facts of one finished turn. `digest` seals `facts`, `number` and the row before."""

    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="record")
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="records")
    number = models.PositiveIntegerField()
    sealed_at = models.DateTimeField()
    facts = models.JSONField()
    content_digest = models.CharField(max_length=64)
    previous_digest = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ("conversation", "number")
        constraints = (
            models.UniqueConstraint(fields=("conversation", "number"), name="one_record_a_number"),
        )

    def __str__(self) -> str:
        return f"record {self.number} of {self.conversation_id}"


class RecordContent(models.Model):
    """Question, answer and passages of a record; its salted digest stands in the chain."""

    record = models.OneToOneField(DecisionRecord, on_delete=models.PROTECT, related_name="content")
    salt = models.CharField(max_length=64)
    content = models.JSONField(null=True)
    erased_at = models.DateTimeField(null=True, blank=True)


class ChainHead(models.Model):
    """How many records a conversation's chain has, and the digest of the last one."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.PROTECT, primary_key=True, related_name="chain_head"
    )
    count = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
