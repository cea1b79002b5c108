"""What runs of the lab cost: what one has spent, and roughly what one would.

Money is counted by turns, as each ends, whatever became of its question. All costs are US dollars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Literal

from django.conf import settings
from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from chat import wiring
from chat.contracts.events import NOBODYS
from chat.lab_table import Variant
from chat.models import LabRun, Turn

COST_LIMIT = Decimal(1)  # of a run, unless another one is given
HIGHEST_LIMIT = Decimal(1_000)
LOOKED_AT_RUNS = 10  # of a kind, the newest, for what a question costs
LOOKED_AT_TURNS = 200  # of people, the newest

BEGUN = LabRun.turns.through.objects.all()
"""Which turn was begun for which run."""

From = Literal["offline", "unpriced", "runs", "turns", "nothing"]


class BadLimit(ValueError):
    """A limit that a run cannot have. Its text says what it may be."""


@dataclass(frozen=True, slots=True)
class Rough:
    """What `asked` questions with each of so many `settings` cost: a turn `each`, as `told` says.

    offline: the model on this machine costs nothing. unpriced: `models` have no price, so nobody
    counts what they cost. runs: earlier runs of the kind. turns: people's turns of late. nothing:
    there are neither.
    """

    asked: int
    settings: int
    told: From
    each: float = 0.0
    models: tuple[str, ...] = ()

    @property
    def turns(self) -> int:
        return self.asked * self.settings

    @property
    def cost(self) -> float:
        return self.turns * self.each


def limit_from(given: Any) -> Decimal:
    """What a run may cost, from what was given. Raises `BadLimit`."""
    try:
        limit = Decimal(str(given))
    except InvalidOperation:
        limit = Decimal("nan")
    if not (limit.is_finite() and 0 < limit <= HIGHEST_LIMIT):
        raise BadLimit(f"The limit is above 0 and at most {HIGHEST_LIMIT:,} US dollars.")
    return limit


def in_dollars(limit: Decimal) -> str:
    """`1.00`, `0.005`: at least cents, and no digit less than was given."""
    plain = f"{limit.normalize():f}"
    return plain if len(plain.partition(".")[2]) > 2 else f"{limit:,.2f}"


def spent(run: int) -> Decimal:
    """What the turns of a run have cost so far; one that has not ended is not in it. A query."""
    found = Turn.objects.filter(lab_runs=run).aggregate(cost=Sum("cost", default=Decimal(0)))
    cost: Decimal = found["cost"]
    return cost


def with_cost(runs: QuerySet[LabRun]) -> QuerySet[LabRun]:
    """Each run with its `cost`, added up for those alone that are fetched."""
    own = BEGUN.filter(labrun=OuterRef("pk")).order_by().values("labrun")
    cost = Subquery(own.annotate(total=Sum("turn__cost")).values("total"))
    return runs.annotate(cost=Coalesce(cost, Decimal(0)))


def rough(questions: str, asked: int, variants: Sequence[Variant]) -> Rough:
    """What a run of `asked` questions with each of the variants would cost. Two queries at most."""
    told = partial(Rough, asked, len(variants))
    if not settings.PLUMBLINE.llm_model:
        return told("offline")
    if unpriced := _unpriced():
        return told("unpriced", models=unpriced)
    retrieval = variants[0].retrieval if variants else ""
    if (each := _of_runs(questions, retrieval)) is not None:
        return told("runs", each)
    if (each := _of_turns()) is not None:
        return told("turns", each)
    return told("nothing")


def _unpriced() -> tuple[str, ...]:
    site = settings.PLUMBLINE
    roles = (site.llm_router_model, site.llm_grader_model, site.llm_judge_model)
    models = dict.fromkeys((site.llm_model, *(name for name in roles if name)))
    return tuple(name for name in models if name not in site.llm_prices)


def _of_runs(questions: str, retrieval: str) -> float | None:
    """The mean of the newest runs of the kind that cost anything: others had no such model."""
    kind = LabRun.objects.filter(questions=questions)
    if questions == LabRun.Questions.GOLDEN:  # lexical ones have stand-ins, which cost nothing
        lexical = {"variants__0__retrieval": "lexical"}
        kind = kind.filter(**lexical) if retrieval == "lexical" else kind.exclude(**lexical)
    newest = kind.order_by("-created_at", "-pk").values("pk")[:LOOKED_AT_RUNS]
    runs = BEGUN.filter(labrun__in=newest).order_by().values("labrun")
    sums = runs.annotate(cost=Sum("turn__cost"), begun=Count("pk")).filter(cost__gt=0)
    found = list(sums.values_list("cost", "begun"))
    begun = sum(number for _, number in found)
    return float(sum(cost for cost, _ in found)) / begun if begun else None


def _of_turns() -> float | None:
    """The mean of people's newest turns that had the model of today."""
    ended = Turn.objects.filter(status=Turn.Status.FINISHED).exclude(kind__in=NOBODYS)
    newest = ended.order_by("-finished_at", "-pk")
    rows = newest.values_list("cost", "versions__values__model")[:LOOKED_AT_TURNS]
    model = wiring.model().name
    costs = [float(cost) for cost, spoke in rows if spoke == model]
    return sum(costs) / len(costs) if costs else None
