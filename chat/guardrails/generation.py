"""The generation boundary: the claims of a draft, and what code alone can say of them.

A claim that stands in a passage word for word, or whose every word and figure stands in one
sentence of it, is supported; one with a figure or a name that no passage holds is not. All else is
left undecided, for a judge: a wrong yes costs more than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from chat.contracts.passages import Passage
from chat.contracts.site_rules import SiteRules
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.claims.entities import fits_entity as fits_entity
from chat.guardrails.claims.exempt import exempt
from chat.guardrails.claims.hedges import Hedged, hedge
from chat.guardrails.claims.lacking import lacking
from chat.guardrails.claims.numbers import FIGURE_WORDS
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.rows import misplaced
from chat.guardrails.claims.sources import Sources, without_figures
from chat.guardrails.claims.support import Claim, carrying, denying
from chat.guardrails.claims.words import groups_of, plain, read
from chat.guardrails.drafts.courtesy import is_courtesy
from chat.guardrails.drafts.quotes import FEWEST as FEWEST_QUOTED
from chat.guardrails.drafts.quotes import sentences, words_of

LONGEST_LABEL = 8  # words
CARRIED = "one sentence of the sources says it"
DENIED = "a sentence of the sources says the opposite"

_DEFAULTS = SiteRules()

_MARKER = re.compile(r"(?<!\s)\s*\[\d+\]")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]|[ \t]*(?:\|[ \t]*)?:?-{3,}")
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
    r"|(?:i|we) (?:do not|don't) have (?:any |specific |enough )*(?:information|details|data)\b.*"
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
_FIRST_ITEM = re.compile(r"(?:^|\s)1[.)]\s")
_SECOND_ITEM = re.compile(r"\s2[.)]\s")
_ANY_ITEM = re.compile(r"(?:^|\s)(\d{1,2})[.)]\s+(?=\S)")
_FIGURE = re.compile(r"\d")
_FIGURE_SIGN = re.compile(r"[€$£¥%‰§]")
_EDGES = ".,;:!?()[]{}\"“”‘’'|-–—•~<>=+#"

# How each caveat begins; the page counts by these, so they stand here alone.
NO_SOURCE = "No source was found for"
CAVEATS: dict[Basis, str] = {
    Basis.CALCULATION: "Computed from the sources, not stated there",
    Basis.INTERPOLATION: "Concluded from the sources, not stated there",
    Basis.GENERAL_KNOWLEDGE: "General knowledge, in no source",
    Basis.NONE: NO_SOURCE,
}

_ANSWERS_ALONE = re.compile(r"(?:yes|no|never|always|none)\b|.*\d", re.IGNORECASE)


def split(draft: str) -> tuple[str, ...]:
    """The sentences that claim something, without their markers, each once and in order."""
    lines = ("" if _HEADING.match(line) else _listed(line) for line in draft.splitlines())
    kept = "\n".join(lines)
    found = (" ".join(_MARKER.sub("", sentence).split()) for sentence in sentences(kept))
    claims = dict.fromkeys(sentence for sentence in found if _claims(sentence))
    return tuple(claim for claim in claims if not _is_scrap(claim)) or tuple(claims)


def label_of(sentence: str) -> str:
    """What a claim is about: its first words, eight at most, and no figure among them."""
    said = _EMPHASIS.sub("", _MARKER.sub("", sentence)).replace("|", " ").split()
    words = [word.strip(_EDGES) for word in said]
    kept = [word for word in words if word and not _is_figure(word)]
    return " ".join(kept[:LONGEST_LABEL]) or "a figure alone"


def caveat_of(verdict: ClaimVerdict) -> str:
    """One line for the person: why the claim is not held, and what it is about, with no figure."""
    beginning = CAVEATS.get(verdict.basis, NO_SOURCE)
    return f"{beginning}: {label_of(verdict.label).rstrip('.')}."


def verify(
    draft: str,
    passages: Sequence[Passage],
    question: str = "",
    rules: SiteRules = _DEFAULTS,
) -> tuple[ClaimVerdict, ...]:
    """Each claim of a draft with what code can say; `supported` is None where it cannot.

    Figures and names that the `question` brought are no reason to reject what repeats them.
    """
    sources = Sources(passages, question, groups_of(rules.synonyms))
    return tuple(_verdict(claim, sources, rules) for claim in split(draft))


def hedged(
    text: str,
    passages: Sequence[Passage],
    question: str = "",
    rules: SiteRules = _DEFAULTS,
) -> Hedged:
    """The text with a hedge behind names of plans and laws, and numbers of paragraphs, that no
    passage and not the question holds. A second run changes nothing."""
    texts = (f"{one.title}\n{one.heading}\n{one.text}" for one in passages)
    whole = plain("\n".join((question, *texts)))
    return hedge(text, whole, rules.never_flagged.statutes)


def _listed(line: str) -> str:
    """A list that was written in one line (`1. Log in. 2. Open it.`), an item a line."""
    if not (_FIRST_ITEM.search(line) and _SECOND_ITEM.search(line)):
        return line
    return _ANY_ITEM.sub(r"\n\1. ", line)


def _is_scrap(claim: str) -> bool:
    """A heading of one word, or what is left of one; beside other claims it claims nothing."""
    words = _EMPHASIS.sub("", claim).split()
    return len(words) == 1 and not _ANSWERS_ALONE.match(words[0])


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


def _verdict(text: str, sources: Sources, rules: SiteRules) -> ClaimVerdict:
    """What code says of one claim: quoted, exempt, lacking, misplaced, carried or denied."""
    told = partial(ClaimVerdict, text=text, label=label_of(text), by="code")
    words = words_of(text)
    if len(words) >= FEWEST_QUOTED and (quoting := sources.quoting(words)):
        return told(basis=Basis.QUOTATION, supported=True, passages=quoting)
    figures = find(text)
    bare = without_figures(text, figures)
    claim = Claim(text, figures, bare, read(bare, sources.groups))
    if why := exempt(text, rules.never_flagged, sources):
        return told(basis=Basis.GENERAL_KNOWLEDGE, supported=None, exempt=why)
    lack = lacking(claim, sources, rules.never_flagged.statutes)
    if lack is not None:
        return told(
            basis=lack.basis,
            supported=lack.supported,
            reason=lack.reason,
            passages=lack.passages,
            unheld=lack.unheld,
        )
    if reason := misplaced(claim, sources):
        return told(basis=Basis.NONE, supported=False, reason=reason)
    if carriers := carrying(claim, sources):
        return told(basis=Basis.SOURCE, supported=True, passages=carriers, reason=CARRIED)
    if deniers := denying(claim, sources):
        return told(basis=Basis.NONE, supported=False, passages=deniers, reason=DENIED)
    return told(basis=Basis.NONE, supported=None)


def _is_figure(word: str) -> bool:
    """Does a word say how many? Digits in any writing, signs of money, and words for numbers."""
    if _FIGURE_SIGN.search(word) or any(sign.isnumeric() for sign in word):
        return True
    return any(part in FIGURE_WORDS for part in re.split(r"[-–/]", word.casefold()))
