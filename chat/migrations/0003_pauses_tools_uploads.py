import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0002_feedback"),
    ]

    operations = [
        migrations.CreateModel(
            name="TrainedRouter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("embedder", models.CharField(max_length=80)),
                ("weights", models.JSONField()),
                ("examples", models.PositiveIntegerField()),
                ("labels", models.PositiveIntegerField(default=0)),
                ("accuracy", models.FloatField()),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="DirectoryEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("kind", models.CharField(db_index=True, max_length=60)),
                ("area", models.CharField(db_index=True, max_length=120)),
                ("details", models.TextField(blank=True)),
                ("url", models.CharField(blank=True, max_length=200)),
                ("attributes", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name_plural": "directory entries",
                "ordering": ("name",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("name", "kind", "area"), name="one_entry_a_record"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Ticket",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(editable=False, max_length=64, unique=True)),
                ("subject", models.CharField(max_length=120)),
                ("description", models.TextField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("in_progress", "In Progress"),
                            ("closed", "Closed"),
                        ],
                        db_index=True,
                        default="open",
                        max_length=12,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tickets",
                        to="chat.turn",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("ordinal", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("document", "Document"), ("image", "Image"), ("paste", "Paste")],
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("media_type", models.CharField(max_length=60)),
                ("size", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("text", models.TextField(blank=True)),
                ("data", models.BinaryField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attachments",
                        to="chat.message",
                    ),
                ),
            ],
            options={
                "ordering": ("message", "ordinal"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("message", "ordinal"), name="one_attachment_a_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("clarification", "Clarification"), ("action", "Action")],
                        max_length=16,
                    ),
                ),
                ("question", models.TextField()),
                ("options", models.JSONField(default=list)),
                ("tool", models.CharField(blank=True, max_length=60)),
                ("irreversible", models.BooleanField(default=False)),
                ("seq", models.PositiveIntegerField()),
                ("elapsed_ms", models.FloatField()),
                ("asked_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("answered", "Answered"),
                            ("expired", "Expired"),
                            ("ended", "Ended"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("reply", models.TextField(blank=True)),
                ("approved", models.BooleanField(blank=True, null=True)),
                ("checkpoint", models.JSONField(null=True)),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pauses",
                        to="chat.turn",
                    ),
                ),
            ],
            options={
                "ordering": ("asked_at",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["expires_at"],
                        name="pause_expiry_idx",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "waiting")),
                        fields=("turn",),
                        name="one_waiting_pause_a_turn",
                    )
                ],
            },
        ),
    ]
