"""The generation boundary: the claims of a draft, and what code alone can say of them.

A claim that stands in a passage word for word is supported; one with a figure or a name that no
passage holds is not. All else is left undecided: nobody could say yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.contracts.passages import Passage
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.drafts.courtesy import is_courtesy
from chat.guardrails.drafts.quotes import is_quoted, sentences, words_of

LONGEST_LABEL = 8  # words

_MARKER = re.compile(r"\s*\[\d+\]")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]|[ \t]*\|?[ \t]*:?-{3,}")
_EMPHASIS = re.compile(r"[*_`]+")
# What a draft says of the search or of a step, and not of the matter.
_SOURCE = r"(?:the|these|your) (?:documents?|handbook|passages?|sources?|directory)(?: here)?"
_OF_THE_WORK = re.compile(
    rf"{_SOURCE} (?:do|does|did)(?:n't| not) (?:say|hold|mention|cover|state|contain|give|name|list"
    r"|answer|show)\b.*"
    rf"|{_SOURCE} (?:holds?|have|has|contains?|gives?|says?|names?|lists?) (?:no|nothing)\b.*"
    r"|(?:no (?:passage|document|answer|information|record|entry|match)(?:s|es)?|nothing"
    r"|none of the (?:documents|passages)) (?:(?:was|were|is|are|could be) (?:found|listed|named"
    r"|said)|says?|mentions?|answers?|covers?)\b.*"
    r"|(?:i|we) (?:could not|cannot|can't|couldn't|did not|didn't) (?:find|answer|check|say|look)"
    r"\b.*|(?:it|that|this) could not be (?:found|checked|answered|looked)\b.*",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\d|;|\b(?:but|however|although|yet|instead)\b", re.IGNORECASE)
_OF_A_STEP = re.compile(
    r"(?:the|your|this|that) (?:ticket|directory|search|step|lookup|request) (?:was not|could not"
    r" be|did not) \w+(?: \w+){0,6}|it can be (?:tried|asked|done) again(?: \w+){0,4}",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
_CURRENCY = re.compile(r"[€$£¥%]")
_NAME = re.compile(r"(?<![.!?:…\"“(•–—*-] )(?<=\s)[(\"“]?([A-Z][a-z][\w'’-]*)")
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {
    word: str(number)
    for number, word in zip(
        range(30, 101, 10),
        "thirty forty fifty sixty seventy eighty ninety hundred".split(),
        strict=True,
    )
}


def split(draft: str) -> tuple[str, ...]:
    """The sentences that claim something, without their markers, each once and in order."""
    lines = (line for line in draft.splitlines())
    kept = "\n".join("" if _HEADING.match(line) else line for line in lines)
    found = (" ".join(_MARKER.sub("", sentence).split()) for sentence in sentences(kept))
    return tuple(dict.fromkeys(sentence for sentence in found if _claims(sentence)))


def label_of(sentence: str) -> str:
    """What a claim is about: its first words, eight at most, and no figure among them."""
    said = _EMPHASIS.sub("", _MARKER.sub("", sentence)).split()
    words = [word.strip(".,;:!?()\"“”'") for word in said]
    kept = [word for word in words if word and not _is_figure(word)]
    return " ".join(kept[:LONGEST_LABEL]) or "a figure alone"


def verify(draft: str, passages: Sequence[Passage], question: str = "") -> tuple[ClaimVerdict, ...]:
    """Each claim of a draft with what code can say; `supported` is None where it cannot.

    Figures and names that the `question` brought are no reason to reject what repeats them.
    """
    held = _Held(passages, question)
    return tuple(_verdict(claim, passages, held) for claim in split(draft))


def _claims(sentence: str) -> bool:
    text = _EMPHASIS.sub("", sentence).strip("\"'“”‘’ ")
    if not any(sign.isalpha() for sign in text) or text.endswith("?"):
        return False
    if text.endswith(":") and not _FIGURE.search(text):
        return False  # it only leads to what follows
    return not (_says_of_the_work(text) or is_courtesy(text))


def _says_of_the_work(text: str) -> bool:
    """`The documents do not say: ...`, `The ticket was not opened.`"""
    bare = text.rstrip(".! ")
    if _OF_A_STEP.fullmatch(bare):
        return True
    return _GOES_ON.search(bare) is None and _OF_THE_WORK.fullmatch(bare) is not None


class _Held:
    """The words and figures that any passage or the question holds, titles and headings too."""

    def __init__(self, passages: Sequence[Passage], question: str) -> None:
        texts = (f"{p.title}\n{p.heading}\n{p.text}" for p in passages)
        whole = "\n".join((question, *texts))
        words = words_of(whole)
        self.words = frozenset(part for word in words for part in _pieces(word))
        self.figures = frozenset(map(_value, _FIGURE.findall(whole))) | frozenset(
            _NUMBERS[part] for part in self.words if part in _NUMBERS
        )

    def lacks(self, claim: str) -> str:
        """What of the claim no passage holds, or nothing."""
        for figure in _FIGURE.findall(claim):
            if _value(figure) not in self.figures:
                return f"no passage holds “{figure}”"
        for name in _NAME.findall(_EMPHASIS.sub("", claim)):
            if not all(part in self.words for part in _pieces(words_of(name)[0])):
                return f"no passage names “{name}”"
        return ""


def _verdict(claim: str, passages: Sequence[Passage], held: _Held) -> ClaimVerdict:
    words = words_of(claim)
    label = label_of(claim)
    if any(is_quoted(words, passage.text) for passage in passages):
        return ClaimVerdict(
            text=claim, label=label, basis=Basis.QUOTATION, supported=True, by="code"
        )
    lack = held.lacks(claim)
    supported = False if lack else None
    return ClaimVerdict(
        text=claim, label=label, basis=Basis.NONE, supported=supported, by="code", reason=lack
    )


def _pieces(word: str) -> list[str]:
    """A word without its ending, and the parts of a joined one: `e-mail's` is `e` and `mail`."""
    parts = re.split(r"[-/'_]", word.removesuffix("'s"))
    return [part.removesuffix("s") if len(part) > 3 else part for part in parts if part]


def _value(figure: str) -> str:
    """A figure as it is compared: `1,000` is `1000`, `4.50` is `4.5`, `05` is `5`."""
    plain = re.sub(r",(?=\d{3}(?!\d))", "", figure)
    whole, dot, rest = plain.partition(".")
    if not (whole.isdigit() and (rest.isdigit() or not dot)):
        return plain
    return f"{whole.lstrip('0') or '0'}.{rest.rstrip('0')}".rstrip(".")


def _is_figure(word: str) -> bool:
    return bool(_FIGURE.search(word) or _CURRENCY.search(word) or word.casefold() in _NUMBERS)
