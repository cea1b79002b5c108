"""What a question to a model has used: tokens in disjoint classes, and their price.

Counts come from the endpoint's own `usage`; nothing is estimated, since that would need a
vocabulary fetched from elsewhere. An endpoint that reports nothing is counted as nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.contracts.events import Tokens

PER = 1_000_000  # tokens that a price is for

Prices = Mapping[str, Mapping[str, float]]


@dataclass(slots=True)
class Meter:
    """Filled while a question is asked, over all the requests that it takes.

    `repaired`: the first reply could not be used, a second one could. `cut_short`: the model
    ran into its own length limit.
    """

    tokens: Tokens = field(default_factory=Tokens)
    repaired: bool = False
    cut_short: bool = False

    def add(self, usage: Any) -> None:
        """Count a reply's `usage` object, if there is one."""
        if isinstance(usage, Mapping):
            self.tokens = _sum(self.tokens, tokens_of(usage))


def tokens_of(usage: Mapping[str, Any]) -> Tokens:
    """Disjoint classes from the API's nested ones, whatever an endpoint makes of them."""
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    cached = min(_count(usage.get("prompt_tokens_details"), "cached_tokens"), prompt)
    thought = min(_count(usage.get("completion_tokens_details"), "reasoning_tokens"), completion)
    return Tokens(
        input=prompt - cached, cached_input=cached, output=completion - thought, reasoning=thought
    )


def cost(tokens: Tokens, model: str, prices: Prices) -> float:
    """US dollars. Reasoning is paid as output, cached input as input unless it has a price.

    A model without a price costs nothing, so that a local endpoint needs no table.
    """
    price = prices.get(model, {})
    fresh = price.get("input", 0.0)
    cached = price.get("cached_input", fresh)
    out = price.get("output", 0.0)
    written = tokens.output + tokens.reasoning
    return (tokens.input * fresh + tokens.cached_input * cached + written * out) / PER


def _count(usage: Any, key: str) -> int:
    value = usage.get(key) if isinstance(usage, Mapping) else None
    return max(0, int(value)) if isinstance(value, int | float) else 0


def _sum(one: Tokens, other: Tokens) -> Tokens:
    names = Tokens.model_fields
    return Tokens(**{name: getattr(one, name) + getattr(other, name) for name in names})
