"""What staff write in their own words, screened as what people type is, before it is stored."""

from __future__ import annotations

from chat.keeping import screened


def kept(text: str) -> str:
    """The text as it may be stored. Raises `RedactionFailed` if that cannot be told."""
    text = text.replace("\0", "").strip()  # no database takes that character
    return screened(text).text if text else ""
