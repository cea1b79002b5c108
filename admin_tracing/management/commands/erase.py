"""`manage.py erase`: everything that one person said goes, and the chains of their records hold."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from admin_tracing.erasure import erase_notes
from admin_tracing.retention import NOTES
from chat.erasure import CannotErase, Erased, erase
from chat.identity import Person
from chat.models import Conversation
from chat.removal import Counts
from chat.roles import as_owner


class Command(BaseCommand):
    help = "Erases what one person said, everywhere, and the link from them to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--user", metavar="NAME", help="a user, by name; the account itself stays")
        who.add_argument("--visitor", metavar="UUID", type=UUID, help="a visitor, by their key")
        parser.add_argument("--dry-run", action="store_true", help="only count what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask first")

    def handle(self, *args: Any, **options: Any) -> None:
        with as_owner():
            person, name = _person(options)
            count = Conversation.objects.filter(person.owns()).count()
            if not count:
                raise CommandError(f"{name} has no conversation")
            if options["dry_run"]:
                self._tell(_try(person), "would go")
            elif options["yes"] or self._agreed(name, count):
                self._tell(_erase(person), "erased")
            else:
                raise CommandError("nothing was erased")

    def _agreed(self, name: str, conversations: int) -> bool:
        ask = f"Erase everything of {name}, {conversations} conversations? This is final. [y/n] "
        try:
            return input(ask).strip().lower() in ("y", "yes")
        except EOFError:
            return False

    def _tell(self, done: Erased, how: str) -> None:
        told = ", ".join(Counts({k: n for k, n in done.counts.items() if n}).words())
        self.stdout.write(f"{len(done.conversations):,} conversations {how}: {told}")


def _person(options: dict[str, Any]) -> tuple[Person, str]:
    if options["visitor"]:
        return Person(visitor=options["visitor"]), f"visitor {options['visitor']}"
    people = get_user_model().objects
    user = people.filter(username=options["user"]).first()
    if user is None:
        raise CommandError(f"there is no user {options['user']}")
    return Person(user_id=user.pk), options["user"]


def _try(person: Person) -> Erased:
    """What an erasure would do, done and undone."""
    with transaction.atomic():
        done = _erase(person)
        transaction.set_rollback(True)
    return done


def _erase(person: Person) -> Erased:
    try:
        return erase(person, _notes)
    except CannotErase as error:
        raise CommandError(str(error)) from error


def _notes(conversations: Sequence[UUID]) -> dict[str, int]:
    return {NOTES: erase_notes(conversations)}
