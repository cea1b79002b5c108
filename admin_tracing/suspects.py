"""What an incident may be the work of: a control's outcome, a document, a prompt, a model. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from admin_tracing.taxonomy import Choice
from chat.contracts.verdicts import Control, Outcome


class SuspectKind(Choice):
    """Where to look in the decision records."""

    CONTROL = "control"
    DOCUMENT = "document"
    PROMPT = "prompt"
    MODEL = "model"


MISSING = "missing"
"""The outcome of a control that ought to have run and left no decision."""

OUTCOMES = (
    *(Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED, Outcome.SKIPPED),
    MISSING,
    *(Outcome.PASSED, Outcome.ACTED),
)


class BadSuspect(ValueError):
    """A suspect that names nothing which a record could hold. Its text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """`name` and `value` by kind: a control and its outcome; a document's slug and its version;
    a prompt's purpose and its version; a model's name and nothing. No version means any.

    Raises `BadSuspect`.
    """

    kind: SuspectKind
    name: str
    value: str = ""

    def __post_init__(self) -> None:
        if wrong := _CHECKS[self.kind](self.name, self.value):
            raise BadSuspect(wrong)

    def __str__(self) -> str:
        """In words: `control groundedness failed closed`, `document refunds, version 2`."""
        if self.kind in (SuspectKind.DOCUMENT, SuspectKind.PROMPT):
            which = f"version {self.value}" if self.value else "any version"
            return f"{self.kind} {self.name}, {which}"
        return f"{self.kind} {self.name} {self.value}".strip().replace("_", " ")


def _control(name: str, value: str) -> str:
    if name not in set(Control):
        return "Choose one of the controls."
    return "" if value in OUTCOMES else "Choose what became of the control."


def _document(name: str, value: str) -> str:
    if not name or "#" in name:
        return "Name the document by its slug, such as refunds."
    is_number = not value or (value.isascii() and value.isdecimal() and len(value) <= 9)
    return "" if is_number else "A version is a number."


def _prompt(name: str, _version: str) -> str:
    return "" if name and " " not in name else "Name the prompt by its purpose, such as answer."


def _model(name: str, value: str) -> str:
    if not name:
        return "Name the model."
    return "A model has nothing beside its name." if value else ""


_CHECKS = {
    SuspectKind.CONTROL: _control,
    SuspectKind.DOCUMENT: _document,
    SuspectKind.PROMPT: _prompt,
    SuspectKind.MODEL: _model,
}
