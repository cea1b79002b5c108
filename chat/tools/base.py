"""What a tool is: a spec, its arguments as one pydantic model, and the work.

Arguments come from a model, which may have read them in a document, so they are cleaned and
held against their limits before anything looks at them.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from django.db import connection, transaction
from pydantic import BaseModel, ConfigDict, model_validator

from chat.contracts.passages import Passage
from chat.contracts.tasks import ToolSpec

KEPT_CONTROLS = "\n\t"
KEPT_FORMATS = "\u200c\u200d"  # joiners, which some scripts and many emoji need


class Arguments(BaseModel):
    """Base of a tool's arguments: exact types, no further fields; null means not given."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _without_null(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None}


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool gave. `text` is for the model, `summary` one line for the person."""

    text: str
    summary: str
    passages: tuple[Passage, ...] = ()


class CannotRun(Exception):
    """The tool refuses or gives up. Its text is for the model and names nothing private."""

    problem: ClassVar[Literal["failed", "not_confirmed"]] = "failed"


class NotConfirmed(CannotRun):
    """The key stands for no yes of this turn's person."""

    problem = "not_confirmed"


class Tool(ABC, Generic[A]):
    """One tool. It may raise anything and take for ever: the registry answers for both.

    Blocking work goes through `chat.db.in_db`, so that the loop can leave it behind.
    """

    arguments: ClassVar[type[Arguments]]

    @property
    @abstractmethod
    def spec(self) -> ToolSpec: ...

    @abstractmethod
    def summary(self, arguments: A) -> str:
        """What the call would do, in a customer's words. No work."""

    @abstractmethod
    async def run(self, arguments: A, key: str) -> Found:
        """Do it, at most once for each non-empty `key`."""


def plain(text: str) -> str:
    """Text that shows what it holds: no control characters, no turned reading order.

    A right-to-left override would let a summary read differently from what is stored, and
    PostgreSQL keeps neither zero bytes nor lone surrogates.
    """
    return "".join(c for c in text if c in KEPT_CONTROLS or c in KEPT_FORMATS or _shows(c)).strip()


def _shows(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def one_line(text: str) -> str:
    """`plain`, with every run of white space as one space."""
    return " ".join(plain(text).split())


@contextmanager
def time_limit(ms: int) -> Iterator[None]:
    """A transaction in which the database gives up on a statement by itself.

    Whoever waited may be gone by then, and the thread must not stay behind with a lock.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(ms)])
        yield
