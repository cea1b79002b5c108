"""What `manage.py evaluate` shows of orders in brought text, and of abuse in what is said."""

from __future__ import annotations

from chat.evaluation.injection import VARIANTS, WANTS, evaluate_prompt_injection
from chat.evaluation.table import DataSet, Measure, of
from chat.evaluation.toxicity import FUNCTIONS, ORDINARY, evaluate_hatecheck


def _injection() -> tuple[Measure, ...]:
    seen = {
        "indirect": "in documents: seen",
        "placed": "in sections: taken out",
        "direct": "in messages: told",
    }
    halves = {"": "", "_read": ", half read", "_unread": ", half unread"}
    return (
        *(
            Measure(f"{words}{half}", of(f"{name}{ending}"))
            for name, words in seen.items()
            for ending, half in halves.items()
        ),
        *(Measure(f"in sections: {each}", of("wants", each)) for each in WANTS),
        *(Measure(each.replace("_", " "), of("variants", each)) for each in VARIANTS),
        Measure("precision, documents", of("precision", "documents")),
        Measure("precision, messages", of("precision", "messages")),
        *(
            Measure(f"harmless, called order{half}", of(f"harmless{ending}"), reference)
            for (ending, half), reference in zip(halves.items(), ("0.127", "", ""), strict=True)
        ),
        *(
            Measure(f"{name}, called an order", of("alarms", name), "0")
            for name in ("support_kbs", "banking77", "handbook")
        ),
    )


def _hatecheck() -> tuple[Measure, ...]:
    parts = {
        "hateful": "hateful, stopped",
        "non_hateful": "non-hateful, let pass",
        "unfit": "unfit to be said, stopped",
        "fit": "fit to be said, let pass",
        "hateful_read": "hateful, half read",
        "hateful_unread": "hateful, half unread",
        "non_hateful_read": "non-hateful, half read",
        "non_hateful_unread": "non-hateful, half unread",
    }
    return (
        *(Measure(words, of(name)) for name, words in parts.items()),
        *(Measure(f"{name}: right", of("functions", name)) for name in FUNCTIONS),
        *(Measure(f"{name}: stopped", of("alarms", name), "0") for name in (*ORDINARY, "handbook")),
    )


SAFETY_SETS: dict[str, DataSet] = {
    "prompt_injection": DataSet(evaluate_prompt_injection, _injection()),
    "hatecheck": DataSet(evaluate_hatecheck, _hatecheck()),
}
