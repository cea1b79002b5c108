"""What is said beside a re-run: what it could not have as its source had it. Database work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from chat import tapes, wiring
from chat.contracts.verdicts import Termination
from chat.models import Pause, PromptVersion, Rerun, Turn
from chat.reruns import documents, offering
from chat.reruns.change import Change
from chat.reruns.making import is_same_corpus, manner_of, root_of

ENDS = {
    Termination.USER_STOP: "The person stopped this turn; a re-run goes on to its end.",
    Termination.SUPERSEDED: "The person asked something else meanwhile; a re-run goes on.",
    Termination.INTERRUPTED: "This turn was interrupted; a re-run goes on to its end.",
    Termination.TIME_CAP: "This turn ran out of time. In a re-run, what is reused counts the time "
    "that it took then.",
}
ALL_CALLED = "Everything is called anew."
RULES = "The site's rules changed since. A re-run keeps to those of today."
ACTIONS = "What cannot be undone is not done in a re-run."
PINNED = "The path of this turn was fixed beforehand, so the router's margin changes nothing."


def cautions(turn: Turn) -> list[str]:
    """Sentences for the form, before the turn is run again."""
    heard = tapes.of(turn.pk)
    said = list(_said(turn, heard, wiring.versions()))
    if heard and is_same_corpus(manner_of(turn, heard)):
        current = documents.are_current(heard.calls, turn.started_at)
        said[:0] = [] if current else ["Searched anew: the documents changed."]
    return [*_untaped(turn, heard), *said]


def notes(rerun: Rerun) -> list[str]:
    """Sentences beside what came out; for one that was not made yet, those of the form."""
    source, heard = rerun.source, tapes.of(rerun.source_id)
    done = rerun.turn.versions if rerun.turn else None
    said = list(_said(source, heard, done.values if done else wiring.versions()))
    if not rerun.reused:  # what was reused may have been purged since
        said[:0] = _untaped(source, heard)
    change = Change.stored(rerun.change)
    margins = (change.route_threshold, change.direct_threshold)
    if any(value is not None for value in margins) and _is_pinned(heard):
        said.append(PINNED)
    return said


def _untaped(turn: Turn, heard: tapes.Heard | None) -> list[str]:
    return [] if heard else [f"{tapes.why_none(turn)} {ALL_CALLED}"]


def _said(turn: Turn, heard: tapes.Heard | None, today: Mapping[str, str]) -> Iterator[str]:
    manner = manner_of(turn, heard)
    was = manner.versions
    if was.get("corpus", "") != today["corpus"]:
        yield f"Searched anew: the documents changed{_on(today['corpus'])}."
    elif was.get("embedder", "") != today["embedder"]:
        yield "Searched anew: meaning is measured by another model since."
    if was.get("rules", today["rules"]) != today["rules"]:
        yield RULES
    if was.get("code", today["code"]) != today["code"]:
        yield f"This turn was run by version {was['code']}; it is {today['code']} now."
    yield from _spoken(manner.model, manner.prompts)
    if turn.termination in ENDS:
        yield ENDS[Termination(turn.termination)]
    if Pause.objects.filter(turn=root_of(turn), kind=Pause.Kind.ACTION, approved=True).exists():
        yield ACTIONS


def _spoken(model: str, prompts: list[str]) -> Iterator[str]:
    """What is gone of who spoke, and of the words that they were given."""
    is_golden = model.startswith("golden")
    if model and not is_golden and not offering.recorded(model):
        yield f"{model} cannot be asked here any more. Its part is asked of {wiring.model().name}."
    if not offering.takes_prompts() or is_golden:
        return
    known = set(PromptVersion.objects.filter(name__in=prompts).values_list("name", flat=True))
    known |= set(wiring.model().prompts.split())
    if gone := [name for name in prompts if name not in known]:
        yield f"The prompts {', '.join(gone)} are not kept any more. Those of today are used."


def _is_pinned(heard: tapes.Heard | None) -> bool:
    return bool(heard and heard.setting.get("settings", {}).get("pinned_route"))


def _on(corpus: str) -> str:
    """` on 4 March 2027`, from the time at which the newest document came."""
    try:
        at = datetime.fromisoformat(corpus)
    except ValueError:
        return ""
    return f" on {at.day} {at:%B %Y}"
