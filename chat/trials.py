"""Versions of prompts and their trials: written, begun, ended, and which one a conversation hears.

A version's text never changes, so that a name in an old record always means the same words.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from chat.agent.prompts.versions import OPEN, SHIPPED
from chat.contracts.tasks import PromptWords
from chat.models import PromptTrial, PromptVersion

LONGEST = 12_000  # characters of rules
KNOWN_SECONDS = 5.0  # that a process goes by the trials it read

_NAME = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")


PURPOSES = OPEN
"""What may be written anew."""


class BadPrompt(ValueError):
    """A version or a trial that cannot be. Its text says what to do."""


def write(user: Any, purpose: str, name: str, system: str, note: str = "") -> PromptVersion:
    """Keep other rules for a purpose under a new name. Raises `BadPrompt`."""
    check(purpose, name, system)
    try:
        with transaction.atomic():
            return PromptVersion.objects.create(
                purpose=purpose, name=name, system=system.strip(), note=note, made_by=user
            )
    except IntegrityError:
        raise BadPrompt(f"There is a version {name} already. Choose another name.") from None


def shipped(purpose: str) -> PromptWords:
    """What is said of a purpose where no trial says otherwise."""
    return SHIPPED[purpose]


def begin(user: Any, version: PromptVersion, share: float) -> PromptTrial:
    """Let `share` (0 to 1) of all conversations hear a version from now on. Raises `BadPrompt`."""
    if version.is_shipped or version.purpose not in OPEN:
        raise BadPrompt("A trial is of a version that was written here, not of a shipped one.")
    if not 0 < share <= 1:
        raise BadPrompt("The share is above 0 and at most 1.")
    now = timezone.now()
    try:
        with transaction.atomic():
            transaction.on_commit(_known.clear)
            return PromptTrial.objects.create(
                version=version,
                purpose=version.purpose,
                share=share,
                salt=f"{version.pk}@{now:%Y%m%d%H%M%S%f}"[:32],
                started_by=user,
            )
    except IntegrityError:
        raise BadPrompt(
            f"Another trial of {version.purpose} is open. End it before you begin one."
        ) from None


def end(trial: PromptTrial) -> None:
    """Every conversation hears what is shipped again. Ending twice changes nothing."""
    PromptTrial.objects.filter(pk=trial.pk, ended_at=None).update(ended_at=timezone.now())
    transaction.on_commit(_known.clear)


def heard_by(conversation: UUID, begun: datetime) -> dict[str, PromptWords]:
    """What a conversation hears in place of what is shipped, by purpose. Database work.

    One that had `begun` before every process knew of a trial stays with what it heard: a
    conversation changes sides only where the trial ends.
    """
    known = timedelta(seconds=KNOWN_SECONDS)
    return {
        trial.purpose: PromptWords(name=trial.version.name, system=trial.version.system)
        for trial in _open()
        if begun >= trial.started_at + known and is_in(conversation, trial.salt, trial.share)
    }


def is_in(conversation: UUID, salt: str, share: float) -> bool:
    """Does a conversation fall into a share? Always the same answer for the same trial."""
    digest = hashlib.sha256(f"{salt}:{conversation}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64 < share


def named(words: Mapping[str, str]) -> dict[str, PromptWords]:
    """Versions by purpose and name, shipped ones too. Raises `BadPrompt` for one that is none."""
    found = {v.name: v for v in PromptVersion.objects.filter(name__in=words.values())}
    return {purpose: _words(purpose, name, found) for purpose, name in words.items()}


def _words(purpose: str, name: str, found: Mapping[str, PromptVersion]) -> PromptWords:
    if purpose in SHIPPED and SHIPPED[purpose].name == name:
        return SHIPPED[purpose]
    version = found.get(name)
    if version is None or version.purpose != purpose:
        raise BadPrompt(f"There is no version {name} of the prompt {purpose}.")
    return PromptWords(name=version.name, system=version.system)


def check(purpose: str, name: str, system: str) -> None:
    """Could there be such a version? Raises `BadPrompt`."""
    if purpose not in OPEN:
        raise BadPrompt(f"The prompt {purpose} cannot be written anew; {', '.join(OPEN)} can.")
    if not _NAME.fullmatch(name) or len(name) > 40:
        raise BadPrompt("A name has small letters, digits, dots and hyphens, at most 40.")
    if name in {words.name for words in SHIPPED.values()}:
        raise BadPrompt(f"{name} is shipped. Choose another name.")
    if not system.strip() or len(system) > LONGEST:
        raise BadPrompt(f"The rules have some text, at most {LONGEST:,} characters.")


_known: dict[str, tuple[float, tuple[PromptTrial, ...]]] = {}


def _open() -> tuple[PromptTrial, ...]:
    """Open trials, as this process read them a few seconds ago: every turn asks."""
    read_at, trials = _known.get("open", (0.0, ()))
    now = time.monotonic()
    if not read_at or now - read_at > KNOWN_SECONDS:
        trials = tuple(PromptTrial.objects.filter(ended_at=None).select_related("version"))
        _known["open"] = (now, trials)
    return trials
