"""What is said of a turn's end, support, gaps and faults, and its view as plain JSON values.

Pure: a view in, words out. What they stand on, a page or a script, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

from chat.contracts.events import Answer, Body
from chat.contracts.passages import Citation, Passage
from chat.contracts.trust import UNKNOWN, Trust
from chat.contracts.turn_view import TurnView
from chat.contracts.verdicts import Basis, Confidence, Supports, Termination
from chat.guardrails.drafts.courtesy import makes_claims
from chat.guardrails.generation import CAVEATS, verify
from chat.guardrails.output import names_every

Signal = Literal["supported", "unchecked", "partly", "failed"]


@dataclass(frozen=True, slots=True)
class Note:
    """One line under an answer: a signal's shape and its words, and more for who points at it."""

    signal: Signal
    words: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended. `again` offers the question anew.

    `beside` says it under an answer too: where the answer does not tell how it came to its end.
    """

    words: str
    again: bool = True
    signal: Signal = "failed"
    beside: bool = False


_UNFINISHED = Ending("This ended before there was an answer.")
_CAPPED = Ending("Ended at the limit for one question.", signal="partly", beside=True)

ENDINGS: dict[Termination, Ending] = {
    Termination.ANSWERED: _UNFINISHED,
    Termination.ANSWERED_WITH_CAVEAT: _UNFINISHED,
    Termination.GREETED: _UNFINISHED,
    Termination.CRISIS: Ending("The reply could not be shown.", again=False, signal="unchecked"),
    Termination.OFF_TOPIC: Ending("This is not in the handbook.", again=False, signal="unchecked"),
    Termination.RESTRICTED: Ending(
        "This cannot be answered here.", again=False, signal="unchecked"
    ),
    Termination.CLARIFICATION_EXPIRED: Ending("No reply came in time.", signal="unchecked"),
    Termination.NO_EVIDENCE: Ending("Nothing was found that answers this.", signal="unchecked"),
    Termination.NO_PROGRESS: Ending("Further searches found nothing new.", signal="unchecked"),
    Termination.PASS_CAP: Ending("Ended after the searches allowed.", signal="partly", beside=True),
    Termination.TOKEN_CAP: _CAPPED,
    Termination.COST_CAP: _CAPPED,
    Termination.TOOL_CAP: _CAPPED,
    Termination.TIME_CAP: Ending("Ended at the time limit.", signal="partly", beside=True),
    Termination.GATE_BLOCKED: Ending("There was nothing fit to send."),
    Termination.USER_STOP: Ending("Stopped. What stands here was not checked.", beside=True),
    Termination.ACTION_DECLINED: Ending("Nothing was done.", again=False, signal="unchecked"),
    Termination.CONTROL_FAILED: Ending("A check could not run, so nothing was sent.", beside=True),
    Termination.MODEL_FAILED: Ending("The model did not answer.", beside=True),
    Termination.HANDED_OFF: Ending(
        "Passed on to a person.", again=False, signal="unchecked", beside=True
    ),
    Termination.SUPERSEDED: Ending(
        "Set aside for the next question.", again=False, signal="unchecked", beside=True
    ),
    Termination.STEP_LIMIT: Ending("This took too many steps and was ended.", beside=True),
    Termination.INTERRUPTED: Ending("Interrupted before it was finished.", beside=True),
}

# What a vote against an answer may say with one press.
REASONS = ("Wrong", "Incomplete", "Off the point")

# What a yes to an action is called, and to one of these tools.
YES = "Yes, do it"
YES_WORDS: dict[str, str] = {"open_ticket": "Open the ticket"}

KB = 1024

# How the caveat of a claim begins that nothing holds; others speak of the answer as a whole.
_NOT_HELD = tuple(f"{beginning}:" for beginning in CAVEATS.values())

# What is cited of a tool, by the id of its document; anything else is a passage.
_KINDS: dict[str, str] = {"tool:search_directory": "record", "tool:open_ticket": "ticket"}

_QUOTES_DOCUMENTS = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)


def trust_of(view: TurnView, trust: Trust = UNKNOWN) -> Note | None:
    """One honest line: checked, compared, quoted, cited without a check, or citing nothing.

    `trust` is what is known of the judge: only of one that is right often enough is it said that
    it has checked. A courtesy rests on nothing and needs no line.
    """
    answer = view.answer
    if answer is None:
        return None
    if answer.citations:
        return _bound_to(answer) if answer.confidence is Confidence.NONE else _held(answer, trust)
    ended_as = view.finished.termination if view.finished else None
    if ended_as in _QUOTES_DOCUMENTS and makes_claims(answer.text):
        return Note("unchecked", "Cites no passage")
    return None


def _held(answer: Answer, trust: Trust) -> Note:
    """Of an answer whose claims were held against the passages that it cites."""
    if all(_is_ticket(citation) for citation in answer.citations):
        return Note("supported", f"Taken from {_sources(answer.citations)}")
    sources, checked = _sources(answer.citations), trust.word == "checked"
    did = f"Checked against {sources}" if checked else f"Compared with {sources} by the model"
    if answer.confidence is not Confidence.HIGH:
        return Note("partly", f"{'Checked' if checked else did}, {_lacking(answer)}", _more(trust))
    if bases := _proved(answer.text, answer.citations):
        quoted = bases == {Basis.QUOTATION}
        return Note("supported", f"{'Quoted from' if quoted else 'Checked against'} {sources}")
    if checked:
        return Note("supported", did, _more(trust))
    return Note("unchecked", f"{did}, {_how_often(trust)}", _more(trust))


def _is_ticket(citation: Citation) -> bool:
    """What code did itself needs no model to say that it was done."""
    return _KINDS.get(citation.document) == "ticket"


def _lacking(answer: Answer) -> str:
    parts = sum(caveat.startswith(_NOT_HELD) for caveat in answer.caveats)
    if parts == 0:
        return "not every part is supported"
    return f"{parts} part{'' if parts == 1 else 's'} not supported"


def _how_often(trust: Trust) -> str:
    """Rounded down: a figure under a promise is not made better."""
    if trust.precision is None:
        return "how reliably is not known"
    return f"right {int(trust.precision * 10)} times of 10 when tried"


def _more(trust: Trust) -> str:
    """The figure that the line rests on, with its set and rows."""
    if trust.precision is None:
        return (
            "The model that compares was not yet measured on enough texts that people had labelled."
        )
    return (
        f"Of {trust.n} labelled texts ({trust.dataset}) that this model called supported,"
        f" {int(trust.precision * 100)} % were."
    )


def support_of(citation: Citation, claims: Sequence[str], trust: Trust = UNKNOWN) -> Note:
    """Does the passage carry what is said with its marker? `claims` are those words.

    A yes is code's own where the claims prove it, else the word of the judge.
    """
    if citation.supports is Supports.NO:
        return Note("partly", "Does not carry what is said")
    if _is_ticket(citation):
        return Note("supported", "What the ticket holds")
    if citation.supports is Supports.UNCHECKED:
        return Note("unchecked", "Wording not checked")
    bases = _proved("\n\n".join(claims), (citation,))
    if bases == {Basis.QUOTATION}:
        return Note("supported", "The marked words are quoted")
    if bases:
        return Note("supported", "Carries what is said")
    if trust.word == "checked":
        return Note("supported", "Carries what is said", _more(trust))
    return Note("unchecked", f"Compared by the model, {_how_often(trust)}", _more(trust))


@lru_cache(maxsize=512)
def _proved(text: str, citations: tuple[Citation, ...]) -> frozenset[Basis]:
    """What the claims rest on where code alone proves all of them; empty where it does not."""
    cited = tuple(
        Passage(
            chunk=c.chunk, document=c.document, version=c.version, title=c.title, text=c.passage
        )
        for c in citations
    )
    claims = verify(text, cited)
    held = bool(claims) and all(claim.supported and claim.by == "code" for claim in claims)
    return frozenset(claim.basis for claim in claims) if held else frozenset()


def _bound_to(answer: Answer) -> Note:
    """Of an answer that nobody checked: code knows only what it quotes word for word.

    A yes beside a citation may be a judge's, so the quotation is looked at once more.
    """
    supports = [citation.supports for citation in answer.citations]
    passages = _sources(answer.citations)
    missing = supports.count(Supports.NO)
    if missing:
        return Note("partly", f"Cites {passages}, {missing} without support for what is said")
    unchecked = supports.count(Supports.UNCHECKED)
    if not unchecked and _proved(answer.text, answer.citations) == {Basis.QUOTATION}:
        return Note("supported", f"Quoted from {passages}")
    if unchecked in (0, len(supports)):
        return Note("unchecked", f"Cites {passages}, wording not checked")
    return Note("unchecked", f"Cites {passages}, wording of {unchecked} not checked")


def _sources(citations: Sequence[Citation]) -> str:
    """How many of what: a ticket or a record of the directory is no passage."""
    kinds = {_KINDS.get(citation.document, "passage") for citation in citations}
    kind = kinds.pop() if len(kinds) == 1 else "source"
    return f"{len(citations)} {kind}{'' if len(citations) == 1 else 's'}"


def ending_of(view: TurnView) -> Ending | None:
    """Plain words for an ended turn that was not simply answered."""
    if view.failure:
        return Ending(view.failure.message, again=view.failure.retryable)
    if view.finished is None:
        return _UNFINISHED
    termination = view.finished.termination
    if termination is Termination.USER_STOP and not view.text.strip():
        return Ending("Stopped before there was an answer.")
    ending = ENDINGS[termination]
    return ending if ending.beside or not view.answer else None


def is_calm(view: TurnView) -> bool:
    """Somebody in a crisis gets the reply alone: nothing to press, to rate or to try again."""
    return bool(view.finished and view.finished.termination is Termination.CRISIS)


def notes_of(answer: Answer) -> tuple[str, ...]:
    """What was not found and what has to be said beside the answer, a line each.

    A gap that the answer names in its own words is not said twice.
    """
    silent = (gap for gap in answer.gaps if not names_every(answer.text, (gap,)))
    return (*(f"Not found: {gap}" for gap in silent), *answer.caveats)


def size_of(count: int) -> str:
    """A number of bytes for a person, as the page's script says it: 640 B, 12 KB, 1.4 MB."""
    if count < KB:
        return f"{count} B"
    return f"{count / KB:.0f} KB" if count < KB * KB else f"{count / KB / KB:.1f} MB"


def view_state(view: TurnView) -> dict[str, Any]:
    """A view as plain JSON values, the shape that the page's own reducer goes on from."""
    return {
        "seq": view.seq,
        "question": view.question,
        "stages": [asdict(stage) for stage in view.stages],
        "draft": view.draft,
        "withdrawn": view.withdrawn,
        "clarification": _data(view.clarification),
        "action": _data(view.action),
        "paused": view.paused,
        "exchanges": [list(exchange) for exchange in view.exchanges],
        "tools": [_data(tool) for tool in view.tools],
        "answer": _data(view.answer),
        "failure": _data(view.failure),
        "finished": _data(view.finished),
    }


def _data(body: Body | None) -> dict[str, Any] | None:
    return body.model_dump(mode="json", by_alias=True) if body else None
