"""Versions of prompts, and the trials that let a part of all conversations speak with another one.

The shipped ones are rows as well, so that an old turn can show the words that it used. A version's
text never changes: other words are another version.
"""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q


class PromptVersion(models.Model):
    """The rules of one `purpose` under a name that events and records carry."""

    purpose = models.CharField(max_length=20)
    name = models.CharField(max_length=40, unique=True)
    system = models.TextField()
    is_shipped = models.BooleanField(default=False, editable=False)
    note = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        ordering = ("purpose", "made_at")
        default_permissions = ()
        permissions = (("change_prompts", "Can write versions of prompts and try them"),)

    def __str__(self) -> str:
        return self.name


class PromptTrial(models.Model):
    """Of all conversations, `share` speak with `version`, the others with what is shipped.

    A conversation always falls on the same side: its id and `salt` decide. A purpose has
    at most one open trial.
    """

    version = models.ForeignKey(PromptVersion, on_delete=models.PROTECT, related_name="trials")
    purpose = models.CharField(max_length=20, editable=False)
    share = models.FloatField(validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    salt = models.CharField(max_length=32, editable=False)
    started_at = models.DateTimeField(auto_now_add=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
    )
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-started_at",)
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=("purpose",), condition=Q(ended_at=None), name="one_open_trial_a_purpose"
            ),
        )

    def __str__(self) -> str:
        return f"{self.version} for {self.share:.0%}"
