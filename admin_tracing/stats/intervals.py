"""The interval of a share by Wilson's score, which holds for few cases and for none or all. Pure.

Checked against Newcombe, Statistics in Medicine 17 (1998), 857 to 872, Table I.
"""

from __future__ import annotations

from math import sqrt

from admin_tracing.stats.estimate import NOTHING, Estimate

Z = 1.959963984540054
"""Standard errors to both sides that hold 95 of 100 cases."""


def wilson(share: float, n: float) -> tuple[float, float]:
    """Where the true share lies, of one seen in `n` cases; `n` need not be whole.

    Raises `ValueError` for a share outside 0 to 1 or `n` below 0.
    """
    if not 0.0 <= share <= 1.0 or n < 0:
        raise ValueError(f"There is no share of {share} in {n} cases.")
    if n == 0:
        return 0.0, 1.0
    middle = share + Z * Z / (2 * n)
    reach = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    whole = 1 + Z * Z / n
    # Rounding may pass the share by its last digit where it is the end of the interval itself.
    low = max(0.0, min(share, (middle - reach) / whole))
    return low, min(1.0, max(share, (middle + reach) / whole))


def share(hits: int, n: int) -> Estimate:
    """A plain share of `n` cases that count alike. Raises `ValueError` for hits that cannot be."""
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} hits in {n} cases cannot be.")
    if n == 0:
        return NOTHING
    return Estimate(hits / n, *wilson(hits / n, n), n, float(n))
