"""What tests of the lab's pages share: runs as they end, the page, questions of the own set."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from admin_tracing import labels
from chat import lab_questions, lab_runs
from chat.contracts.verdicts import Termination
from chat.lab_table import Variant
from chat.models import Conversation, LabOutcome, LabQuestion, LabRun, Turn
from chat.sample.loader import golden_five
from tests import factories, stored
from tests.staff import person

LAB = "/admin/rag-workflow/lab/"
NO, YES, OFF = Termination.NO_EVIDENCE, Termination.ANSWERED, Termination.OFF_TOPIC
ENDS = {
    0: {"export": (YES, 4), "refund": (NO, 3), "outage": (NO, 3), "discount": (NO, 3)},
    1: {"export": (YES, 4), "refund": (YES, 7), "outage": (NO, 6), "discount": (NO, 6)},
    2: {"export": (YES, 4), "refund": (YES, 7), "outage": (YES, 10), "discount": (NO, 9)},
    3: {"export": (YES, 4), "refund": (YES, 7), "outage": (YES, 10), "discount": (NO, 12)},
}
"""What the golden five end in with the evidence first, and their calls; the weather takes one."""


def of(who: str) -> Client:
    client = Client()
    if (somebody := person(who)) is not None:
        client.force_login(somebody)
    return client


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def page(client: Client, run: LabRun | None = None, **headers: str) -> str:
    address = reverse("workflow:lab_run", args=(run.pk,)) if run else LAB
    return client.get(address, headers=headers).content.decode()


def rows(text: str) -> list[str]:
    """The table's rows as words."""
    return [words(row) for row in re.findall(r'<tr id="row-.*?</tr>', text, re.DOTALL)]


def golden_run(bounds: int = 4, *, status: str = "done", of_last: int = 5) -> LabRun:
    """A run of the golden five as it ends; of the last bound so many outcomes are there."""
    run = lab_runs.start(None, "golden", [Variant(bound) for bound in range(bounds)])
    ends = [end for bound in range(bounds) for end in _ends(bound)]
    for end in ends[: len(ends) - 5 + of_last]:
        outcome(run, *end)
    run.status = status
    run.save()
    return run


def _ends(bound: int) -> list[tuple[int, str, Termination, int]]:
    ends = ENDS[bound] | {"weather": (OFF, 1)}
    return [(bound, golden.id, *ends[golden.id]) for golden in golden_five()]


def outcome(
    run: LabRun, variant: int, question: str, end: Termination, calls: int, **fields: Any
) -> LabOutcome:
    """A question of the run has ended, after a turn of so many calls that cost 0.04 cents."""
    passes = {4: 1, 3: 1, 7: 2, 6: 2, 10: 3, 9: 3, 12: 4, 1: 0}[calls]
    turn = lab_turn(run, termination=end, passes=passes, model_calls=calls, ms=20.0 + calls)
    return LabOutcome.objects.create(
        run=run, variant=variant, question=question, turn=turn, **fields
    )


def lab_turn(run: LabRun, cost: str = "0.0004", **fields: Any) -> Turn:
    """A turn that was begun for the run and has ended. `cost` in US dollars."""
    talk = Conversation.objects.create(is_lab=True)
    given = {"kind": "lab", "status": "finished", "cost": cost} | fields
    turn: Turn = factories.turn(talk, "?", **given)
    run.turns.add(turn)
    return turn


def labelled() -> Turn:
    turn: Turn = stored.finished_turn()
    labels.give_groundedness(turn, factories.user(f"labeller {uuid4()}"), ("yes", "yes"))
    return turn


def question() -> LabQuestion:
    return lab_questions.add_from(labelled().pk, None, "answered", ["refunds#refund-timing"])
