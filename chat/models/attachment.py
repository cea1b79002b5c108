"""What came with a question: files, and documents that were pasted into it.

Text is redacted before it comes here, and of a document nothing but its text is kept.
"""

from __future__ import annotations

import uuid

from django.db import models

from chat.models.conversation import Message


class Attachment(models.Model):
    """One file or paste. `data` is set for pictures alone; `size` is in bytes as it came."""

    class Kind(models.TextChoices):
        DOCUMENT = "document"
        IMAGE = "image"
        PASTE = "paste"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="attachments")
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=120)
    media_type = models.CharField(max_length=60)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    text = models.TextField(blank=True)
    data = models.BinaryField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("message", "ordinal")
        constraints = (
            models.UniqueConstraint(fields=("message", "ordinal"), name="one_attachment_a_place"),
        )

    def __str__(self) -> str:
        return self.name
