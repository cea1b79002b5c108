"""What a form may offer for a re-run: models, versions of prompts, modes, and what is set now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from django.conf import settings

from chat import trials, wiring
from chat.adapters.llm_offline import NAME
from chat.contracts.ports import TakesPrompts
from chat.models import PromptVersion
from chat.reruns.change import Change, CheckOrder, Retrieval
from chat.reruns.problems import BadChange, NotOffered

OFFLINE = "offline"
"""The name under which the model on this machine is asked for."""


@dataclass(frozen=True, slots=True)
class Offers:
    """`models` are names, the present one first. `prompts` has names by purpose, the shipped one
    first; none where the present model takes none. `present` has the site's value of each field of
    a `Change`, without `prompts` (those are the first ones). `limits` are least and most of a
    number.
    """

    models: tuple[str, ...]
    prompts: Mapping[str, tuple[str, ...]]
    retrievals: tuple[str, ...]
    orders: tuple[str, ...]
    present: Mapping[str, Any]
    limits: Mapping[str, tuple[float, float]]


LIMITS = {
    "max_rewrites": (0, 6),
    "relevance_threshold": (0.0, 1.0),
    "route_threshold": (0.0, 1.0),
    "direct_threshold": (0.0, 1.0),
}


def offers() -> Offers:
    """What may be changed here. Database work."""
    return Offers(
        models=models(),
        prompts=_prompts(),
        retrievals=get_args(Retrieval),
        orders=get_args(CheckOrder),
        present=_present(),
        limits=LIMITS,
    )


def models() -> tuple[str, ...]:
    """The present model, those of the other roles, those with a price, and the offline one."""
    site = settings.PLUMBLINE
    if not site.llm_model:
        return (OFFLINE,)
    roles = (site.llm_model, site.llm_router_model, site.llm_grader_model, site.llm_judge_model)
    named = (*(name for name in roles if name), *sorted(site.llm_prices), OFFLINE)
    return tuple(dict.fromkeys(named))


def check(change: Change) -> None:
    """Could this change be made here? Raises `NotOffered` and `BadChange`. Database work."""
    if change.model is not None and change.model not in models():
        raise NotOffered(
            f"{change.model} cannot be asked here. Choose one of {', '.join(models())}; "
            "a model is offered once it has a price."
        )
    if not change.prompts:
        return
    if change.model == OFFLINE or not takes_prompts():
        raise BadChange({"prompts": "The offline model has rules and takes no prompts."})
    try:
        trials.named(change.prompts)
    except trials.BadPrompt as error:
        raise BadChange({"prompts": str(error)}) from None


def takes_prompts() -> bool:
    """Has the site's model prompts that can be put in other words?"""
    return isinstance(wiring.model(), TakesPrompts)


def _present() -> dict[str, Any]:
    limits = wiring.agent_settings()
    return {
        "max_rewrites": limits.max_rewrites,
        "check_order": limits.check_order,
        "relevance_threshold": limits.relevance_threshold,
        "route_threshold": limits.route_threshold,
        "direct_threshold": limits.direct_threshold,
        "retrieval": settings.PLUMBLINE.retrieval_mode,
        "topic_check": limits.topic_check,
        "model": models()[0],
    }


def _prompts() -> dict[str, tuple[str, ...]]:
    if not takes_prompts():
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    rows = PromptVersion.objects.filter(purpose__in=trials.PURPOSES).order_by("-made_at")
    for purpose, name in rows.values_list("purpose", "name"):
        found[purpose].append(name)
    shipped = {purpose: trials.shipped(purpose).name for purpose in trials.PURPOSES}
    return {
        purpose: tuple(dict.fromkeys((first, *found[purpose])))
        for purpose, first in shipped.items()
    }


def recorded(name: str) -> str:
    """How the model of a record is asked for: a name of `models()`, or empty if it is gone."""
    asked = OFFLINE if name == NAME else name.partition(" at ")[0]
    return asked if asked in models() else ""
