"""What staff write in their own words, screened as what people type is, before it is stored."""

from __future__ import annotations

from chat.keeping import screened


def kept(text: str) -> str:
    """The text as it may be stored. Raises `RedactionFailed` if that cannot be told."""
    return screened(text.strip()).text if text.strip() else ""
