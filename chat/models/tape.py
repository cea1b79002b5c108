"""What a turn heard from outside: each call of a model, a search or a tool, with what came back.

It is what a re-run need not ask again, and what the replay shows of a prompt. One row a turn,
written with its end or its pause. It holds words of people, so it goes when they go.
"""

from __future__ import annotations

from django.db import models

from chat.models.conversation import Turn


class Tape(models.Model):
    """`setting` says how the turn was run, `calls` what it heard, in order.

    `schema` says how to read both; `chat.taping` does. A turn about somebody's health has none.
    """

    turn = models.OneToOneField(
        Turn, on_delete=models.PROTECT, primary_key=True, related_name="tape"
    )
    schema = models.PositiveSmallIntegerField()
    setting = models.JSONField(default=dict)
    calls = models.JSONField(default=list)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"tape of {self.turn_id}"
