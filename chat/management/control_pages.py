"""The generated parts of docs/controls.md: policies, limits, figures, and the closed words."""

from __future__ import annotations

from chat import judging
from chat.contracts.verdicts import Control, Outcome, Route, Termination
from chat.guardrails.modes import MODES
from chat.guardrails.policy import POLICIES, Direction, Limit, Policy
from chat.management.tables import table

NO_SET = "no set with people's labels"
EXACT = "a count or a proof: nothing to measure"
HEADLINES = {
    ("advice_boundary", "advice, refused"),
    ("advice_boundary", "banking77, refused wrongly"),
    ("attributionbench", "balanced accuracy"),
    ("attributionbench", "precision of supported"),
    ("begin_wow", "precision of supported"),
    ("clapnq", "AUROC of the grade"),
    ("clinc150", "AUROC of the scope score"),
    ("faithdial_audit", "precision of supported"),
    ("hatecheck", "fit to be said, let pass"),
    ("hatecheck", "unfit to be said, stopped"),
    ("mtrag_un", "answerable, asked back by code"),
    ("pii", "precision of all promised"),
    ("pii", "recall of all promised"),
    ("prompt_injection", "in sections: taken out, half unread"),
    ("prompt_injection", "harmless, called order"),
    ("wice", "precision of supported"),
}
"""The figures that stand beside a control; docs/quality.md has all of them."""


def controls() -> str:
    """Where each control looks, which way it fails, and why."""
    rows = [
        (str(row.number or "–"), f"`{c}`", row.boundary.value, row.direction.value, row.why)
        for c, row in POLICIES.items()
    ]
    return table(("no.", "control", "boundary", "direction", "why"), rows)


LIMITS = {
    Limit.CODE: "the length of its text",
    Limit.CONTROL: "three times `LLM_TIMEOUT_MS`",
    Limit.SEALING: "four tries, then the next process",
}


def measured() -> str:
    """How long each control may take, what counts it, and how good it was on labelled rows."""
    found: dict[str, list[str]] = {}
    for row in judging.shipped():
        if (row.dataset, row.metric) in HEADLINES:
            found.setdefault(row.control, []).append(_figure(row))
    rows = [
        (f"`{c}`", LIMITS[row.limit], _counter(c), "; ".join(found.get(c, ())) or _unmeasured(row))
        for c, row in POLICIES.items()
    ]
    return table(("control", "time limit", "counter", "measured"), rows)


def _unmeasured(row: Policy) -> str:
    return EXACT if row.direction is Direction.PURE else NO_SET


def _counter(control: Control) -> str:
    return f'`plumbline_decisions_total{{control="{control}"}}`'


def _figure(row: judging.Measured) -> str:
    between = f" ({row.low:.3f} to {row.high:.3f})" if row.low != row.high else ""
    return f"{row.dataset}, {row.metric} {row.value:.3f}{between}, n {row.n:,}"


def modes() -> str:
    """What each mode leaves out, and why."""
    rows = [
        (f"`{mode}`", ", ".join(f"{skip}" for skip in sorted(row.skips)) or "nothing", row.why)
        for mode, row in MODES.items()
    ]
    return table(("mode", "leaves out", "why"), rows)


def words() -> str:
    """The closed lists of outcomes, paths and reasons to end."""
    lists = {"outcome of a control": Outcome, "path": Route, "termination": Termination}
    return "\n".join(
        f"- {name}: " + ", ".join(f"`{value}`" for value in kind) for name, kind in lists.items()
    )
