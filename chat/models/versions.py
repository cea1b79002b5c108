"""Which code, models, prompts, settings and documents a turn ran with, each combination once.

Turns point here, so that figures by version and the days on which something changed need no look
into the records.
"""

from __future__ import annotations

from django.db import models


class VersionSet(models.Model):
    """One combination. `values` are as in the decision record; `digest` is their SHA-256."""

    digest = models.CharField(max_length=64, unique=True)
    values = models.JSONField()
    first_seen = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("first_seen",)

    def __str__(self) -> str:
        return self.digest[:12]


class Measurement(models.Model):
    """How good a control was on labelled rows: what a page may say of it follows from that.

    `subject` is what was measured (a model's name with its prompt version, or a rule set);
    `low` and `high` are the ends of the interval that holds 95 %.
    """

    control = models.CharField(max_length=24)
    subject = models.CharField(max_length=120)
    dataset = models.CharField(max_length=120)
    metric = models.CharField(max_length=80)
    value = models.FloatField()
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    n = models.PositiveIntegerField()
    measured_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("control", "subject", "dataset", "metric")
        constraints = (
            models.UniqueConstraint(
                fields=("control", "subject", "dataset", "metric"), name="one_figure_a_metric"
            ),
        )

    def __str__(self) -> str:
        return f"{self.control} {self.metric} on {self.dataset}: {self.value:.3f}"
