"""The lab's sentences: the names of its groups, what a knee says, what a run roughly costs."""

from __future__ import annotations

from decimal import Decimal

from admin_tracing.summaries import counted
from admin_tracing.templatetags.workflow import cents
from chat.lab_costs import Rough
from chat.lab_table import Group, Variant


def name_of(variant: Variant) -> str:
    """What a group has in common: `Evidence first, with the topic check`."""
    check = "with" if variant.topic_check else "without"
    return f"{variant.order.capitalize()} first, {check} the topic check"


def knee_of(group: Group, *, is_own: bool, is_open: bool) -> str:
    """The sentence about a group's knee; `is_open`: its run goes on."""
    gains = "gets nothing more right" if is_own else "answers nothing more"
    if len(group.rows) < 2:
        return "One bound alone shows no knee."
    if not group.is_whole:
        waits = "The knee shows once every bound has run."
        return waits if is_open else "No knee: the run ended before every bound had run."
    if group.knee is None:
        last = group.rows[-1].variant.bound
        more = "gets more right" if is_own else "answers more"
        return f"No knee up to {last}: that bound still {more} than the ones before it."
    found = group.knee
    fewer = "more" if found.calls >= 0 else "fewer"
    calls = f"{abs(found.calls) or 'no'} {fewer} model call{'' if abs(found.calls) == 1 else 's'}"
    return f"Knee at {found.bound}: a bound of {found.following} {gains} and takes {calls}."


def rough_of(rough: Rough, limit: Decimal) -> str:
    """What a run would cost, as far as that can be known, and whether it would reach its limit."""
    said = f"{_turns(rough)} {_cost(rough)}"
    if rough.cost > limit:
        return f"{said} That is more than the limit, so it will stop on the way."
    return said


def _turns(rough: Rough) -> str:
    asked, turns = counted(rough.asked, "question"), counted(rough.turns, "turn")
    if rough.settings == 1:
        return f"{asked}, one turn each."
    return f"{asked} with each of {rough.settings} settings: {turns}."


def _cost(rough: Rough) -> str:
    about = f"About {cents(rough.cost)}, at {cents(rough.each)} a turn"
    match rough.told:
        case "offline":
            return "No cost with the offline model."
        case "unpriced":
            has = "has" if len(rough.models) == 1 else "have"
            return (
                f"{', '.join(rough.models)} {has} no price in LLM_PRICES, so what that costs is "
                "not counted, and the limit does not stop it."
            )
        case "runs":
            return f"{about}, as in earlier runs of the kind."
        case "turns":
            return f"{about}, as people’s turns of late."
        case "nothing":
            return "What a turn costs is not known yet: none has ended with this model."
