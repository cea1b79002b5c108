"""What a turn is run again with: the settings of its own run, and the change.

Recorded settings win over those of today, but for the owner's words (rules, contacts, examples),
which are today's. A golden question keeps its stand-ins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args

from django.conf import settings

from chat import trials, wiring
from chat.contracts.ports import AgentSettings, LanguageModel, Ports, TakesPrompts
from chat.contracts.tasks import PromptWords
from chat.lab_table import STAND_IN_BOUND
from chat.models import PromptVersion, Turn
from chat.reruns import offering
from chat.reruns.change import Change
from chat.reruns.problems import BadChange
from chat.retrieval.store import Mode, PostgresSearch
from chat.sample.loader import Golden, golden_five
from chat.sample.stand_ins import GoldenModel
from chat.taping import settings_from
from chat.tools.shipped import toolbox
from chat.uploads import with_attachments

ANSWERED_BY = ", answers by "


@dataclass(frozen=True, slots=True)
class Manner:
    """How a turn was run: `setting` as recorded, `versions` as sealed; both may be empty."""

    setting: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return str(self.setting.get("model") or self.versions.get("model", ""))

    @property
    def prompts(self) -> list[str]:
        """The names of the versions that were spoken with."""
        return str(self.setting.get("prompts") or self.versions.get("prompts", "")).split()

    @property
    def mode(self) -> Mode:
        search = self.setting.get("search", {})
        said = search.get("mode") or self.versions.get("retrieval", "")
        return _mode(said) or _mode(settings.PLUMBLINE.retrieval_mode) or "hybrid"

    @property
    def threshold(self) -> float:
        """A recorded search without one had none, which is 0."""
        search = self.setting.get("search", {})
        if search.get("mode"):
            return float(search.get("threshold", 0.0))
        return float(settings.PLUMBLINE.relevance_threshold)


def ports(root: Turn, manner: Manner, change: Change) -> Ports:
    """Everything that a re-run of a question may use. Database work.

    `root` is the turn of the person or of the lab in which it was asked first. The tools are of no
    turn, so nothing irreversible can be done. Raises `BadChange` for what cannot be changed here.
    """
    given = wiring.ports(pace=0)
    given = replace(
        given,
        model=_model(root, manner, change),
        search=_search(manner, change),
        settings=changed(settings_from(manner.setting, given.settings), change),
    )
    given = with_attachments(given, root.question, wiring.embedder())
    return replace(given, tools=toolbox(None))


def changed(limits: AgentSettings, change: Change) -> AgentSettings:
    """The settings with the change. The cap on passes makes room for a higher bound."""
    names = (
        *("max_rewrites", "check_order", "relevance_threshold", "topic_check"),
        *("route_threshold", "direct_threshold"),
    )
    new = {name: value for name in names if (value := getattr(change, name)) is not None}
    if change.max_rewrites is not None:
        new["max_passes"] = max(limits.max_passes, change.max_rewrites + 2)
    return replace(limits, **new)


def golden_of(root: Turn) -> Golden | None:
    """The golden question that a turn of the lab asks."""
    if root.kind != "lab":
        return None
    return next((each for each in golden_five() if each.question == root.question.text), None)


def words_of(manner: Manner, change: Change) -> dict[str, PromptWords]:
    """The rules that differ from what is shipped today, by purpose. Raises `BadChange`."""
    rows = PromptVersion.objects.filter(name__in=manner.prompts, purpose__in=trials.PURPOSES)
    heard = {row.purpose: PromptWords(name=row.name, system=row.system) for row in rows}
    try:
        heard |= trials.named(change.prompts)
    except trials.BadPrompt as error:
        raise BadChange({"prompts": str(error)}) from None
    return {purpose: words for purpose, words in heard.items() if words != trials.shipped(purpose)}


def _model(root: Turn, manner: Manner, change: Change) -> LanguageModel:
    """Who speaks: the golden stand-ins, or the recorded model, or the one that is asked for."""
    golden = golden_of(root) if manner.model.startswith("golden") else None
    if golden is None:
        return _speaking(change.model or offering.recorded(manner.model), manner, change)
    if (change.max_rewrites or 0) > STAND_IN_BOUND:
        said = f"A golden question has {STAND_IN_BOUND} rewrites, written by hand: allow no more."
        raise BadChange({"max_rewrites": said})
    wrote = manner.model.partition(ANSWERED_BY)[2]
    writer = _speaking(change.model or offering.recorded(wrote), manner, change)
    if change.model or change.prompts:
        name, prompts = f"golden{ANSWERED_BY}{writer.name}", writer.prompts
    else:
        name, prompts = manner.model, " ".join(manner.prompts)
    return GoldenModel(golden, writer, name=name, prompts=prompts)


def _speaking(name: str, manner: Manner, change: Change) -> LanguageModel:
    """A model by the name under which it is offered; the site's for no name."""
    if name == offering.OFFLINE:
        return wiring.offline_model(0)
    model = wiring.model_named(name) if name else wiring.model(0)
    if not isinstance(model, TakesPrompts):
        return model
    words = words_of(manner, change)
    return model.with_prompts(words) if words else model


def _search(manner: Manner, change: Change) -> PostgresSearch:
    threshold = change.relevance_threshold
    return _index(
        change.retrieval or manner.mode, manner.threshold if threshold is None else threshold
    )


@lru_cache(maxsize=8)
def _index(mode: Mode, threshold: float) -> PostgresSearch:
    """Kept for the next turns of a batch: it remembers the vectors of words."""
    return PostgresSearch(
        wiring.embedder(), collection=wiring.COLLECTION, mode=mode, threshold=threshold
    )


def _mode(said: str) -> Mode | None:
    return next((mode for mode in get_args(Mode) if mode == said), None)
