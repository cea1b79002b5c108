"""The decision record: one sealed row a turn, chained within its conversation.

Triggers refuse update, delete and truncate of records, and heads only go on. Content stands apart
with its salt, so that erasing it leaves the chain whole; heads are anchored, so that a missing last
row is seen. `chat.decision_log` writes here, `erasure` and `retention` take content away.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func

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
        # Lists that look into records would else read every one of them.
        indexes = (
            GinIndex(
                Func(F("facts"), function="plumbline_shows"),
                name="record_shows_gin",
                fastupdate=False,
            ),
        )

    def __str__(self) -> str:
        return f"record {self.number} of {self.conversation_id}"


class RecordContent(models.Model):
    """Question, answer and passages of a record; its salted digest stands in the chain.

    Erasing takes the salt too: without it nobody can try texts against the digest.
    """

    record = models.OneToOneField(DecisionRecord, on_delete=models.PROTECT, related_name="content")
    salt = models.CharField(max_length=64, blank=True)
    content = models.JSONField(null=True)
    erased_at = models.DateTimeField(null=True, blank=True)


class ChainHead(models.Model):
    """How many records a conversation's chain has, and the digest of the last one."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.PROTECT, primary_key=True, related_name="chain_head"
    )
    count = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)


class PurgeAnchor(models.Model):
    """What stands in a chain in place of records that were purged: its beginning, or one more part.

    The records from `first` to `last` are gone; the chain goes on from `digest`, that of the last.
    `removed` holds the id and the digest of each, so that a head of an earlier day can still be
    proved. The database takes no anchor that does not fit its chain, and lets no record go without.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.PROTECT, related_name="purge_anchors"
    )
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    purged_at = models.DateTimeField()
    why = models.CharField(max_length=200)
    removed = models.JSONField(default=list)

    class Meta:
        ordering = ("conversation", "first")
        constraints = (
            models.UniqueConstraint(fields=("conversation", "first"), name="one_anchor_a_start"),
        )

    def __str__(self) -> str:
        return f"records {self.first} to {self.last} of {self.conversation_id}, purged"


class LegalHold(models.Model):
    """Nothing of a held conversation is purged or erased until the hold is lifted."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.PROTECT, related_name="legal_holds"
    )
    reason = models.CharField(max_length=300)
    placed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    placed_at = models.DateTimeField(auto_now_add=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-placed_at",)

    def __str__(self) -> str:
        return f"hold on {self.conversation_id}"
