"""A small set of turns whose figures are worked out by hand, in the comments.

All on two days, the last but one ("first") and the last one of a window. Strata and chances:
`random` 0.25 (weight 4), `judged_bad` 1 (weight 1), `off_topic` 0.5 (weight 2).

    key  day    ver  taken        ended     uns  stratum     needed             grounded, correct
    t1   first  A    single_shot  answered  0    random      single_shot        yes, yes
    t2   first  A    single_shot  answered  0    random      iterative          yes, yes
    t3   first  A    iterative    caveat    1    judged_bad  iterative          no, no
    t4   first  A    off_topic    off_topic 0    off_topic   off_topic
    t5   first  A    off_topic    off_topic 0    off_topic   single_shot
    t6   last   B    direct*      answered  0    random      direct             yes, partly
    t7   last   B    clarify      expired   0    random      clarify
    t8   last   B    single_shot  answered  1    judged_bad  single_shot        partly, yes
    t9   last   B    single_shot  answered  0    random      single_shot and    no, no
                                                             iterative,
                                                             settled iterative
    t10  last   B    iterative    answered  0    (by hand)   direct             no, no
    t11  last   B    greeting     greeted   0    random      direct
    t12  last   B    off_topic    off_topic 0    off_topic   (nobody yet)
    t13  last   B    single_shot  answered  0    random      single_shot and    yes, yes and
                                                             direct: split      no, no: split
    t14  last   B    single_shot  answered  0    random      cannot_tell        cannot_tell, twice
    lab  last   B    single_shot  answered  0    (by hand)   iterative          no, no

* It cites what a tool gave, so that there is something to hold it against.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from typing import Any

import pytest

from admin_tracing import labels
from admin_tracing.days import Days
from admin_tracing.models import Sample, Settlement, ShadowSearch
from admin_tracing.stats import Estimate
from chat.models import Feedback, VersionSet
from tests import factories, stored

LAST = date(2026, 11, 29)
WINDOW = 7  # days
RATES = {"random": 0.25, "judged_bad": 1.0, "off_topic": 0.5}

# taken, ended, unsupported, confidence, stratum
TURNS: dict[str, tuple[str, str, int, str, str]] = {
    "t1": ("single_shot", "answered", 0, "high", "random"),
    "t2": ("single_shot", "answered", 0, "high", "random"),
    "t3": ("iterative", "answered_with_caveat", 1, "low", "judged_bad"),
    "t4": ("off_topic", "off_topic", 0, "none", "off_topic"),
    "t5": ("off_topic", "off_topic", 0, "none", "off_topic"),
    "t6": ("direct", "answered", 0, "high", "random"),
    "t7": ("clarify", "clarification_expired", 0, "none", "random"),
    "t8": ("single_shot", "answered", 1, "medium", "judged_bad"),
    "t9": ("single_shot", "answered", 0, "high", "random"),
    "t10": ("iterative", "answered", 0, "high", ""),
    "t11": ("greeting", "greeted", 0, "none", "random"),
    "t12": ("off_topic", "off_topic", 0, "none", "off_topic"),
    "t13": ("single_shot", "answered", 0, "high", "random"),
    "t14": ("single_shot", "answered", 0, "high", "random"),
    "lab": ("single_shot", "answered", 0, "high", ""),
}
ON_FIRST = ("t1", "t2", "t3", "t4", "t5")

NEEDED = {
    "t1": ("single_shot",),
    "t2": ("iterative",),
    "t3": ("iterative", "iterative"),
    "t4": ("off_topic",),
    "t5": ("single_shot",),
    "t6": ("direct", "direct"),
    "t7": ("clarify",),
    "t8": ("single_shot",),
    "t9": ("single_shot", "iterative"),
    "t10": ("direct",),
    "t11": ("direct",),
    "t13": ("single_shot", "direct"),
    "t14": ("cannot_tell",),
    "lab": ("iterative",),
}
GROUNDED = {
    "t1": (("yes", "yes"),),
    "t2": (("yes", "yes"), ("yes", "yes")),
    "t3": (("no", "no"), ("no", "no")),
    "t6": (("yes", "partly"),),
    "t8": (("partly", "yes"),),
    "t9": (("no", "no"),),
    "t10": (("no", "no"),),
    "t13": (("yes", "yes"), ("no", "no")),
    "t14": (("cannot_tell", "cannot_tell"), ("cannot_tell", "cannot_tell")),
    "lab": (("no", "no"),),
}


@dataclass
class Hand:
    """The turns by their keys, the people who label, and the two version sets."""

    days: Days
    turns: dict[str, Any] = field(default_factory=dict)
    people: list[Any] = field(default_factory=list)
    versions: dict[str, Any] = field(default_factory=dict)

    def keys(self, pks: Any) -> set[str]:
        """Which turns these are."""
        names = {turn.pk: key for key, turn in self.turns.items()}
        return {names[pk] for pk in pks}


def window(last: date = LAST) -> Days:
    return Days(last - timedelta(days=WINDOW - 1), WINDOW)


def store(last: date = LAST) -> Hand:
    """The whole set, in a window that ends with `last`."""
    hand = Hand(window(last), people=[factories.user("ann"), factories.user("ben")])
    for name in ("A", "B"):
        digest = name.lower() * 64
        hand.versions[name] = VersionSet.objects.create(digest=digest, values={"model": name})
    for place, key in enumerate(TURNS):
        hand.turns[key] = _turn(hand, key, place, last)
    _labels(hand)
    _beside(hand)
    return hand


def _turn(hand: Hand, key: str, place: int, last: date) -> Any:
    taken, ended, unsupported, confidence, stratum = TURNS[key]
    day = last - timedelta(days=1) if key in ON_FIRST else last
    turn = factories.turn(
        question=f"Question of {key}",
        kind="lab" if key == "lab" else "ask",
        status="finished",
        started_at=datetime.combine(day, time(8, place), UTC),
        termination=ended,
        route_decided=taken if taken in ("direct", "single_shot", "iterative") else "single_shot",
        route_taken=taken,
        unsupported=unsupported,
        confidence=confidence,
        asked_back=1 if taken == "clarify" else 0,
        citations=1 if taken == "direct" else 0,
        versions=hand.versions["A" if key in ON_FIRST else "B"],
    )
    if stratum:
        Sample.objects.create(turn=turn, stratum=stratum, rate=RATES[stratum])
    return turn


def _labels(hand: Hand) -> None:
    for key, words in NEEDED.items():
        for person, needed in zip(hand.people, words, strict=False):
            labels.give_routing(hand.turns[key], person, needed)
    for key, pairs in GROUNDED.items():
        for person, pair in zip(hand.people, pairs, strict=False):
            labels.give_groundedness(hand.turns[key], person, pair, parts=PARTS.get(key, ({}, {})))
    Settlement.objects.create(
        turn=hand.turns["t9"], job="routing", needed="iterative", user=hand.people[0]
    )


# What people say of single claims and citations.
PARTS: dict[str, tuple[dict[str, bool], dict[str, bool]]] = {
    "t1": ({"c1": True, "c2": True}, {"1": True, "2": False}),
    "t3": ({"c1": False, "c2": True}, {"1": False}),
    "t8": ({"c1": False, "c2": False}, {"1": True}),
    "t10": ({"c1": False}, {"1": False}),
}
# What the judge said of them, what the citations were bound to, and how the check ended.
RECORDS: dict[str, tuple[dict[str, bool | None], dict[int, str], str]] = {
    "t1": ({"c1": True, "c2": True}, {1: "yes", 2: "yes"}, "passed"),
    "t2": ({"c1": True}, {1: "yes"}, "passed"),
    "t3": ({"c1": False, "c2": True}, {1: "no"}, "acted"),
    "t6": ({}, {}, "skipped"),
    "t8": ({"c1": False, "c2": True}, {1: "unchecked"}, "acted"),
    "t9": ({"c1": None}, {1: "yes"}, "failed_closed"),
    "t10": ({"c1": True}, {1: "no"}, "passed"),
}


def _beside(hand: Hand) -> None:
    """Records, shadow searches and votes."""
    for key, (claims, citations, check) in RECORDS.items():
        stored.record(hand.turns[key], **facts(key, claims, citations, check))
    for key, has in (("t4", False), ("t5", True), ("t12", None)):
        ShadowSearch.objects.create(turn=hand.turns[key], has_evidence=has, rate=0.5)
    for key, vote in (("t1", "up"), ("t2", "up"), ("t6", "up"), ("t10", "down"), ("lab", "down")):
        Feedback.objects.create(turn=hand.turns[key], vote=vote)


def facts(
    key: str, claims: dict[str, bool | None], citations: dict[int, str], check: str
) -> dict[str, Any]:
    """A record's facts, as far as figures of labels read them."""
    chunks = {marker: f"{key}#{marker}" for marker in citations}
    return {
        "claims": [{"id": name, "supported": held, "by": "judge"} for name, held in claims.items()],
        "citations": [
            {"marker": marker, "chunk": chunks[marker], "supports": said}
            for marker, said in citations.items()
        ],
        "controls": [
            {"control": "groundedness", "outcome": "acted"},
            {"control": "groundedness", "outcome": check},
        ],
        "passes": [{"pass": 1, "verdicts": dict.fromkeys(chunks.values(), "ANSWERS")}],
    }


def is_exactly(found: Estimate, value: Fraction, n: int) -> bool:
    """The value to the last digits, and the n."""
    return found.value == pytest.approx(float(value), abs=1e-12) and found.n == n
