"""Words that say that a figure is below zero, or above it. A table sets a loss in brackets."""

from __future__ import annotations

from chat.guardrails.claims.words import stems

LOSS = frozenset(
    stem
    for said in (
        "loss losses lost deficit negative outflow decline declined decrease decreased fell fall "
        "drop dropped reduction minus debit shortfall impairment cost expense below"
    ).split()
    for stem in stems(said)
)
GAIN = frozenset(
    stem
    for said in (
        "profit gain earned surplus income positive inflow rose increase increased growth"
    ).split()
    for stem in stems(said)
)
