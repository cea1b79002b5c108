"""The golden five through the real graph, against the table that is fixed beforehand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from chat import lab, wiring
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.event_rows import stored_now
from chat.models import Chunk, DecisionRecord, Turn
from chat.sample.loader import golden_five
from tests.corpus import take_in_the_handbook

pytestmark = pytest.mark.django_db(transaction=True)

COLUMNS = ("answered", "no_results", "off_topic", "retrievals", "calls")
# bound: the row, then budget first (answered, calls), then without the topic check
# (no results, retrievals, calls)
TABLE = {
    0: ((1, 3, 1, 4, 14), (0, 13), (4, 5, 11)),
    1: ((2, 2, 1, 7, 24), (1, 23), (3, 9, 24)),
    2: ((3, 1, 1, 9, 31), (2, 30), (2, 12, 34)),
    3: ((3, 1, 1, 10, 34), (3, 34), (2, 14, 40)),
}
CALLS_AT_TWO = {"export": 4, "refund": 7, "outage": 10, "discount": 9, "weather": 1}


@pytest.fixture(autouse=True)
def handbook() -> Iterator[None]:
    take_in_the_handbook()
    yield


def _run(variant: lab.Variant) -> dict[str, lab.Outcome]:
    async def work() -> list[lab.Outcome]:
        try:
            return await lab.run(variant)
        finally:
            await wiring.runner().close()

    return {outcome.question: outcome for outcome in asyncio.run(work())}


def test_every_cell_of_the_table_is_as_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("golden", "--json")
    rows = json.loads(capsys.readouterr().out)
    assert [row["bound"] for row in rows] == list(TABLE)
    for row in rows:
        plain, budget, unchecked = TABLE[row["bound"]]
        assert tuple(row[column] for column in COLUMNS) == plain
        assert (row["budget_first"]["answered"], row["budget_first"]["calls"]) == budget
        without = row["no_topic_check"]
        assert (without["no_results"], without["retrievals"], without["calls"]) == unchecked


def test_each_question_costs_what_the_arithmetic_says_at_two_rewrites() -> None:
    outcomes = _run(lab.Variant(2))
    assert {name: o.calls for name, o in outcomes.items()} == CALLS_AT_TWO


def test_the_outage_question_is_lost_when_the_budget_is_checked_first() -> None:
    evidence, budget = _run(lab.Variant(2)), _run(lab.Variant(2, order="budget"))
    assert (evidence["outage"].termination, evidence["outage"].calls) == ("answered", 10)
    assert (budget["outage"].termination, budget["outage"].calls) == ("no_evidence", 9)


def test_the_weather_without_the_topic_check_ends_in_no_results_after_eight_calls() -> None:
    weather = _run(lab.Variant(2, topic_check=False))["weather"]
    assert (weather.termination, weather.calls) == (Termination.NO_EVIDENCE, 8)


def test_the_synonym_swap_of_the_outage_question_finds_the_same_chunks_again() -> None:
    turn = _run(lab.Variant(2))["outage"].turn
    searches = [e.data() for e in stored_now(turn) if e.body.TYPE == "retrieval"]
    found = [[(hit["chunk"], hit["score"]) for hit in search["hits"]] for search in searches]
    assert found[0] == found[1] != found[2]
    assert all(len(search["hits"]) == 2 for search in searches)


@pytest.mark.parametrize("name", ["export", "refund", "outage"])
def test_without_its_answer_in_the_index_a_golden_question_ends_in_no_results(name: str) -> None:
    golden = next(golden for golden in golden_five() if golden.id == name)
    Chunk.objects.filter(key__in=golden.answer_chunks).delete()
    for bound in TABLE:
        outcome = _run(lab.Variant(bound))[name]
        assert outcome.termination == Termination.NO_EVIDENCE


def test_lab_turns_are_stored_with_their_records_and_stand_apart() -> None:
    outcomes = _run(lab.Variant(2))
    lab_turns = Turn.objects.filter(pk__in=[o.turn for o in outcomes.values()])
    assert {turn.kind for turn in lab_turns} == {"lab"}
    assert all(turn.conversation.is_lab for turn in lab_turns)
    assert DecisionRecord.objects.filter(turn__in=lab_turns).count() == 5
    assert fold(stored_now(outcomes["refund"].turn)).answer is not None


@pytest.mark.parametrize("bounds", ["4", "0-9", "x", "2-1", ""])
def test_a_bound_that_has_no_rewrite_is_refused(bounds: str) -> None:
    with pytest.raises(CommandError, match="--bounds"):
        call_command("golden", "--bounds", bounds)


def test_one_variant_is_printed_as_a_plain_table(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("golden", "--bounds", "2", "--order", "budget")
    printed = capsys.readouterr().out
    cells = [cell.strip() for cell in printed.splitlines()[2].strip("| ").split("|")]
    assert cells == ["2", "2", "2", "1", "9", "30"]
