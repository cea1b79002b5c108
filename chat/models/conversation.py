"""Conversations, their messages, the turns that answer them, and each turn's event log.

The database holds the rule that one turn of a conversation runs at a time. Everything that
a person typed is redacted before it comes here.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Conversation(models.Model):
    """The messages of one person: a user, or an anonymous visitor known by a random key."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT
    )
    visitor = models.UUIDField(null=True, blank=True, db_index=True)
    title = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True, db_index=True)
    selected_leaf = models.ForeignKey(
        "Message", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    is_lab = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-updated_at",)

    def __str__(self) -> str:
        return self.title or str(self.id)


class Message(models.Model):
    """One thing said. It has one parent, so edits and regenerations are siblings."""

    class Author(models.TextChoices):
        PERSON = "person"
        AGENT = "agent"
        STAFF = "staff"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.PROTECT, related_name="messages"
    )
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    author = models.CharField(max_length=8, choices=Author)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    client_id = models.UUIDField(null=True, blank=True)
    turn = models.ForeignKey(
        "Turn", null=True, blank=True, on_delete=models.PROTECT, related_name="messages"
    )

    class Meta:
        ordering = ("created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("conversation", "client_id"), name="one_message_a_client_id"
            ),
        )

    def __str__(self) -> str:
        return self.text[:60]


class Turn(models.Model):
    """One question and what became of it.

    `owner` is the process that runs it, until `lease_until`; a turn whose lease ran out is
    taken by another process. The columns after `termination` are copied from the events when
    the turn ends, so that lists need no event.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        WAITING = "waiting"
        FINISHED = "finished"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="turns")
    question = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="asked_in")
    kind = models.CharField(max_length=12, default="ask")
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    started_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    owner = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    stop_requested = models.BooleanField(default=False)
    is_sensitive = models.BooleanField(default=False)  # tells of somebody's health
    erased_at = models.DateTimeField(null=True, blank=True)  # what was said in it is gone

    termination = models.CharField(max_length=24, blank=True, db_index=True)
    route_decided = models.CharField(max_length=12, blank=True)
    route_taken = models.CharField(max_length=12, blank=True)
    route_confidence = models.FloatField(null=True, blank=True)
    passes = models.PositiveSmallIntegerField(default=0)
    model_calls = models.PositiveSmallIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=10, decimal_places=6, default=0)
    ms = models.FloatField(null=True, blank=True)
    confidence = models.CharField(max_length=8, blank=True)
    unsupported = models.PositiveSmallIntegerField(default=0)
    citations = models.PositiveSmallIntegerField(default=0)
    gaps = models.PositiveSmallIntegerField(default=0)
    asked_back = models.PositiveSmallIntegerField(default=0)
    versions = models.ForeignKey(
        "VersionSet", null=True, blank=True, on_delete=models.PROTECT, related_name="turns"
    )

    class Meta:
        ordering = ("-started_at",)
        permissions = (
            ("read_transcripts", "Can read transcripts"),
            ("read_sensitive", "Can read turns that tell of somebody's health"),
            ("replay_turns", "Can replay turns step by step"),
            ("read_records", "Can read decision records"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("conversation",),
                condition=Q(status__in=("running", "waiting")),
                name="one_running_turn_a_conversation",
            ),
        )
        indexes = (
            models.Index(
                fields=("lease_until",), condition=Q(status="running"), name="turn_lease_idx"
            ),
            # Turns in the order in which they ended: that is how they are looked at.
            models.Index(
                fields=("finished_at", "id"),
                condition=Q(status="finished"),
                name="turn_ended_idx",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Feedback(models.Model):
    """A person's vote on the answer of a turn. Its words are redacted before they come here."""

    class Vote(models.TextChoices):
        UP = "up"
        DOWN = "down"

    turn = models.OneToOneField(Turn, on_delete=models.PROTECT, related_name="feedback")
    vote = models.CharField(max_length=4, choices=Vote)
    reason = models.CharField(max_length=80, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return f"{self.vote} {self.reason}".strip()


class TurnEvent(models.Model):
    """One stored event. Rows keep the live numbers; merged tokens leave gaps in `seq`."""

    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    type = models.CharField(max_length=24)
    data = models.JSONField()

    class Meta:
        ordering = ("turn", "seq")
        constraints = (models.UniqueConstraint(fields=("turn", "seq"), name="one_event_a_seq"),)
        indexes = (
            # What the alerts count. Of these two kinds alone, so that tokens pay nothing for it.
            models.Index(
                fields=("type", "at"),
                condition=Q(type__in=("decision", "model_call")),
                name="counted_event_idx",
            ),
        )

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"
