"""What a site decides for its controls: restricted categories, plain words, what is never flagged.

Data of the owner, read from one file and checked at the start; the controls read it here.
"""

from __future__ import annotations

from pydantic import Field

from chat.contracts.verdicts import Value


class RestrictedCategory(Value):
    """Questions that the assistant must not answer, whatever it knows.

    `rules` are regular expressions, matched without regard to case; each alone decides, so a
    reviewer can read them. `unless` are expressions that take a match back. `cues` are words that
    make a question suspicious: with the classifier out, such a question is not answered.
    `examples` and `allowed` are questions on either side of the line, which teach a classifier;
    from `threshold` (0 to 1) on its word counts. `reply` is the fixed text with the next step.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    title: str
    rules: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    threshold: float = Field(default=0.5, ge=0, le=1)
    reply: str


class NeverFlagged(Value):
    """Claims that are not called unsupported for want of a passage.

    `terms` are the domain's own words, whose meaning needs no source; `procedures` are steps that
    everybody knows ("log in", "check your inbox"); `statutes` are names of laws.
    """

    terms: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()
    statutes: tuple[str, ...] = ()


class SiteRules(Value):
    """All of it. `soften` maps a word to the plainer one that stands in its place.

    `synonyms` are groups of names for one measure ("net profit", "profit after tax").
    `judge_precision` is the least share, measured on people's labels, of claims that a judge
    calls supported and that are: below it no page says "checked".
    """

    restricted: tuple[RestrictedCategory, ...] = ()
    soften: dict[str, str] = Field(default_factory=dict)
    never_flagged: NeverFlagged = NeverFlagged()
    synonyms: tuple[tuple[str, ...], ...] = ()
    judge_precision: float = Field(default=0.8, ge=0, le=1)
