"""People who label and turns to be labelled on the running site.

The turns are questions of tests/data/further_questions.json and of the golden five, answered by the
real agent over the handbook that the site has read, and stored as turns of people.

Run as a program it writes them to the site's database, or tells what stands in it, as JSON, a line
for each line that it is given.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.browser.site import ROOT, Site

QUEUE = "/admin/rag-workflow/queue/"
FURTHER = (
    *("answerable-01", "answerable-02", "answerable-03", "answerable-04", "answerable-05"),
    *("near-miss-01", "near-miss-02", "off-topic-01"),
)
GOLDEN = ("refund", "export")
TITLE = "to be labelled"
SAYS = "rows: "


@dataclass(frozen=True, slots=True)
class Queue:
    """What was written: the turns in the order in which the queue gives them, and the people."""

    turns: list[str]
    asked: dict[str, str]
    holds: dict[str, bool]  # is there an answer that sources could hold?


class Desk:
    """Writes to the site's database and tells what stands in it, from a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def written(self, wanted: int = 1, turns: int = 10) -> Queue:
        """An empty queue, then so many turns, each to be labelled by `wanted` people.

        The agent answers once a site; after that the same turns come again without a label.
        """
        return Queue(**self._asked("write", wanted, turns))

    def standing(self) -> dict[str, Any]:
        """Labels, items, reviews and settlements as they stand."""
        return self._asked("tell")

    def _asked(self, *words: Any) -> dict[str, Any]:
        given, gives = self._process.stdin, self._process.stdout
        assert given is not None and gives is not None
        given.write(json.dumps(words) + "\n")
        given.flush()
        for line in gives:
            if line.startswith(SAYS):
                found: dict[str, Any] = json.loads(line.removeprefix(SAYS))
                return found
        raise RuntimeError("the rows were not written: see what the process said")


@contextmanager
def at_desk(site: Site) -> Iterator[Desk]:
    """A process beside the site's, over the same data, gone afterwards."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.browser.queue_rows"],
        cwd=ROOT,
        env={**os.environ, "ENV_FILE": "", "VAR_DIR": str(site.gate.parent / "var")}
        | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Desk(process)
        assert process.stdin is not None
        process.stdin.close()  # which ends it


def _write(wanted: int, count: int) -> dict[str, Any]:
    from admin_tracing import queueing
    from admin_tracing.models import GroundednessLabel, QueueItem, RoutingLabel, Settlement

    _people()
    for kind in (Settlement, QueueItem, RoutingLabel, GroundednessLabel):
        kind.objects.all().delete()
    stored = _answered(count)
    for turn in stored:
        queueing.add([turn.pk], "hand", wanted=wanted)
    return {
        "turns": [str(turn.pk) for turn in stored],
        "asked": {str(turn.pk): turn.question.text for turn in stored},
        "holds": {str(turn.pk): queueing.holds_answer(turn) for turn in stored},
    }


def _people() -> None:
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group

    from tests import factories
    from tests.staff import make_groups

    make_groups()
    groups = {"sam": "Support", "rosa": "Support", "rita": "Reviewers"}
    for name, group in groups.items():
        people = get_user_model().objects.filter(username=name)
        person = people.first() or factories.user(name, is_staff=True)
        person.groups.add(Group.objects.get(name=group))


def _questions() -> list[str]:
    further = json.loads((ROOT / "tests/data/further_questions.json").read_text("utf-8"))
    golden = json.loads((ROOT / "chat/sample/golden.json").read_text("utf-8"))
    of_further = {one["id"]: one["text"] for one in further}
    of_golden = {one["id"]: one["question"] for one in golden}
    found = [of_further[key] for key in FURTHER]
    return [*found, *(of_golden[key] for key in GOLDEN)]


def _answered(count: int) -> list[Any]:
    """The first questions as ended turns, in their order; answered now if they were not before."""
    from chat.models import Turn

    questions = _questions()[:count]
    known = Turn.objects.filter(question__text__in=questions, conversation__title=TITLE)
    found = {turn.question.text: turn for turn in known.select_related("question")}
    missing = [question for question in questions if question not in found]
    if missing:
        found |= {turn.question.text: turn for turn in map(_stored, asyncio.run(_told(missing)))}
    return [found[question] for question in questions]


async def _told(questions: list[str]) -> list[Any]:
    from chat import wiring
    from tests.told import told

    given = wiring.ports(0.0)
    return [await told(given, question) for question in questions]


def _stored(events: list[Any]) -> Any:
    from chat.contracts.events import Answer, RouteTaken
    from tests import factories, stored

    routes = [e.body for e in events if isinstance(e.body, RouteTaken)]
    answers = [e.body for e in events if isinstance(e.body, Answer)]
    return stored.finished_turn(
        events,
        of=factories.conversation(title=TITLE),
        route_decided=routes[0].decided if routes else "",
        route_taken=routes[-1].taken if routes else "",
        route_confidence=routes[0].confidence if routes else None,
        citations=len(answers[-1].citations) if answers else 0,
    )


def _tell() -> dict[str, Any]:
    from admin_tracing.models import (
        GroundednessLabel,
        QueueItem,
        QueueLock,
        Review,
        RoutingLabel,
        Settlement,
    )

    def rows(model: Any, *fields: str) -> list[list[str]]:
        return [[str(value) for value in row] for row in model.objects.values_list(*fields)]

    answers = ("turn", "user__username", "grounded", "correct", "note")
    return {
        "routing": rows(RoutingLabel, "turn", "user__username", "needed", "note"),
        "answers": rows(GroundednessLabel, *answers),
        "items": rows(QueueItem, "turn", "status"),
        "reviews": rows(Review, "item", "user__username", "is_skipped"),
        "locks": rows(QueueLock, "item", "user__username"),
        "settled": rows(
            *(Settlement, "turn", "user__username", "job"),
            *("needed", "grounded", "correct", "note"),
        ),
    }


def _main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from config import embedded

    with embedded.start(settings.EMBEDDED):
        for line in sys.stdin:
            word, *numbers = json.loads(line)
            told = _write(*numbers) if word == "write" else _tell()
            sys.stdout.write(f"{SAYS}{json.dumps(told)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main()
