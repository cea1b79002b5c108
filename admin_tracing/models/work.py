"""The work of labelling: which turns were drawn and with what chance, who has one, what stands.

A turn that was drawn keeps the chance with which it was, so that figures can be weighted back to
all turns. Labels themselves stand in `labels`.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from admin_tracing.models.labels import GroundednessLabel, RoutingLabel
from chat.models import Turn


class TurnLook(models.Model):
    """An ended turn of people was looked at, once: whether it is drawn, and how ugly it is.

    `ugliness` is 0 to 100 and `reasons` say in words what is ugly in its question. A turn that
    was drawn has a `Sample` as well.
    """

    turn = models.OneToOneField(
        Turn, on_delete=models.PROTECT, primary_key=True, related_name="look"
    )
    ugliness = models.PositiveSmallIntegerField(default=0)
    reasons = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        indexes = (
            models.Index(
                fields=("-ugliness",), condition=models.Q(ugliness__gt=0), name="ugliest_idx"
            ),
        )

    def __str__(self) -> str:
        return f"ugliness {self.ugliness}"


class Sample(models.Model):
    """A turn that was drawn: by which stratum, with which chance (above 0, at most 1).

    Every ended turn is looked at once; the one without a row was not drawn.
    """

    turn = models.OneToOneField(
        Turn, on_delete=models.PROTECT, primary_key=True, related_name="sample"
    )
    stratum = models.CharField(max_length=24, db_index=True)
    rate = models.FloatField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.stratum} at {self.rate:g}"


class SampleMark(models.Model):
    """How far the drawing has come: every turn that ended up to here was looked at. One row."""

    ended_at = models.DateTimeField(null=True)
    turn = models.UUIDField(null=True)

    class Meta:
        default_permissions = ()


class ShadowSearch(models.Model):
    """A search that was made afterwards for a turn that was turned away without one.

    `hits` are [{chunk, score, cosine, label}]; `has_evidence` is None where nobody could say, and
    `problem` says why. `rate` is the chance with which the search was made: that of the turn's
    being drawn, times the share of those that are searched again.
    """

    turn = models.OneToOneField(
        Turn, on_delete=models.PROTECT, primary_key=True, related_name="shadow"
    )
    hits = models.JSONField(default=list)
    has_evidence = models.BooleanField(null=True)
    problem = models.CharField(max_length=60, blank=True)
    cost = models.DecimalField(max_digits=10, decimal_places=6, default=0)
    rate = models.FloatField(default=1.0)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()


class QueueItem(models.Model):
    """A turn to be labelled by `wanted` people; higher `priority` first, then the older."""

    class Status(models.TextChoices):
        OPEN = "open"
        DONE = "done"
        DISAGREED = "disagreed"
        SETTLED = "settled"

    turn = models.OneToOneField(
        Turn, on_delete=models.PROTECT, primary_key=True, related_name="queue_item"
    )
    origin = models.CharField(max_length=24)
    wanted = models.PositiveSmallIntegerField(default=1)
    priority = models.SmallIntegerField(default=0)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    added_at = models.DateTimeField(auto_now_add=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        default_permissions = ()
        indexes = (models.Index(fields=("status", "-priority", "added_at"), name="queue_idx"),)

    def __str__(self) -> str:
        return f"queue item of {self.turn_id}"


class QueueLock(models.Model):
    """One person has one item before them, until the lock runs out."""

    item = models.ForeignKey(QueueItem, on_delete=models.CASCADE, related_name="locks")
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="queue_lock"
    )
    until = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()


class Review(models.Model):
    """A person is done with an item, or left it to others. `before` is what undo puts back."""

    item = models.ForeignKey(QueueItem, on_delete=models.CASCADE, related_name="reviews")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now=True, db_index=True)
    is_skipped = models.BooleanField(default=False)
    before = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(fields=("item", "user"), name="one_review_a_person"),
        )


class Settlement(models.Model):
    """What stands of a turn where people disagreed, by the word of a reviewer. One a turn and job.

    For routing `needed` is set, for groundedness `grounded` and `correct`.
    """

    class Job(models.TextChoices):
        ROUTING = "routing"
        GROUNDEDNESS = "groundedness"

    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="settlements")
    job = models.CharField(max_length=12, choices=Job)
    needed = models.CharField(max_length=12, choices=RoutingLabel.Needed, blank=True)
    grounded = models.CharField(max_length=12, choices=GroundednessLabel.Grounded, blank=True)
    correct = models.CharField(max_length=12, choices=GroundednessLabel.Correct, blank=True)
    note = models.TextField(blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        default_permissions = ()
        permissions = (("settle_labels", "Can settle disagreements between labels"),)
        constraints = (
            models.UniqueConstraint(fields=("turn", "job"), name="one_settlement_a_job"),
        )


class Export(models.Model):
    """Who took turns away, how, and with which filters; `turns` is None until it is over."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True, db_index=True)
    form = models.CharField(max_length=24)
    filters = models.JSONField(default=dict)
    turns = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("-at", "-id")
        default_permissions = ()
        permissions = (("export_turns", "Can take turns and labels away as a file"),)


class DayFigure(models.Model):
    """One distribution of one day: how often, how much in all, and counts by bucket.

    `kind` says of what (time by node, cost by purpose), `key` of which one. Days that are over are
    counted once, so that a page need not read every event again.
    """

    day = models.DateField()
    kind = models.CharField(max_length=24)
    key = models.CharField(max_length=300)
    n = models.PositiveBigIntegerField(default=0)
    total = models.FloatField(default=0.0)
    buckets = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(fields=("day", "kind", "key"), name="one_figure_a_day"),
        )
