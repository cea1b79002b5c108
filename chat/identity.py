"""Who is asking: a signed-in user, or a visitor known by a random key in the session."""

from __future__ import annotations

import uuid
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

VISITOR_KEY = "visitor"


@dataclass(frozen=True, slots=True)
class Person:
    """The owner of conversations. Exactly one of the two is set, or none for a stranger."""

    user_id: int | None = None
    visitor: uuid.UUID | None = None

    @property
    def is_known(self) -> bool:
        return self.user_id is not None or self.visitor is not None

    def owns(self) -> Q:
        """The filter for this person's conversations; matches nothing for a stranger."""
        if self.user_id is not None:
            return Q(user_id=self.user_id)
        if self.visitor is not None:
            return Q(user__isnull=True, visitor=self.visitor)
        return Q(pk__in=())

    def name(self) -> str:
        """`user 7` or `visitor` and the key, as filters name a person; empty for a stranger."""
        if self.user_id is not None:
            return f"user {self.user_id}"
        return f"visitor {self.visitor}" if self.visitor is not None else ""


def person_of(user: Any, session: MutableMapping[str, Any], *, create: bool = False) -> Person:
    """The person behind a request or a socket. `create` gives a new visitor a key."""
    if user is not None and user.is_authenticated:
        return Person(user_id=user.pk)
    key = session.get(VISITOR_KEY)
    if key is None and create:
        key = session[VISITOR_KEY] = str(uuid.uuid4())
    return Person(visitor=uuid.UUID(key)) if key else Person()
