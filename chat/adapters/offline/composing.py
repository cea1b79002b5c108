"""An answer made of the passages' own sentences: the one that answers, then what belongs to it.

Sentences stay whole and word for word, each with the marker of its passage, so that every one of
them can be held against its source. Items of a list stay a list. A question for several things
gets sentences for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chat.adapters.offline.expectation import STRICT, Kind
from chat.adapters.offline.grading import OWN_DOCUMENT, asks_for_all, grade, weigh
from chat.adapters.offline.reading import Question, Read, Reader
from chat.adapters.offline.spans import answers_in_time, holds
from chat.adapters.offline.text import Sentence, cited, stem, stems
from chat.contracts.tasks import AnswerTask
from chat.contracts.verdicts import GradeLabel, Mode
from chat.guardrails.drafts.quotes import words_of
from chat.guardrails.questions.parts import parts
from chat.guardrails.untrusted.sentences import MARK

MOST = 5  # sentences in an answer, the direct one among them
MOST_DETAILED = 9  # where a person asked for detail
MOST_OF_TWO, MOST_OF_MANY = 3, 2  # sentences for each of the things that were asked for
MOST_ITEMS = 8  # items of one list
MOST_BEFORE = 2  # sentences that one may bring along because it leans on them
BESIDE, ELSEWHERE = 0.6, 0.75  # least share of the lead's worth, in its passage and others
BESIDE_DETAILED, ELSEWHERE_DETAILED = 0.45, 0.65
BESIDE_OF_SEVERAL, ELSEWHERE_OF_SEVERAL = 0.75, 0.9
BESIDE_THE_MOST, ELSEWHERE_OF_THE_MOST = 0.9, 1.0  # where `the smallest` is told
AS_GOOD = 0.85  # share of the best sentence's worth from which an earlier one of its passage leads

NEAR, WORDS, KIND, NEXT = 8.0, 4.0, 2.0, 1.5  # what a sentence is worth for each
STRICTLY = 2.0  # times more for a kind that can be told surely
WHOLE = 0.5  # of its passage's sum: what makes a passage lead, besides its best sentence
IN_HEADING = 0.5  # of a word that the heading says and the sentence does not

NOTHING = "The documents hold no answer to this."
GAP = "The documents do not say: {}"

# A sentence that begins so says little without the one before it.
_LEANS = re.compile(
    r"(?:It|They|This|That|These|Those|Them|Its|Their|He|She|Then|Otherwise|Such|Until then|So|Both"
    r"|Until that|In that|At that|After that|In this|For this|If (?:it|they|this|that|nothing)"
    r"|But|And|Also|Please|Either|Neither|Here|There (?:is|are) no need"
    r"|The (?:second|latter|former))\b"
)

_THE_MOST = re.compile(
    r"\b(?!(?:rest|test|latest|request|interest|best|west|east|guest|nearest)\b)\w{3,}est\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a passage: the passage's marker, its place in it, and what it is worth.

    `standing` is the passage's own worth, which counts when passages are compared; `lacks` says
    that the question asks for a kind which the sentence surely does not hold.
    """

    marker: int
    place: int
    sentence: Sentence
    worth: float
    standing: float
    lacks: bool

    @property
    def key(self) -> tuple[int, int]:
        return (self.marker, self.place)

    @property
    def leans(self) -> bool:
        return self.place > 0 and bool(_LEANS.match(self.sentence.text))


@dataclass(frozen=True, slots=True)
class _Reach:
    """How many sentences are taken beside the lead, and how near its worth they have to be."""

    most: int = MOST
    beside: float = BESIDE
    elsewhere: float = ELSEWHERE


def compose(task: AnswerTask, reader: Reader, skip: Collection[str] = ()) -> str:
    """The answer in Markdown, with a line for each gap; never empty.

    Passages whose chunk is in `skip` keep their number, and nothing is taken from them.
    """
    gaps = [GAP.format(gap.rstrip("?!. ") + ".") for gap in task.gaps]
    reads = {
        marker: reader.passage(passage)
        for marker, passage in enumerate(task.passages, start=1)
        if passage.chunk not in skip
    }
    said = _said_of_each(task, reads, reader)
    return "\n\n".join((*said, *gaps)) or NOTHING


def _said_of_each(task: AnswerTask, reads: Mapping[int, Read], reader: Reader) -> list[str]:
    """Paragraphs for each thing that was asked for and found; what was said is not said again."""
    wrong = frozenset(map(words_of, task.wrong))
    items = [item for item in parts(task.question) if item not in task.gaps] or [task.question]
    reach = _reach(task.mode, len(items))
    taken: set[str] = set()
    found: list[str] = []
    for item in items:
        question = reader.question(item)
        lines = _valued(question, reads, reader)
        lines = [line for line in lines if words_of(line.sentence.text) not in wrong]
        lines = [line for line in lines if line.sentence.text.strip(" .") != MARK]
        if asks_for_all(item) and (own := _of_files(lines, reads)):
            found += _paragraphs(_by_passage(own[: reach.most]))
            continue
        if not lines or _lead(lines).sentence.text in taken:
            continue
        groups = [
            [line for line in group if line.sentence.text not in taken]
            for group in _chosen(lines, _narrowed(reach, task.mode, question, _lead(lines)))
        ]
        taken.update(line.sentence.text for group in groups for line in group)
        found += _paragraphs(groups)
    return found


def _of_files(lines: Sequence[Line], reads: Mapping[int, Read]) -> list[Line]:
    """The sentences of the person's own files, in order: who asks for all begins at the top."""
    own = {n for n, read in reads.items() if read.passage.document.startswith(OWN_DOCUMENT)}
    return [line for line in lines if line.marker in own]


def _by_passage(lines: Sequence[Line]) -> list[list[Line]]:
    groups: dict[int, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.marker, []).append(line)
    return list(groups.values())


def _reach(mode: Mode, items: int) -> _Reach:
    if mode is Mode.DETAILED:
        return _Reach(MOST_DETAILED, BESIDE_DETAILED, ELSEWHERE_DETAILED)
    if items > 1:
        most = MOST_OF_TWO if items == 2 else MOST_OF_MANY
        return _Reach(most, BESIDE_OF_SEVERAL, ELSEWHERE_OF_SEVERAL)
    return _Reach()


def _narrowed(reach: _Reach, mode: Mode, question: Question, lead: Line) -> _Reach:
    """`The cheapest plan` is one thing: where the lead tells it, others are beside the point."""
    asked = stems(" ".join(_THE_MOST.findall(question.text)))
    if mode is Mode.DETAILED or not asked & stems(lead.sentence.text):
        return reach
    return _Reach(reach.most, BESIDE_THE_MOST, ELSEWHERE_OF_THE_MOST)


def _valued(question: Question, reads: Mapping[int, Read], reader: Reader) -> list[Line]:
    """Every sentence with its worth, less in a passage that does not answer by itself."""
    lines: list[Line] = []
    for marker, read in reads.items():
        share = 1.0 if grade(reader, question, read).label is GradeLabel.ANSWERS else 0.8
        standing = share * WHOLE * weigh(reader, question, read).sum
        for place, sentence in enumerate(read.sentences):
            fits = _fits(question, sentence.text)
            worth = share * (_worth(question, read, place) + fits * _bonus(question))
            lacks = not fits and bool(question.kinds & STRICT)
            lines.append(Line(marker, place, sentence, worth, standing, lacks))
    return lines


def _worth(question: Question, read: Read, place: int) -> float:
    text = read.sentences[place].text
    near = float(read.vectors[place] @ question.vector)
    return NEAR * max(0.0, near) + WORDS * _said(question, read, text)


def _fits(question: Question, text: str) -> bool:
    return holds(text, question.kinds) and answers_in_time(question.text, question.kinds, text)


def _bonus(question: Question) -> float:
    if question.kinds & {Kind.ANY, Kind.YES_NO}:
        return 0.0
    return KIND * STRICTLY if question.kinds & STRICT else KIND


def _said(question: Question, read: Read, text: str) -> float:
    """The share of the question's words, by weight, that the sentence or its heading says."""
    own, above = stems(text), stems(read.passage.heading)
    roots = list(map(stem, question.words))
    parts = [1.0 if root in own else IN_HEADING if root in above else 0.0 for root in roots]
    total = float(question.weights.sum())
    return float(question.weights @ parts) / total if total else 0.0


def _chosen(lines: Sequence[Line], reach: _Reach) -> list[list[Line]]:
    """Lines by passage, the direct answer's first; within one the direct answer, then the rest."""
    lead = _lead(lines)
    taken = _with_before([lead], lines)
    ranked = sorted(lines, key=lambda line: (-_pull(line, lead), line.key))
    for line in ranked:
        said = {other.sentence.text for other in taken}
        added = [new for new in _with_before([line], lines) if new.sentence.text not in said]
        if line.sentence.text in said or not _belongs(line, lead, reach):
            continue
        if len(taken) + len(added) <= reach.most:
            taken += added
    return _grouped(taken, lead, lines)


def _lead(lines: Sequence[Line]) -> Line:
    """The best sentence of the best passage, or an earlier one there that is about as good.

    It holds what is asked for if any sentence there does; an earlier one has to stand by itself.
    """
    top = max(lines, key=lambda line: (line.worth + line.standing, -line.marker, -line.place))
    passage = [line for line in lines if line.marker == top.marker]
    fitting = [line for line in passage if not line.lacks] or passage
    best = max(fitting, key=lambda line: (line.worth, -line.place))
    rivals = (line for line in fitting if not line.leans and line.worth >= AS_GOOD * best.worth)
    return min(rivals, key=lambda line: line.place, default=best)


def _pull(line: Line, lead: Line) -> float:
    """A sentence's worth beside the lead: what follows it at once tends to complete it."""
    follows = line.marker == lead.marker and 0 < line.place - lead.place <= 2
    return line.worth + NEXT * follows


def _belongs(line: Line, lead: Line, reach: _Reach) -> bool:
    if line.marker == lead.marker:
        return _pull(line, lead) >= reach.beside * lead.worth
    near = line.worth + line.standing >= reach.elsewhere * (lead.worth + lead.standing)
    return near and line.worth >= reach.elsewhere * lead.worth


def _with_before(wanted: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """The lines, each after those that it leans on."""
    by_key = {line.key: line for line in lines}
    found: list[Line] = []
    for line in wanted:
        row = [line]
        while row[0].leans and len(row) <= MOST_BEFORE:
            before = by_key.get((row[0].marker, row[0].place - 1))
            if before is None:  # it was left out
                break
            row.insert(0, before)
        found += row
    return found


def _grouped(taken: Sequence[Line], lead: Line, lines: Sequence[Line]) -> list[list[Line]]:
    first = _with_before([lead], lines)
    groups: dict[int, list[Line]] = {lead.marker: first}
    for line in sorted(taken, key=lambda line: line.key):
        if line not in first:
            groups.setdefault(line.marker, []).append(line)
    return [_with_items(group, lines) for group in groups.values()]


def _with_items(group: list[Line], lines: Sequence[Line]) -> list[Line]:
    """The group with the other items of a list that one of its lines belongs to."""
    items = [line for line in lines if line.sentence.listed and line.marker == group[0].marker]
    if not any(line.sentence.listed for line in group):
        return group
    kept = {line.key for line in group}
    said = [line for line in group if not line.sentence.listed]
    return said + [line for line in items if line.key in kept or len(items) <= MOST_ITEMS]


def _paragraphs(groups: Sequence[Sequence[Line]]) -> list[str]:
    """Markdown of each group: its sentences in a row, its items as a list."""
    found: list[str] = []
    for group in groups:
        said = " ".join(
            cited(line.sentence.text, line.marker) for line in group if not line.sentence.listed
        )
        items = "\n".join(
            f"- {cited(line.sentence.text, line.marker)}" for line in group if line.sentence.listed
        )
        found += [part for part in (said, items) if part]
    return found
