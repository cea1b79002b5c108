"""What the assistant does not answer, whatever it knows: rules first, a classifier's score second.

Pure. A rule is an expression of the site's own file that a reviewer can read, and it decides alone;
a score counts from its category's own threshold. Neither speaks: the reply is fixed text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chat.contracts.site_rules import RestrictedCategory
from chat.contracts.verdicts import TopicVerdict
from chat.guardrails.personal_data.folding import folded

READ = 8_000  # characters of a question that rules look at; a longer one is a pasted document
UNNAMED = (
    "This is something that is not answered here. The people of the support team can say who to "
    "turn to."
)
"""The reply for a category that is no longer in the site's file: a turn can outlive it."""

_QUOTES = str.maketrans("‘’‛ʼ´`“”", "''''''\"\"")


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The expressions of one category. An empty list of cues matches nothing."""

    rules: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    cues: re.Pattern[str]

    def ruled(self, text: str) -> bool:
        return any(rule.search(text) for rule in self.rules)

    def excused(self, text: str) -> bool:
        return any(rule.search(text) for rule in self.unless)


def by_rule(question: str, categories: Sequence[RestrictedCategory]) -> str:
    """The name of the first category with a rule that matches and no `unless` that does, or "".

    Raises `re.error` for an expression that the check at the start refuses.
    """
    text = plain(question)
    for category in categories:
        compiled = _compiled(category)
        if compiled.ruled(text) and not compiled.excused(text):
            return category.name
    return ""


def by_score(verdict: TopicVerdict, categories: Sequence[RestrictedCategory]) -> str:
    """The name of the category whose score reaches its own threshold, the surest of several, or "".

    A score for a category that the site does not have counts for nothing.
    """
    reached = [
        (verdict.restricted[category.name], category.name)
        for category in categories
        if verdict.restricted.get(category.name, -1.0) >= category.threshold
    ]
    return max(reached, key=lambda found: found[0])[1] if reached else ""


def suspicious(question: str, categories: Sequence[RestrictedCategory]) -> str:
    """The name of the first category that the question may be of, for want of a classifier, or "".

    A cue is enough, and so is a rule that an `unless` took back: to tell those apart was the
    classifier's work, and a false pass costs more than a false stop.
    """
    text = plain(question)
    for category in categories:
        compiled = _compiled(category)
        if compiled.cues.search(text) or compiled.ruled(text):
            return category.name
    return ""


def reply_of(name: str, categories: Sequence[RestrictedCategory]) -> str:
    """The fixed reply of the category with this name."""
    return next((each.reply for each in categories if each.name == name), UNNAMED)


def plain(text: str) -> str:
    """The text as rules see it: lower case, one space between words, plain letters and quotes."""
    return " ".join(folded(text[:READ].translate(_QUOTES)).text.casefold().split())


@lru_cache(maxsize=64)
def _compiled(category: RestrictedCategory) -> _Compiled:
    cues = "|".join(re.escape(plain(cue)) for cue in category.cues)
    return _Compiled(
        rules=tuple(re.compile(rule, re.IGNORECASE) for rule in category.rules),
        unless=tuple(re.compile(rule, re.IGNORECASE) for rule in category.unless),
        cues=re.compile(rf"(?<!\w)(?:{cues})(?!\w)" if cues else r"(?!)"),
    )
