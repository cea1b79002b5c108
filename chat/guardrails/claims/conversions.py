"""One length, weight or heat in another unit: `2,341 miles (3,767 km)`."""

from __future__ import annotations

import re

from chat.guardrails.claims.figures import Figure, Kind

_OFF = 0.015  # by which a rounded conversion may miss
_BASES: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("km", "kilometre", "kilometer"), ("metre", 1_000.0)),
    **dict.fromkeys(("m", "metre", "meter"), ("metre", 1.0)),
    **dict.fromkeys(("cm", "centimetre", "centimeter"), ("metre", 0.01)),
    **dict.fromkeys(("mm", "millimetre", "millimeter"), ("metre", 0.001)),
    **dict.fromkeys(("mi", "mile"), ("metre", 1_609.344)),
    **dict.fromkeys(("ft", "foot", "feet"), ("metre", 0.3048)),
    **dict.fromkeys(("in", "inch", "inche"), ("metre", 0.0254)),
    **dict.fromkeys(("yd", "yard"), ("metre", 0.9144)),
    **dict.fromkeys(("kg", "kilogram", "kilo"), ("gram", 1_000.0)),
    **dict.fromkeys(("g", "gram"), ("gram", 1.0)),
    **dict.fromkeys(("t", "tonne"), ("gram", 1e6)),
    **dict.fromkeys(("lb", "pound"), ("gram", 453.59237)),
    **dict.fromkeys(("oz", "ounce"), ("gram", 28.3495)),
    **dict.fromkeys(("l", "litre", "liter"), ("litre", 1.0)),
    **dict.fromkeys(("gal", "gallon"), ("litre", 3.78541)),
    **dict.fromkeys(("kb", "kilobyte"), ("byte", 1e3)),
    **dict.fromkeys(("mb", "megabyte"), ("byte", 1e6)),
    **dict.fromkeys(("gb", "gigabyte"), ("byte", 1e9)),
    **dict.fromkeys(("tb", "terabyte"), ("byte", 1e12)),
}
_UNIT = re.compile(r"[ \u00a0-]?([A-Za-z]{1,10})(?![^\W_])")
_SQUARED = re.compile(r"[ \u00a0-]?(?:sq\.?|square|cubic)\b", re.IGNORECASE)


def converts(text: str, figure: Figure, other: Figure) -> bool:
    """Are two figures of one text the same in two units?"""
    one, there = _based(text, figure), _based(text, other)
    if one is None or there is None or one[0] != there[0] or one[2] == there[2]:
        return False
    return abs(one[1] - there[1]) <= _OFF * max(abs(one[1]), abs(there[1]))


def _based(text: str, figure: Figure) -> tuple[str, float, float] | None:
    """The base of a figure's unit, its value in that base, and the unit's factor."""
    if figure.kind is Kind.MONEY and figure.text.casefold().endswith(("pound", "pounds")):
        return "gram", figure.value * _BASES["lb"][1], _BASES["lb"][1]
    found = _UNIT.match(text, figure.end)
    if found is None or figure.kind is not Kind.NUMBER or _SQUARED.match(text, figure.end):
        return None
    name = found[1].casefold()
    base = _BASES.get(name) or _BASES.get(name.removesuffix("s"))
    return (base[0], figure.value * base[1], base[1]) if base else None
