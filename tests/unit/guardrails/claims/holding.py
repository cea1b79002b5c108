"""Passages and verdicts for the tests of claims, in few words."""

from __future__ import annotations

from chat.contracts.passages import Passage
from chat.contracts.site_rules import NeverFlagged, SiteRules
from chat.contracts.verdicts import ClaimVerdict
from chat.guardrails.generation import verify

RULES = SiteRules(
    synonyms=(
        ("net profit", "profit after tax", "NPAT", "net profit after tax"),
        ("revenue", "turnover", "sales revenue"),
    ),
    never_flagged=NeverFlagged(
        terms=("sprint", "grace period"),
        procedures=("log in", "check your inbox"),
        statutes=("Consumer Rights Act 2015",),
    ),
)


def passage(text: str, title: str = "Handbook", heading: str = "", **fields: str) -> Passage:
    return Passage(
        chunk=fields.get("chunk", f"doc#{abs(hash(text))}"),
        document="doc",
        version=1,
        title=title,
        heading=heading,
        text=text,
    )


def only(claim: str, *texts: str, question: str = "", rules: SiteRules = RULES) -> ClaimVerdict:
    """The verdict on a draft of one claim, held against passages with these texts."""
    (verdict,) = verify(claim, [passage(text) for text in texts], question, rules)
    return verdict
