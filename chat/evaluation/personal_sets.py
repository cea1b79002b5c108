"""What `manage.py evaluate` shows of personal data: found, and seen where none is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chat.evaluation.personal_data import (
    INTRODUCED,
    NOT_PROMISED,
    ORDINARY,
    PROMISED,
    evaluate_pii,
)
from chat.evaluation.table import DataSet, Measure, of

HALVES = {"all": "", "read": ", half that was read", "unread": ", half nobody read"}


def _number(*keys: str) -> Callable[[dict[str, Any]], float]:
    def read(found: Any) -> float:
        for key in keys:
            found = found[key]
        return float(found)

    return read


def _pii() -> tuple[Measure, ...]:
    return (
        *(
            Measure(f"{what} of all promised{words}", _value(what, half))
            for what in ("recall", "precision", "f2")
            for half, words in HALVES.items()
        ),
        *(
            Measure(f"{each}: {what}", _value(what, "all", each))
            for each in (*PROMISED, INTRODUCED)
            for what in ("recall", "precision", "f2")
        ),
        *(
            Measure(f"not promised, {each}: recall", of("all", "recall", each))
            for each in NOT_PROMISED
        ),
        *(Measure(f"{name}: any found", of("alarms", name, "any")) for name in ORDINARY),
    )


def _value(what: str, half: str, of_type: str = "promised") -> Callable[[dict[str, Any]], Any]:
    read = _number if what == "f2" else of
    return read(half, what, of_type)


PERSONAL_SETS: dict[str, DataSet] = {"pii": DataSet(evaluate_pii, _pii())}
