"""Who read which decision record, and when."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from chat.models import DecisionRecord


class RecordRead(models.Model):
    """One look at one record. Written once; the database refuses to change or drop a row."""

    record = models.ForeignKey(DecisionRecord, on_delete=models.PROTECT, related_name="reads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ("-at", "-id")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user} read {self.record}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises `TypeError` for a row that stands already."""
        if self.pk is not None:
            raise TypeError("A reading is written once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("A reading stays.")
