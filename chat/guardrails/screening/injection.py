"""Text that reads like an order to the assistant, in what documents, files and tools bring.

Such a passage is made inert: its sentence is replaced by a mark, and everything else stays as it
is. This is a speed bump. It sees shapes, not intent: an order in plain words that names neither
the assistant nor its reply ("What is the capital of France?") looks like any text. What an
injected order can do is limited by what the turn can do: see the tools and their confirmation.
A person's own message is never changed, for it can hurt nobody's turn but theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chat.guardrails.untrusted.encoded import encoded
from chat.guardrails.untrusted.markup import headed, marked
from chat.guardrails.untrusted.orders import Span, orders
from chat.guardrails.untrusted.sentences import MARK, whole
from chat.guardrails.untrusted.unseen import hidden

_PASSES = 8  # what is left can read like an order again; then all of it goes


@dataclass(frozen=True, slots=True)
class Neutralised:
    """A text without orders. `found` are their kinds, each once, in the order of the text.

    Kinds: override, role_play, system_prompt, new_task, exfiltration, fake_turn, hidden_text,
    encoded.
    """

    text: str
    found: tuple[str, ...] = ()


def neutralise(text: str) -> Neutralised:
    """Take orders out of a text that was brought along. Applied twice it does the same as once.

    Linear in the length of the text: about 0.3 ms for 1,000 characters.
    """
    found: dict[str, None] = {}
    for _ in range(_PASSES):
        grow, exact = _spans(text)
        if not grow and not exact:
            return Neutralised(text, tuple(found))
        found |= dict.fromkeys(_kinds((*grow, *exact)))
        text = _without(text, whole(text, grow, exact))
    return Neutralised(MARK, tuple(found))


def suspicion(text: str) -> tuple[str, ...]:
    """The kinds of orders in a person's own message, to be reported and nothing else."""
    grow, exact = _spans(text)
    return _kinds((*grow, *exact))


def _spans(text: str) -> tuple[list[Span], list[Span]]:
    """What grows to its sentence, and what is taken out as it stands."""
    return [*orders(text), *headed(text)], [*marked(text), *hidden(text), *encoded(text)]


def _kinds(spans: Sequence[Span]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for _, _, kind in sorted(spans)))


def _without(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    kept: list[str] = []
    last = 0
    for start, end in stretches:
        kept += text[last:start], MARK
        last = end
    return "".join((*kept, text[last:]))
