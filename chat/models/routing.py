"""The trained router: weights over query embeddings, one row a training; the newest is used."""

from __future__ import annotations

from django.db import models


class TrainedRouter(models.Model):
    """`weights` are plain JSON; `accuracy` is cross-validated on the `examples` it learnt from."""

    created_at = models.DateTimeField(auto_now_add=True)
    embedder = models.CharField(max_length=80)
    weights = models.JSONField()
    examples = models.PositiveIntegerField()
    labels = models.PositiveIntegerField(default=0)
    accuracy = models.FloatField()

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"router {self.pk}"

    @classmethod
    def newest(cls, embedder: str) -> TrainedRouter | None:
        """The latest training in an embedder's space. Weights of another space mean nothing."""
        return cls.objects.filter(embedder=embedder).first()
