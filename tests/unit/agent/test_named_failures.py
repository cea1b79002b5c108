"""The silent failures that agents of this kind are known for, one test a name.

Each runs through the compiled graph, or through the reader of a model's labels, and shows that
the failure does not happen and that its trace can be seen.
"""

from __future__ import annotations

from typing import Any

import pytest

from chat.adapters.shapes import GRADE, Unusable
from chat.contracts.events import Decision, ModelCall, Retrieval, Rewrite, Verdicts
from chat.contracts.passages import Hit, SearchResult
from chat.contracts.turn_facts import facts_of
from chat.contracts.verdicts import Control, Grade, GradeLabel, Level, Outcome, Termination
from tests.doubles.models import (
    ANSWERS,
    IRRELEVANT,
    OFF_TOPIC,
    SPECIFIC,
    SUPPORTS,
    ScriptedModel,
)
from tests.doubles.search import ListSearch
from tests.factories import events, handbook, passage, ports
from tests.unit.agent.running import run

TIMING, ELIGIBILITY = "refunds#timing", "refunds#eligibility"
DURATION = "How long does a refund take?"


class Scored(ListSearch):
    """An index whose scores a test gives, whatever the query."""

    def __init__(self, *scored: tuple[float, str]) -> None:
        self.by_chunk = {p.chunk: p for p in handbook()}
        self.scored = scored
        super().__init__(handbook())

    async def search(self, query: str, limit: int) -> SearchResult:
        self.asked.append(query)
        hits = tuple(
            Hit(passage=self.by_chunk[chunk], score=score, cosine=score)
            for score, chunk in self.scored[:limit]
        )
        return SearchResult(query=query, asked=limit, hits=hits, ms=1.0)


async def test_near_miss_approved() -> None:
    """Text on who gets a refund is near the question of how long one takes, and no answer."""
    model = ScriptedModel(
        grades={ELIGIBILITY: SUPPORTS, TIMING: ANSWERS}, rewrites=["business days to arrive"]
    )
    index = ListSearch([p for p in handbook() if p.chunk == ELIGIBILITY])
    told = await run(ports(model, index, max_rewrites=1), DURATION)
    assert told.termination is Termination.NO_EVIDENCE
    assert told.state["accepted"] == ()


async def test_no_score_can_stand_in_for_the_grader() -> None:
    """A non-answer at 0.503 lies above an answer at 0.470, so every threshold is wrong for one."""
    index = Scored((0.503, ELIGIBILITY), (0.470, TIMING))
    model = ScriptedModel(grades={ELIGIBILITY: SUPPORTS, TIMING: ANSWERS})
    told = await run(ports(model, index), DURATION)
    assert [p.chunk for p in told.state["accepted"]] == [TIMING]
    scores = {line.chunk: line.score for line in told.one(Retrieval).hits}
    assert scores[ELIGIBILITY] > scores[TIMING]
    for threshold in (0.45, 0.48, 0.51):
        kept = {chunk for chunk, score in scores.items() if score >= threshold}
        assert kept != {TIMING}


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("Yes", GradeLabel.ANSWERS),
        (" yes", GradeLabel.ANSWERS),
        ("YES\n", GradeLabel.ANSWERS),
        ("Answers", GradeLabel.ANSWERS),
        ("No ", GradeLabel.IRRELEVANT),
    ],
)
def test_capital_y_rewrite(said: str, label: GradeLabel) -> None:
    """A label with another case or a space means what it says, and never sends away an answer."""
    assert GRADE.read({"label": said, "reason": ""}).label is label


@pytest.mark.parametrize("said", ["maybe", "", "yes, but", None, 1])
def test_capital_y_rewrite_what_is_no_label_is_an_outcome_of_its_own(said: Any) -> None:
    """`maybe` chooses no branch: it does not validate, and the chunk is kept as ungraded."""
    with pytest.raises(Unusable):
        GRADE.read({"label": said, "reason": ""})


async def test_stale_pass() -> None:
    """The verdict of one retrieval never speaks for the chunks of the next."""
    model = ScriptedModel(grades={TIMING: [ANSWERS, IRRELEVANT]}, rewrites=["card days arrive"])
    told = await run(ports(model, min_docs=2, max_rewrites=1), DURATION)
    first, second = told.all(Verdicts)
    labels = [{v.chunk: v.label for v in each.chunks}[TIMING] for each in (first, second)]
    assert labels == [GradeLabel.ANSWERS, GradeLabel.IRRELEVANT]
    assert told.state["verdicts"][TIMING].label is GradeLabel.IRRELEVANT


async def test_unfiltered_context() -> None:
    """What the grader turned down never reaches the model that writes."""
    model = ScriptedModel(grades={TIMING: ANSWERS})
    await run(ports(model, neighbours=False), DURATION)
    (task,) = (asked.about for asked in model.asked if asked.purpose == "answer")
    assert [p.chunk for p in task.passages] == [TIMING]


async def test_rewrite_exhaustion() -> None:
    """When the rewrites are used up the turn says that nothing was found, and writes no answer."""
    model = ScriptedModel(rewrites=["business days", "thirty days payment"])
    told = await run(ports(model, max_rewrites=2), "Do you offer a student discount?")
    assert told.termination is Termination.NO_EVIDENCE
    assert "answer" not in model.purposes()
    assert (len(told.all(Retrieval)), len(told.all(Rewrite))) == (3, 2)


async def test_silent_rejection() -> None:
    """A question that the topic check turns away leaves its verdict, score and reason behind."""
    verdict = OFF_TOPIC.model_copy(update={"score": 0.04, "reason": "weather"})
    told = await run(ports(ScriptedModel(topics=[verdict])), "Will it rain tomorrow?")
    assert told.termination is Termination.OFF_TOPIC
    (decision,) = (d for d in told.all(Decision) if d.control is Control.SCOPE)
    assert decision.outcome is Outcome.ACTED
    assert "0.04" in decision.reason and "weather" in decision.reason
    facts = facts_of(events(told.bodies), {})
    assert {"control": "scope", "outcome": "acted"}.items() <= facts["controls"][1].items()


async def test_silent_rejection_an_unsure_verdict_turns_nobody_away() -> None:
    """LOW confidence is read: the question is searched where nobody can be asked."""
    unsure = OFF_TOPIC.model_copy(update={"confidence": Level.LOW})
    model = ScriptedModel(topics=[unsure], grades={TIMING: ANSWERS})
    told = await run(ports(model, max_clarifications=0), DURATION)
    assert told.termination is Termination.ANSWERED


async def test_runaway_loop() -> None:
    """A grader that always says no and a model that always has new words still come to an end."""
    words = [f"words number {n}" for n in range(100)]
    model = ScriptedModel(rewrites=words, clarities=[SPECIFIC])
    told = await run(ports(model, max_rewrites=10, max_passes=6, no_progress_stop=False))
    assert told.termination is Termination.PASS_CAP
    assert len(told.all(Retrieval)) == 6
    assert told.path[-1] == "deliver"


async def test_invisible_verdict() -> None:
    """What the grader said is in the state, in the log and in the record."""
    grade = Grade(label=GradeLabel.ANSWERS, reason="It gives the days.")
    told = await run(ports(ScriptedModel(grades={TIMING: grade})), DURATION)
    assert told.state["verdicts"][TIMING] == grade
    (line,) = (v for v in told.one(Verdicts).chunks if v.chunk == TIMING)
    assert (line.label, line.reason) == (GradeLabel.ANSWERS, "It gives the days.")
    (search,) = facts_of(events(told.bodies), {})["passes"]
    assert search["verdicts"][TIMING] == "ANSWERS"
    assert search["accepted"] == [TIMING]


@pytest.mark.parametrize(
    ("order", "end"),
    [("evidence", Termination.ANSWERED), ("budget", Termination.NO_EVIDENCE)],
)
async def test_budget_checked_first(order: str, end: Termination) -> None:
    """Evidence of the last allowed retrieval is thrown away if the budget is asked first."""
    model = ScriptedModel(grades={TIMING: ANSWERS}, rewrites=["business days to arrive"])
    told = await run(ports(model, max_rewrites=1, check_order=order), "When is my money back?")
    assert len(told.all(Retrieval)) == 2
    assert told.termination is end


async def test_not_found_after_a_passing_grade() -> None:
    """A passage that was graded an answer is written from, whatever ran out after it."""
    model = ScriptedModel(grades={TIMING: ANSWERS})
    told = await run(ports(model, max_passes=1, max_rewrites=0, token_budget=1), DURATION)
    assert "handle_no_results" not in told.path
    assert "generate_response" in told.path


async def test_synonym_swap() -> None:
    """New words that find the same chunks at the same scores are flagged, and others are forced."""
    model = ScriptedModel(
        grades={TIMING: ANSWERS}, rewrites=["unavailable machine", "arrive business days"]
    )
    offices = passage("contact#offices", "The machine room and the offices are closed.")
    index = Swapped(offices)
    told = await run(ports(model, index), "My machine is broken")
    flagged = [r.no_progress for r in told.all(Rewrite)]
    assert flagged == [False, True]
    second = [asked.about for asked in model.asked if asked.purpose == "rewrite"][1]
    assert "unavailable" in second.avoid
    assert told.termination is Termination.ANSWERED


class Swapped(ListSearch):
    """Finds one wrong section until a query uses the documents' own words."""

    def __init__(self, wrong: Any) -> None:
        super().__init__([wrong])

    async def search(self, query: str, limit: int) -> SearchResult:
        self.passages = handbook() if "business" in query else self.passages
        return await ListSearch.search(self, query, limit)


async def test_synonym_swap_twice_in_a_row_ends_the_loop_and_names_the_missing_words() -> None:
    model = ScriptedModel(rewrites=["machine one", "machine two", "machine three"])
    index = ListSearch([passage("contact#offices", "The machine room is closed.")])
    told = await run(ports(model, index, max_rewrites=5), "Is my machine overheating")
    assert told.termination is Termination.NO_PROGRESS
    assert "overheating" in told.state["text"]


async def test_drift() -> None:
    """Each rewrite begins at the person's question, and how far it went is on record."""
    model = ScriptedModel(rewrites=["refund days", "something else entirely"])
    told = await run(ports(model, ListSearch(handbook()), max_rewrites=2), DURATION)
    tasks = [asked.about for asked in model.asked if asked.purpose == "rewrite"]
    assert [task.question for task in tasks] == [DURATION, DURATION]
    near, far = (rewrite.drift for rewrite in told.all(Rewrite))
    assert near is not None and far is not None and near < far
    drifts = [rewrite["drift"] for rewrite in facts_of(events(told.bodies), {})["rewrites"]]
    assert drifts == [near, far]


async def test_every_call_of_a_turn_is_in_its_log() -> None:
    """What costs money is never only a line in a trace elsewhere."""
    model = ScriptedModel(grades={TIMING: ANSWERS})
    told = await run(ports(model), DURATION)
    assert len(told.all(ModelCall)) == len(model.asked)
