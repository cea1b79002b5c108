"""Figures of merit: they mean what their names say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chat.evaluation.metrics import accuracy, auroc, rows

PAIRS = st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), min_size=2, max_size=40)


def test_scores_that_part_the_two_are_perfect_and_turned_round_worthless() -> None:
    labels = [True, True, False, False]

    assert auroc(labels, [0.9, 0.8, 0.2, 0.1]) == 1
    assert auroc(labels, [0.1, 0.2, 0.8, 0.9]) == 0


def test_equal_scores_are_worth_a_coin() -> None:
    assert auroc([True, False, True], [3, 3, 3]) == 0.5


@given(PAIRS)
def test_it_is_the_share_of_pairs_in_the_right_order(pairs: list[tuple[bool, int]]) -> None:
    above = [score for positive, score in pairs if positive]
    below = [score for positive, score in pairs if not positive]
    assume(above and below)
    won = sum((a > b) + (a == b) / 2 for a in above for b in below)

    found = auroc([positive for positive, _ in pairs], [score for _, score in pairs])

    assert found == pytest.approx(won / (len(above) * len(below)))


@pytest.mark.parametrize("labels", [[], [True], [False, False]])
def test_one_kind_alone_has_no_order(labels: list[bool]) -> None:
    with pytest.raises(ValueError, match="both"):
        auroc(labels, [1.0] * len(labels))


def test_accuracy_is_the_share_that_is_right() -> None:
    assert accuracy(["a", "b", "c", "d"], ["a", "b", "x", "y"]) == 0.5
    assert accuracy([], []) == 0


def test_rows_are_the_objects_of_the_lines(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "é"}\n{"text": "b"}\n', "utf-8")

    assert [row["text"] for row in rows(file)] == ["é", "b"]
