"""Which half of a set was looked at while rules were written: by a hash of the row's id alone."""

from __future__ import annotations

import hashlib


def is_read(row_id: object) -> bool:
    """Was this row in the half that was looked at? Figures of the other are fair."""
    return hashlib.sha256(str(row_id).encode()).digest()[0] % 2 == 0
