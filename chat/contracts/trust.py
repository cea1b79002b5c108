"""How far the word of the judge may be taken: what a page may say of an answer it has passed."""

from __future__ import annotations

from typing import Literal

from chat.contracts.verdicts import Value


class Trust(Value):
    """`checked` may be said of what the judge passed, or only that it was `compared`.

    `precision` is the share of what the judge calls supported that people call so too, measured
    on `n` rows of `dataset`; None where too few were measured to say.
    """

    word: Literal["checked", "compared"] = "compared"
    precision: float | None = None
    n: int = 0
    dataset: str = ""


UNKNOWN = Trust()
"""Of a judge that nobody has measured."""
