"""Scales, currencies and units as they are written, as data and as small readers of text.

`29bn`, `US$29,016 million`, `40 bps`, `a column headed US$M`: each says how many of what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_THOUSAND, _MILLION, _BILLION, _TRILLION = 1e3, 1e6, 1e9, 1e12

SCALES: dict[str, float] = {
    **dict.fromkeys(("thousand", "thousands", "k", "000", "000s", "'000", "'000s"), _THOUSAND),
    **dict.fromkeys(("million", "millions", "mn", "mln", "mio", "mm", "m"), _MILLION),
    **dict.fromkeys(("billion", "billions", "bn", "bln", "b"), _BILLION),
    **dict.fromkeys(("trillion", "trillions", "tn", "trn"), _TRILLION),
    **dict.fromkeys(("hundred", "hundreds"), 100.0),
    **dict.fromkeys(("dozen", "dozens"), 12.0),
    **dict.fromkeys(("lakh", "lakhs"), 1e5),
    **dict.fromkeys(("crore", "crores"), 1e7),
}
# Letters that mean a scale only where money or a column says so: 5m is also five metres.
LETTERS = frozenset(("m", "b", "mm", "000", "000s"))

CURRENCIES: dict[str, str] = {
    **dict.fromkeys(("us$", "usd", "u.s.$", "us dollars", "us dollar"), "USD"),
    **dict.fromkeys(("a$", "au$", "aud", "australian dollars"), "AUD"),
    **dict.fromkeys(("nz$", "nzd"), "NZD"),
    **dict.fromkeys(("c$", "ca$", "cad", "canadian dollars"), "CAD"),
    **dict.fromkeys(("s$", "sgd"), "SGD"),
    **dict.fromkeys(("hk$", "hkd"), "HKD"),
    **dict.fromkeys(("$", "dollar", "dollars"), "$"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "EUR"),
    **dict.fromkeys(("£", "gbp", "pounds sterling", "pound", "pounds", "quid"), "GBP"),
    **dict.fromkeys(("¥", "jpy", "yen"), "JPY"),
    **dict.fromkeys(("cny", "rmb", "yuan"), "CNY"),
    **dict.fromkeys(("₹", "inr", "rupee", "rupees", "rs"), "INR"),
    **dict.fromkeys(("chf", "swiss francs", "francs"), "CHF"),
    **dict.fromkeys(("sek", "nok", "dkk", "kr", "kronor", "kroner"), "KR"),
    **dict.fromkeys(("zł", "pln"), "PLN"),
    **dict.fromkeys(("r$", "brl"), "BRL"),
}
DOLLARS = frozenset(("$", "USD", "AUD", "NZD", "CAD", "SGD", "HKD"))

PERCENTS = frozenset(
    ("%", "percent", "per cent", "pct", "percentage points", "percentage point", "pp")
)
BASIS_POINTS = frozenset(("bp", "bps", "basis points", "basis point"))
HUNDREDTHS = frozenset(("cents", "cent", "pence"))


def _either(words: frozenset[str] | dict[str, str] | dict[str, float]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_SIGNED = _either({word: code for word, code in CURRENCIES.items() if not word[-1].isalpha()})
_CODED = _either({word: code for word, code in CURRENCIES.items() if word.isalpha()})
_SPELT = _either(CURRENCIES)

# What stands just before a figure, read from its end; and what stands just after it.
BEFORE = re.compile(
    rf"(?<![^\W\d_])(?:(?P<sign>{_SIGNED})|(?P<code>{_CODED}))[ \u00a0]?(?P<minus>[-\u2212])?\Z",
    re.IGNORECASE,
)
SCALE_AFTER = re.compile(rf"[ \u00a0-]?(?P<scale>{_either(SCALES)})(?![^\W_]|\$)", re.IGNORECASE)
UNIT_AFTER = re.compile(
    r"[ \u00a0-]?(?:of (?:the )?)?"
    rf"(?P<unit>{_either(PERCENTS | BASIS_POINTS | HUNDREDTHS)}|{_SPELT})"
    r"(?![^\W_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ColumnUnit:
    """What a header or a caption says of bare cells: how many of what each one counts."""

    scale: float = 1.0
    currency: str = ""
    percent: bool = False

    def over(self, wider: ColumnUnit) -> ColumnUnit:
        """This unit, with what it leaves open taken from a `wider` one (a caption's)."""
        if self.percent:
            return self
        scale = self.scale if self.scale != 1.0 else wider.scale
        return ColumnUnit(scale, self.currency or wider.currency, wider.percent and scale == 1.0)


_IN_HEADER = re.compile(
    rf"(?<![^\W\d_])(?P<currency>{_SIGNED}|(?:{_CODED})(?![^\W\d_]|s\b))?[ \u00a0]?"
    r"(?P<scale>(?:'|\u2019)?000s?|thousands?|millions?|billions?|mn|mln|bn|[mkb])?(?![^\W_])",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    rf"\bin (?:(?P<before>{_SPELT}) ?)?(?P<scale>thousands?|millions?|billions?|000s|'000)"
    rf"(?: of (?P<after>{_SPELT}))?(?![^\W_])",
    re.IGNORECASE,
)
_CAPTIONED = re.compile(r"(?:\(|\b(?:in|all) )([^\s,;()]{1,16})")
_PERCENT = re.compile(r"%|\bper ?cent\b|\bpct\b", re.IGNORECASE)
_LETTER = frozenset("mkb")


def unit_of_header(header: str) -> ColumnUnit:
    """The unit that a header cell gives its column: `Revenue (US$M)`, `Fee, €`, `Share %`."""
    if _PERCENT.search(header):
        return ColumnUnit(percent=True)
    for found in _IN_HEADER.finditer(header):
        currency, scale = found["currency"], (found["scale"] or "").replace("\u2019", "'")
        if currency is None and (not scale or scale.casefold() in _LETTER):
            continue  # a letter alone may be a size or a name
        return ColumnUnit(
            SCALES[scale.casefold()] if scale else 1.0,
            CURRENCIES[currency.casefold()] if currency else "",
        )
    return ColumnUnit()


def unit_of_caption(line: str) -> ColumnUnit:
    """The unit that a line above a table gives all its cells: `in thousands of euros`, `(US$M)`."""
    found = _CAPTION.search(line)
    if found is None:
        units = (unit_of_header(piece) for piece in _CAPTIONED.findall(line))
        return next((unit for unit in units if unit != ColumnUnit()), ColumnUnit())
    currency = found["before"] or found["after"] or ""
    return ColumnUnit(SCALES[found["scale"].casefold()], CURRENCIES.get(currency.casefold(), ""))


def same_currency(one: str, other: str) -> bool:
    """`$` is any dollar; `US$` and `A$` are two currencies."""
    return one == other or ("$" in (one, other) and {one, other} <= DOLLARS)
