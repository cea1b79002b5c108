"""A filled-in file is read line by line; what cannot be read is told and harms no other line."""

from __future__ import annotations

import csv
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.exporting.columns import SHEET
from admin_tracing.exporting.reading import (
    CORRECT,
    GROUNDED,
    LONGEST_NOTE,
    MOST_LINES,
    NEEDED,
    BadFile,
    Problem,
    Said,
    read,
)
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.spreadsheet import RISKY, csv_row, json_row, plain

ONE = UUID("00000000-0000-4000-8000-000000000001")
TWO = UUID("00000000-0000-4000-8000-000000000002")


def sheet(*lines: dict[str, str]) -> bytes:
    """Lines under the head of the exported spreadsheet."""
    rows = [csv_row([line.get(name, "") for name in SHEET]) for line in lines]
    return (csv_row(SHEET) + "".join(rows)).encode()


def one(**cells: str) -> Said | Problem | None:
    said, problems = read(sheet({"turn": str(ONE)} | cells), as_json=False)
    found: list[Said | Problem] = [*said, *problems]
    return found[0] if found else None


def test_a_yes_in_the_empty_column_is_a_label() -> None:
    assert one(right="yes") == Said(2, ONE, None, None, "yes", "")


@pytest.mark.parametrize("word", ["Yes", " y ", "TRUE", "1", "YES"])
def test_people_write_yes_in_several_ways(word: str) -> None:
    said = one(right=word)
    assert isinstance(said, Said)
    assert said.correct == "yes"


@pytest.mark.parametrize("word", ["No", "n", "false", "0"])
def test_people_write_no_in_several_ways(word: str) -> None:
    said = one(right=word)
    assert isinstance(said, Said)
    assert said.correct == "no"


@pytest.mark.parametrize("word", ["Single shot", "single-shot", "SINGLE_SHOT"])
def test_a_value_of_two_words_may_be_written_as_on_the_page(word: str) -> None:
    said = one(needed=word)
    assert isinstance(said, Said)
    assert said.needed == "single_shot"


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ({"needed": "Needs an expert"}, "needs_expert"),
        ({"needed": "Needs\u00a0an expert "}, "needs_expert"),
        ({"right": "can't tell"}, "cannot_tell"),
        ({"right": "Can\u2019t tell"}, "cannot_tell"),
    ],
)
def test_an_answer_may_be_written_as_the_pages_say_it(cells: dict[str, str], value: str) -> None:
    said = one(**cells)
    assert isinstance(said, Said)
    assert value in (said.needed, said.correct)


def test_a_file_that_a_spreadsheet_saved_with_tabs_is_read() -> None:
    data = f"turn\tquestion\tright\tnote\r\n{ONE}\tA, b; c\tno\t\r\n\t\t\t\r\n{TWO}\t\tyes\r\n"
    said, problems = read(data.encode(), as_json=False)
    assert [(each.line, each.turn, each.correct) for each in said] == [
        (2, ONE, "no"),
        (4, TWO, "yes"),
    ]
    assert problems == []


def test_a_note_that_no_database_takes_is_mended() -> None:
    line = f'{{"turn": "{ONE}", "right": "yes", "note": "a\\ud800b"}}'
    said, _ = read(line.encode(), as_json=True)
    assert [each.note for each in said] == ["a?b"]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\n=", "\uff1d", "\uff0d"])
def test_a_note_that_begins_like_a_formula_goes_away_quoted_and_comes_back_as_it_was(
    sign: str,
) -> None:
    note = f"{sign}SUM(A1) ist für Größe 日本語"
    cell = next(csv.reader([csv_row([note])])) if "\n" not in sign else None
    assert cell in (None, [f"'{note}"])
    said = one(right="yes", note=note)
    assert isinstance(said, Said)
    assert said.note == note.strip()


def test_a_line_that_nobody_filled_in_is_neither_label_nor_problem() -> None:
    assert one(question="How long?") is None


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"right": "maybe"}, "right is 'maybe' and not one of yes, partly, no, cannot tell"),
        ({"needed": "loop"}, "needed is 'loop'"),
        ({"grounded": "x" * 90}, "grounded is 'xxxx"),
        ({"right": "yes", "turn": "the first"}, "not named by its id"),
        ({"note": "A word alone."}, "a note alone is no label"),
        ({"right": "yes", "note": "x" * (LONGEST_NOTE + 1)}, "longer than 2,000"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(cells: dict[str, str], why: str) -> None:
    problem = one(**cells)
    assert isinstance(problem, Problem)
    assert why in problem.why
    assert len(problem.why) < 200


def test_a_bad_line_keeps_no_other_from_being_read() -> None:
    lines = ({"turn": "?", "right": "yes"}, {"turn": str(ONE), "right": "no"})
    said, problems = read(sheet(*lines), as_json=False)
    assert [each.turn for each in said] == [ONE]
    assert [problem.line for problem in problems] == [2]  # the head is the first


def test_a_turn_that_stands_twice_is_taken_once() -> None:
    lines = ({"turn": str(ONE), "right": "yes"}, {"turn": str(ONE), "right": "no"})
    said, problems = read(sheet(*lines), as_json=False)
    assert [each.correct for each in said] == ["yes"]
    assert problems == [Problem(3, "the turn stands in line 2 already")]


def test_semicolons_and_a_mark_of_utf_8_are_what_some_spreadsheets_write() -> None:
    data = "\ufeff" + f"Turn;Right;Note\r\n{ONE};yes;ä, ö\r\n"
    said, problems = read(data.encode(), as_json=False)
    assert said == [Said(2, ONE, None, None, "yes", "ä, ö")]
    assert problems == []


def test_a_cell_of_several_lines_is_one_cell() -> None:
    said, _ = read(sheet({"turn": str(ONE), "answer": "One\nTwo", "right": "no"}), as_json=False)
    assert [each.correct for each in said] == ["no"]


def test_json_lines_are_read_as_well() -> None:
    rows: list[dict[str, str | None]] = [
        {"turn": str(ONE), "needed": "iterative"},
        {"turn": str(TWO), "right": None},
    ]
    data = "".join(json_row(row) for row in rows) + "\n"
    said, problems = read(data.encode(), as_json=True)
    assert said == [Said(1, ONE, "iterative", None, None, "")]
    assert problems == []


@pytest.mark.parametrize("line", ["{", "[1]", "3", "[" * 100_000])
def test_a_line_that_is_no_object_is_told(line: str) -> None:
    _, problems = read(line.encode(), as_json=True)
    assert [problem.line for problem in problems] == [1]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"question,right\na,yes\n", "no column named turn"),
        (b"", "no column named turn"),
    ],
)
def test_a_file_that_is_none_says_what_to_do(data: bytes, why: str) -> None:
    with pytest.raises(BadFile, match=why):
        read(data, as_json=False)


def test_a_file_of_too_many_lines_is_refused() -> None:
    data = ("turn,right\n" + ",\n" * (MOST_LINES + 1)).encode()
    with pytest.raises(BadFile, match="Split it"):
        read(data, as_json=False)


def test_what_may_be_said_is_what_labels_hold() -> None:
    assert set(RoutingLabel.Needed.values) == set(NEEDED)
    assert set(GroundednessLabel.Grounded.values) == set(GROUNDED)
    assert set(GroundednessLabel.Correct.values) == set(CORRECT)


@given(st.text())
def test_a_cell_comes_back_as_it_was(text: str) -> None:
    text = text.replace("\0", "")
    if text.startswith("'"):
        return  # a quote of somebody's own before a sign stays a quote of the spreadsheet
    cell = csv_row([text])
    assert not cell.startswith(RISKY)
    safe = f"'{text}" if text.startswith(RISKY) else text
    assert plain(safe) == text


@given(st.binary(max_size=400), st.booleans())
def test_no_file_does_anything_but_be_read_or_refused(data: bytes, as_json: bool) -> None:
    try:
        said, problems = read(data, as_json=as_json)
    except BadFile as error:
        assert str(error).endswith(".")
    else:
        assert len(said) + len(problems) <= data.count(b"\n") + data.count(b"\r") + 10


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "turn": st.uuids().map(str),
                "right": st.sampled_from(("", *CORRECT)),
                "grounded": st.sampled_from(("", *GROUNDED)),
                "needed": st.sampled_from(("", *NEEDED)),
                "answer": st.text(max_size=20).map(lambda text: text.replace("\0", "")),
            }
        ),
        max_size=6,
        unique_by=lambda row: row["turn"],
    )
)
def test_what_was_written_into_the_sheet_is_what_is_read(rows: list[dict[str, str]]) -> None:
    filled = [row for row in rows if row["right"] or row["grounded"] or row["needed"]]
    said, problems = read(sheet(*rows), as_json=False)
    assert problems == []
    assert [str(each.turn) for each in said] == [row["turn"] for row in filled]
    assert [each.needed or "" for each in said] == [row["needed"] for row in filled]
    assert [each.correct or "" for each in said] == [row["right"] for row in filled]


def test_a_break_that_only_some_call_a_line_is_part_of_a_text() -> None:
    row = {"turn": str(ONE), "question": "One\u2028two\x85three", "right": "yes"}
    said, problems = read(json_row(row).encode(), as_json=True)
    assert [each.correct for each in said] == ["yes"]
    assert problems == []


def test_a_note_goes_without_the_character_that_no_database_takes() -> None:
    said, _ = read(
        json_row({"turn": str(ONE), "right": "yes", "note": "a\0b"}).encode(), as_json=True
    )
    assert said[0].note == "ab"
