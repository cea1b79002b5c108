"""What of a claim no source holds (a figure, a name, a paragraph), and where it may be from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.contracts.verdicts import Basis, Unheld
from chat.guardrails.claims.arithmetic import Derived, derived
from chat.guardrails.claims.conversions import converts
from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.hedges import Named, unheld
from chat.guardrails.claims.names import CODE, unheld_name
from chat.guardrails.claims.sources import QUESTION, Sources
from chat.guardrails.claims.support import Claim
from chat.guardrails.claims.tolerance import near
from chat.guardrails.claims.trends import basis_of

_SMALL_COUNT = 12  # up to here a number in words may count what the claim itself lists


@dataclass(frozen=True, slots=True)
class Lack:
    """The verdict on a claim with something that no source holds."""

    basis: Basis
    supported: bool | None
    reason: str
    passages: tuple[int, ...] = ()
    unheld: tuple[Unheld, ...] = ()


def lacking(claim: Claim, sources: Sources, statutes: Sequence[str]) -> Lack | None:
    """What the claim lacks in the sources, or None where they may hold all of it."""
    code = [(found.start(), found.end()) for found in CODE.finditer(claim.text)]
    figures = [
        figure
        for figure in claim.figures
        if _needs_source(figure) and not any(a <= figure.start < b for a, b in code)
    ]
    missing = [figure for figure in figures if not sources.holds(figure)]
    named = [
        one for one in unheld(claim.text, sources.whole, statutes) if not _is_label(claim, one)
    ]
    name = unheld_name(claim.text, claim.figures, sources)
    kinds = tuple(dict.fromkeys(_kinds(missing, name, [one.is_paragraph for one in named])))
    if missing and not (name or named):
        return _of_figures(claim, missing, sources, kinds)
    if missing:
        return Lack(basis_of(claim, missing[0], sources), False, _no_figure(missing[0]), (), kinds)
    if name:
        return Lack(Basis.NONE, False, f"no passage names “{name}”", (), kinds)
    if named:
        said = claim.text[named[0].start : named[0].end]
        return Lack(Basis.NONE, False, f"no passage names “{said}”", (), kinds)
    return None


def _is_label(claim: Claim, named: Named) -> bool:
    """`**Upgrade your plan:** ...` opens an item; it names no plan."""
    return not named.is_paragraph and claim.text[named.end :].lstrip("*_").startswith(":")


def _needs_source(figure: Figure) -> bool:
    """A small number in words without a unit counts what stands beside it."""
    is_small = figure.kind is Kind.NUMBER and not figure.unit and figure.value <= _SMALL_COUNT
    return not (figure.worded and is_small)


def _kinds(missing: Sequence[Figure], name: str, paragraphs: Sequence[bool]) -> Iterator[Unheld]:
    if any(figure.is_time for figure in missing):
        yield Unheld.DEADLINE
    if name or False in paragraphs:
        yield Unheld.NAME
    if True in paragraphs:
        yield Unheld.PARAGRAPH


def _of_figures(
    claim: Claim, missing: Sequence[Figure], sources: Sources, kinds: tuple[Unheld, ...]
) -> Lack:
    """Figures that follow from held ones are a calculation; the first that does not decides."""
    found: list[Derived] = []
    for figure in missing:
        how = derived(claim, figure, sources) or _converted(claim, figure, sources)
        if how is None:
            return Lack(basis_of(claim, figure, sources), False, _no_figure(figure), (), kinds)
        found.append(how)
    passages = tuple(dict.fromkeys(number for how in found for number in how.passages))
    supported = True if all(how.carried for how in found) else None
    return Lack(Basis.CALCULATION, supported, f"computed: {found[0].operation}", passages)


def _converted(claim: Claim, figure: Figure, sources: Sources) -> Derived | None:
    """A held figure of the claim in another unit, `2,341 miles (3,767 km)`."""
    for other in claim.figures:
        if other is not figure and converts(claim.text, figure, other):
            found = {one.source for one, held in sources.figures_for(other) if near(other, held)}
            if numbers := tuple(sorted(found - {QUESTION})):
                return Derived("a conversion of units", numbers, carried=False)
    return None


def _no_figure(figure: Figure) -> str:
    return f"no passage holds “{figure.text.strip()}”"
