"""What is to be otherwise when a turn is run again: one value, checked, that can say itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

from pydantic import Field, ValidationError

from chat.contracts.verdicts import Value
from chat.reruns.problems import BadChange

CheckOrder = Literal["evidence", "budget"]
Retrieval = Literal["hybrid", "vector", "lexical", "exact"]

ORDERS = {
    "evidence": "The evidence is looked at before the budget.",
    "budget": "The budget is checked before the evidence.",
}
RETRIEVALS = {
    "hybrid": "Passages are found by meaning and by words.",
    "vector": "Passages are found by meaning alone.",
    "lexical": "Passages are found by stemmed words alone.",
    "exact": "Passages are found by exact words alone.",
}
EXPECTED = {
    "max_rewrites": "Rewrites allowed: write a whole number from 0 to 6.",
    "check_order": "Check order: choose evidence or budget.",
    "relevance_threshold": "Relevance threshold: write a number from 0 to 1.",
    "route_threshold": "Router margin: write a number from 0 to 1.",
    "direct_threshold": "Margin of the direct path: write a number from 0 to 1.",
    "retrieval": "Retrieval: choose hybrid, vector, lexical or exact.",
    "topic_check": "Topic check: choose on or off.",
    "model": "Model: write its name, at most 100 characters.",
    "prompts": "Prompts: name one version for a purpose.",
}
UNKNOWN = "There is no setting {name} that can be changed."


class Change(Value):
    """Fields that are None stay as the turn was run.

    `max_rewrites` is a count; thresholds are 0 to 1; `relevance_threshold` is the least cosine of
    a hit that only a vector found; `model` is a name at the site's endpoint; `prompts` maps a
    purpose to the name of a version. Unknown fields are refused.
    """

    max_rewrites: int | None = Field(default=None, ge=0, le=6)
    check_order: CheckOrder | None = None
    relevance_threshold: float | None = Field(default=None, ge=0, le=1)
    route_threshold: float | None = Field(default=None, ge=0, le=1)
    direct_threshold: float | None = Field(default=None, ge=0, le=1)
    retrieval: Retrieval | None = None
    topic_check: bool | None = None
    model: str | None = Field(default=None, min_length=1, max_length=100)
    prompts: Mapping[str, str] = Field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True if the turn is run again just as it was."""
        return not self.as_json()

    def as_json(self) -> dict[str, Any]:
        """The fields that are changed, as they are stored."""
        said = self.model_dump(mode="json", exclude_none=True)
        return {name: value for name, value in said.items() if value != {}}

    def words(self) -> list[str]:
        """A short sentence for each change, in the order of the fields; none for no change."""
        said = (_said(name, value) for name, value in self.as_json().items())
        return [sentence for sentences in said for sentence in sentences]

    @classmethod
    def stored(cls, given: Mapping[str, Any]) -> Self:
        """The change of a row. Raises `BadChange`, as for one that an older version stored."""
        try:
            return cls.model_validate(dict(given))
        except ValidationError as error:
            raise BadChange(_sentences(error)) from None


def change_from(given: Mapping[str, Any]) -> Change:
    """A change from the fields of a form: what is None or empty is not changed.

    `prompts` may be a mapping with empty values. Numbers may be texts. Raises `BadChange`, whose
    `fields` say for each wrong field what to write.
    """
    filled = {name: value for name, value in given.items() if value not in (None, "")}
    if isinstance(prompts := filled.get("prompts"), Mapping):
        filled["prompts"] = {purpose: name for purpose, name in prompts.items() if name}
    return Change.stored(filled)


def _sentences(error: ValidationError) -> dict[str, str]:
    """By field; what was given is not quoted."""
    names = {str(fault["loc"][0]) if fault["loc"] else "" for fault in error.errors()}
    return {name: EXPECTED.get(name, UNKNOWN.format(name=name[:40])) for name in sorted(names)}


def _topic(is_checked: bool) -> str:
    return f"The topic is {'' if is_checked else 'not '}checked."


_SAID: Mapping[str, Callable[[Any], str]] = {
    "max_rewrites": "Rewrites allowed: {}.".format,
    "check_order": ORDERS.__getitem__,
    "relevance_threshold": "A passage that only meaning finds needs a cosine of {:g}.".format,
    "route_threshold": "The router decides from {:g} on.".format,
    "direct_threshold": "The direct path needs {:g}.".format,
    "retrieval": RETRIEVALS.__getitem__,
    "topic_check": _topic,
    "model": "The model is {}.".format,
}
"""A sentence for each field but `prompts`, which has one for each purpose."""


def _said(name: str, value: Any) -> list[str]:
    if name == "prompts":
        return [f"The prompt for {purpose} is {version}." for purpose, version in value.items()]
    return [_SAID[name](value)]
