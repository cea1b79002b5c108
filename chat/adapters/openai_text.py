"""Text from a model as it may be stored, sent and shown."""

from __future__ import annotations

import re

# The fence of the prompts, which a model may repeat; and what may yet become one.
_FENCE = re.compile(r'<data kind="[^"<>]{0,80}">|</data>')
_BEGUN = re.compile(r"<(?:/(?:d(?:a(?:t(?:a)?)?)?)?|d(?:a(?:t(?:a(?: [^<>]{0,90})?)?)?)?)?")


def storable(text: str) -> str:
    """The text without what a database or a socket refuses: NUL and broken surrogates."""
    if text.isascii():
        return text.replace("\0", "")
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "")


def unfenced(text: str) -> str:
    """The text without the marks that fence off data in the prompts.

    A mark that only comes to be when another is taken out goes too.
    """
    while "<" in text and _FENCE.search(text):
        text = _FENCE.sub("", text)
    return text


class Unfencing:
    """Takes the marks out of text that comes in pieces; holds back what may become one.

    One that comes to be around another is shown: what was shown cannot be called back, and the
    marks are only unsightly.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be shown of all that came so far; may be empty."""
        text, self._held = self._held + text, ""
        if "<" not in text:
            return text
        text = unfenced(text)
        start = text.rfind("<")
        if start >= 0 and _BEGUN.fullmatch(text, start):
            text, self._held = text[:start], text[start:]
        return text

    def rest(self) -> str:
        """What was held back and became none."""
        held, self._held = self._held, ""
        return held
