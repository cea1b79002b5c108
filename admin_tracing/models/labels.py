"""What people say about turns: which way it needed, and whether the answer was held by its sources.

Two jobs, two tables. One label of each kind a person and turn; notes are redacted before they
come here, and `admin_tracing.labels` alone writes them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from admin_tracing.taxonomy import Category, Severity
from chat.models import Turn

LABEL_SCHEMA = 1
"""Counts up when a question or its answers change, so that old labels are not read as new ones."""


class Label(models.Model):
    """Whose word it is, on which turn, and by which questions."""

    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="%(class)ss")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True, db_index=True)
    schema = models.PositiveSmallIntegerField(default=LABEL_SCHEMA)

    class Meta:
        abstract = True
        ordering = ("-at", "-id")
        default_permissions = ()


class RoutingLabel(Label):
    """The way that the question needed, whatever way was taken."""

    class Needed(models.TextChoices):
        DIRECT = "direct"
        SINGLE_SHOT = "single_shot", "Single shot"
        ITERATIVE = "iterative"
        CLARIFY = "clarify"
        OFF_TOPIC = "off_topic", "Off topic"
        CANNOT_TELL = "cannot_tell", "Cannot tell"
        NEEDS_EXPERT = "needs_expert", "Needs an expert"

    needed = models.CharField(max_length=12, choices=Needed)

    class Meta(Label.Meta):
        permissions = (("label_turns", "Can label turns"),)
        constraints = (
            models.UniqueConstraint(fields=("turn", "user"), name="one_routing_label_a_person"),
        )

    def __str__(self) -> str:
        return f"needed {self.needed}"


class GroundednessLabel(Label):
    """Is the answer held by its sources, and is it right?

    `claims` says of a claim's id whether it is supported, `citations` of a marker whether its
    passage carries what is said. An incident's category opens one; its severity may be left out.
    One of the two questions may be open, where a file answered the other alone.
    """

    class Grounded(models.TextChoices):
        YES = "yes"
        PARTLY = "partly"
        NO = "no"
        CANNOT_TELL = "cannot_tell", "Cannot tell"
        NEEDS_EXPERT = "needs_expert", "Needs an expert"

    class Correct(models.TextChoices):
        YES = "yes"
        PARTLY = "partly"
        NO = "no"
        CANNOT_TELL = "cannot_tell", "Cannot tell"

    grounded = models.CharField(max_length=12, choices=Grounded, blank=True)
    correct = models.CharField(max_length=12, choices=Correct, blank=True)
    claims = models.JSONField(default=dict, blank=True)
    citations = models.JSONField(default=dict, blank=True)
    incident_category = models.CharField(max_length=20, choices=Category.choices(), blank=True)
    incident_severity = models.CharField(max_length=8, choices=Severity.choices(), blank=True)

    class Meta(Label.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("turn", "user"), name="one_groundedness_label_a_person"
            ),
        )

    def __str__(self) -> str:
        return f"grounded {self.grounded}, correct {self.correct}"
