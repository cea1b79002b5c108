"""The figures of the page on quality: what each is made of, as data. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from admin_tracing.change_points import Sample
from chat.contracts.verdicts import Confidence

BANDS = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)

Counts = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure: where its numbers stand among a day's counts, and which turns it is made of.

    `filters` choose its turns in the list. `columns` are the counts that its table shows; a
    narrow panel may break a long head at its soft hyphen.
    """

    name: str
    title: str
    about: str
    of: Callable[[Counts], Sample]
    is_share: bool
    columns: tuple[tuple[str, str], ...]
    filters: Mapping[str, str]


def _share(hits: str, n: str) -> Callable[[Counts], Sample]:
    return lambda counts: Sample.share(int(counts[hits]), int(counts[n]))


def _mean_of(name: str, n: str) -> Callable[[Counts], Sample]:
    return lambda counts: Sample(int(counts[n]), counts[name], counts[f"{name}_squares"])


MEASURES = (
    Measure(
        "refusals",
        "Refusals",
        "Turns that ended as off topic or restricted, of all turns.",
        _share("refused", "turns"),
        True,
        (("off_topic", "Off topic"), ("restricted", "Re\u00adstricted"), ("turns", "Turns")),
        {"shows": "refused"},
    ),
    Measure(
        "clarifications",
        "Clarifications",
        "Turns that asked the person back, of all turns.",
        _share("asked_back", "turns"),
        True,
        (("asked_back", "Turns that asked"), ("turns", "Turns")),
        {"shows": "asked_back"},
    ),
    Measure(
        "abandoned",
        "Clarifications abandoned",
        "Turns whose question back expired or gave way to another question, of all that asked.",
        _share("abandoned", "asked"),
        True,
        (("asked", "Asked"), ("replied", "An\u00adswered"), ("abandoned", "Aban\u00addoned")),
        {"shows": "abandoned"},
    ),
    Measure(
        "gaps",
        "Gaps",
        "Answers that left something open, of all answers.",
        _share("gaps", "answers"),
        True,
        (("gaps", "With a gap"), ("answers", "Answers")),
        {"shows": "gap"},
    ),
    Measure(
        "low",
        "Low band",
        "Answers of low confidence, of all that have a band.",
        _share("low", "banded"),
        True,
        (("low", "Low"), ("banded", "With a band")),
        {"confidence": "low"},
    ),
    Measure(
        "unsupported",
        "Unsupported claims",
        "Claims that no source holds, an answer.",
        _mean_of("unsupported", "answers"),
        False,
        (("unsupported", "Claims"), ("answers", "Answers")),
        {"shows": "unsupported"},
    ),
    Measure(
        "citations",
        "Citations",
        "Citations an answer.",
        _mean_of("citations", "answers"),
        False,
        (("citations", "Citations"), ("answers", "Answers")),
        {"shows": "answered"},
    ),
)

NOTHING: dict[str, float] = dict.fromkeys(
    (
        *("turns", "refused", "off_topic", "restricted", "asked_back", "answers", "gaps"),
        *("low", "banded", "unsupported", "unsupported_squares"),
        *("citations", "citations_squares", "asked", "replied", "abandoned"),
    ),
    0,
)
