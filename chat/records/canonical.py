"""The exact text that is hashed, and its hash. Pure; the export's own script does the same.

A record is hashed over a short text that names the hashes of its facts, of its content and of the
record before it. So a chain can be followed without the facts of its other records.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

VERSION = 2  # of the text below; 1 held the facts themselves
LONGEST_FRACTION = 1e16  # from here on a float is written with an exponent, and PostgreSQL's is not


def canonical(value: Any) -> str:
    """JSON with sorted keys and no blanks; equal values give the same text everywhere."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def plain(value: Any) -> Any:
    """As PostgreSQL will give it back: enums as text, tuples as lists, whole numbers as such."""
    return _numbers(json.loads(json.dumps(value, ensure_ascii=False)))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def content_text(salt: str, content: Any) -> str:
    """What a content's digest is over; without the salt nobody can guess it from a text."""
    return salt + canonical(content)


def record_text(
    conversation: UUID, turn: UUID, number: int, sealed_at: datetime, digests: tuple[str, str, str]
) -> str:
    """What a record's digest is over. `digests` are of its facts, its content, the one before."""
    facts, content, previous = digests
    return canonical(
        {
            "v": VERSION,
            "conversation": str(conversation),
            "turn": str(turn),
            "number": number,
            "sealed_at": sealed_at.isoformat(),
            "facts": facts,
            "content": content,
            "previous": previous,
        }
    )


def first_record_text(
    conversation: UUID, turn: UUID, number: int, sealed_at: datetime, parts: tuple[Any, str, str]
) -> str:
    """The text of version 1, whose records stand in older chains. `parts` begin with the facts."""
    facts, content, previous = parts
    return canonical(
        {
            "turn": str(turn),
            "conversation": str(conversation),
            "number": number,
            "sealed_at": sealed_at.isoformat(),
            "facts": facts,
            "content": content,
            "previous": previous,
        }
    )


def _numbers(value: Any) -> Any:
    """PostgreSQL knows neither a minus before zero nor an exponent."""
    if isinstance(value, dict):
        return {key: _numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_numbers(each) for each in value]
    if not isinstance(value, float):
        return value
    if abs(value) >= LONGEST_FRACTION:
        return int(Decimal(repr(value)))
    return value if value else 0.0
