"""What the benchmarks' figures rest on: tokens that tell the time, drafts, and spans of time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.live import covered
from benchmarks.paced_endpoint import LENGTH, UNIT_NS, leading_on, token_at, written
from benchmarks.report import percentiles, table
from benchmarks.visitors import Draft
from chat.adapters.shapes import GRADE, GREETING, PROBE, TOPIC
from chat.contracts.verdicts import GradeLabel, Level, TopicLabel

GO = 1_790_000_000_000_000_000


@given(st.integers(0, 160_000_000_000))
def test_a_token_tells_when_it_was_written(after: int) -> None:
    token = token_at(GO + after, GO)
    assert len(token) == LENGTH
    assert 0 <= GO + after - written(token, GO) < UNIT_NS


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.integers(0, 8))
def test_a_draft_is_whole_and_dates_each_token_however_it_is_cut(
    cuts: list[int], again: int
) -> None:
    sent = "".join(token_at(GO + n * UNIT_NS, GO) for n in range(20))
    draft, offset = Draft(), 0
    for cut in [*cuts, len(sent)]:
        draft.place(max(0, offset - again), sent[max(0, offset - again) : offset + cut])
        offset = len(draft.text)
    assert draft.text == sent
    assert len(draft.lags(GO)) == 20


def test_a_hole_in_a_draft_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="hole"):
        Draft().place(5, "late ")


@pytest.mark.parametrize(
    ("spans", "end", "total"),
    [([], 9, 0), ([(1, 3), (2, 5)], 9, 4), ([(4, 8), (1, 2)], 6, 3), ([(7, 8)], 6, 0)],
)
def test_time_is_counted_once_and_up_to_the_end(
    spans: list[tuple[int, int]], end: int, total: int
) -> None:
    assert covered(spans, end) == total


def test_the_endpoint_leads_every_question_on_to_an_answer() -> None:
    assert GRADE.read(leading_on(GRADE.schema)).label is GradeLabel.ANSWERS
    topic = TOPIC.read(leading_on(TOPIC.schema))
    assert (topic.label, topic.confidence) == (TopicLabel.RELEVANT, Level.HIGH)
    assert GREETING.read(leading_on(GREETING.schema)) is False
    assert PROBE.read(leading_on(PROBE.schema)) is True


def test_percentiles_of_one_value_and_of_many() -> None:
    assert percentiles([3.0], 50, 95) == [3.0, 3.0]
    assert percentiles([float(n) for n in range(101)], 50, 95) == [50.0, 95.0]


def test_a_table_is_markdown() -> None:
    assert table(("site", "ms"), [["relay", "7"]]) == (
        "|  site | ms |\n| ----: | -: |\n| relay |  7 |"
    )
