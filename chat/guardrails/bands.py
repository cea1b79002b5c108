"""How far an answer is to be trusted: a band from the count of claims that nothing holds.

Never asked of a model. Unsupported claims are counted by what they rest on, each with a weight,
and the sum decides. The weights and the ends of the bands are judgement until people's labels
say otherwise, so they stand here as data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chat.contracts.verdicts import Basis, ClaimVerdict, Confidence

WEIGHTS: dict[Basis, int] = dict.fromkeys(Basis, 1)
"""What one unsupported claim of a basis adds."""

MEDIUM = 3  # the largest sum that is still medium; 0 is high
RETRY_FROM = 2  # unsupported claims from which on a draft is written again


def unsupported(claims: Sequence[ClaimVerdict]) -> tuple[ClaimVerdict, ...]:
    """The claims that nothing holds; those that are never flagged do not count."""
    return tuple(claim for claim in claims if claim.supported is False and not claim.exempt)


def undecided(claims: Sequence[ClaimVerdict]) -> tuple[ClaimVerdict, ...]:
    """The claims of which nobody could say."""
    return tuple(claim for claim in claims if claim.supported is None and not claim.exempt)


def by_basis(claims: Sequence[ClaimVerdict]) -> dict[Basis, int]:
    """How many unsupported claims there are of each basis."""
    return dict(Counter(claim.basis for claim in unsupported(claims)))


def band(claims: Sequence[ClaimVerdict], *, was_checked: bool) -> Confidence:
    """0 is high, up to `MEDIUM` medium, more low; none where nothing was counted.

    A claim that nobody could decide makes it low: it may be wrong.
    """
    counted = [claim for claim in claims if not claim.exempt]
    if not was_checked or not counted:
        return Confidence.NONE
    if undecided(counted):
        return Confidence.LOW
    weight = sum(WEIGHTS[basis] * count for basis, count in by_basis(counted).items())
    if weight == 0:
        return Confidence.HIGH
    return Confidence.MEDIUM if weight <= MEDIUM else Confidence.LOW


def needs_retry(claims: Sequence[ClaimVerdict]) -> bool:
    """Is the draft to be written again? From `RETRY_FROM` on, or if it holds nothing else."""
    wrong = unsupported(claims)
    return len(wrong) >= RETRY_FROM or (len(wrong) > 0 and not any(c.supported for c in claims))


def unheld(claims: Sequence[ClaimVerdict]) -> dict[str, int]:
    """Deadlines, names and paragraph numbers that the claims bring and no source holds."""
    return dict(Counter(str(kind) for claim in claims for kind in claim.unheld))
