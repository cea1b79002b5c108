"""Runs outside everybody's figures: re-runs of a turn, batches of them, and runs of the lab.

Work that goes on in the background stands here with its lease, so that another process finishes
what a killed one began.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from chat.models.conversation import Turn


class Work(models.Model):
    """Something that runs in the background; `owner` is the process that does it, for its lease."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    finished_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    owner = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True
        ordering = ("-created_at", "-id")
        default_permissions = ()


class RerunBatch(Work):
    """One change tried on all turns of a filter. `cost` is US dollars that new calls took so far.

    It stops by itself at `cost_limit`.
    """

    filters = models.JSONField(default=dict)
    change = models.JSONField(default=dict)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    flipped = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=10, decimal_places=6, default=0)
    cost_limit = models.DecimalField(max_digits=10, decimal_places=6, default=1)

    def __str__(self) -> str:
        return f"batch {self.pk}"


class Rerun(Work):
    """A turn run once more with something changed. `turn` is the result, a turn of kind `rerun`.

    `change` holds the fields that differ. `ledger` has a line for each call in order: what it was,
    and whether it was reused or made. `flips` names what came out otherwise, each with its value
    before and after; `is_flipped` says that the turn ended otherwise. `cost` is that of new calls.
    `attempt` counts the processes that took it.
    """

    source = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="reruns")
    attempt = models.PositiveSmallIntegerField(default=0)
    turn = models.OneToOneField(Turn, null=True, on_delete=models.PROTECT, related_name="rerun_of")
    batch = models.ForeignKey(
        RerunBatch, null=True, on_delete=models.PROTECT, related_name="reruns"
    )
    change = models.JSONField(default=dict)
    ledger = models.JSONField(default=list)
    flips = models.JSONField(default=list)
    is_flipped = models.BooleanField(default=False)
    reused = models.PositiveIntegerField(default=0)
    called = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=10, decimal_places=6, default=0)

    class Meta(Work.Meta):
        permissions = (("rerun_turns", "Can run turns again with something changed"),)
        constraints = (
            models.UniqueConstraint(fields=("batch", "source"), name="one_rerun_a_turn_of_a_batch"),
        )
        indexes = (
            models.Index(
                fields=("created_at",),
                condition=models.Q(status__in=("waiting", "running")),
                name="rerun_due_idx",
            ),
        )

    def __str__(self) -> str:
        return f"re-run of {self.source_id}"


class LabQuestion(models.Model):
    """A question of the owner's own set: how it should end, and the chunks that answer it."""

    class Expects(models.TextChoices):
        ANSWERED = "answered"
        NO_RESULTS = "no_results", "No results"
        OFF_TOPIC = "off_topic", "Off topic"

    question = models.TextField()
    expects = models.CharField(max_length=10, choices=Expects)
    answer_chunks = models.JSONField(default=list, blank=True)
    source = models.OneToOneField(
        Turn, null=True, blank=True, on_delete=models.PROTECT, related_name="lab_question"
    )
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ("added_at", "id")
        default_permissions = ()
        permissions = (("use_lab", "Can use the lab"),)

    def __str__(self) -> str:
        return f"lab question {self.pk}"


class LabRun(Work):
    """The golden or the owner's own set, run through each variant; `outcomes` as they come.

    `asked` holds the ids of the questions, as the set stood when the run was asked for. `turns` are
    all that were begun for it, also those that came to nothing: what they cost, in US dollars, is
    the run's cost. It stops by itself at `cost_limit`.
    """

    class Questions(models.TextChoices):
        GOLDEN = "golden"
        OWN = "own"

    questions = models.CharField(max_length=6, choices=Questions)
    variants = models.JSONField(default=list)
    asked = models.JSONField(default=list)
    total = models.PositiveIntegerField(default=0)
    cost_limit = models.DecimalField(max_digits=10, decimal_places=6, default=1)
    turns = models.ManyToManyField(Turn, related_name="lab_runs")

    def __str__(self) -> str:
        return f"lab run {self.pk}"


class LabOutcome(models.Model):
    """What became of a question of a run with one of its variants, by its number in `variants`.

    How it ended and what it took stands in its turn. `right` is None where nothing is expected; of
    the `wanted` passages that answer, so many were `accepted`.
    """

    run = models.ForeignKey(LabRun, on_delete=models.PROTECT, related_name="outcomes")
    variant = models.PositiveSmallIntegerField()
    question = models.CharField(max_length=20)
    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="lab_outcome")
    right = models.BooleanField(null=True)
    accepted = models.PositiveSmallIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("id",)
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=("run", "variant", "question"), name="one_outcome_a_question_of_a_variant"
            ),
        )

    def __str__(self) -> str:
        return f"{self.question} of lab run {self.run_id}"
