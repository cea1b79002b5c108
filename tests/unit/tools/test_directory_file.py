"""A directory's CSV file: what is read, what is refused, and that each refusal says why."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.tools.loading import KEY, BadDirectory, Row, parse, read_file

HEAD = "name,kind,area,details,url,languages\n"


def test_further_columns_are_attributes_and_empty_cells_are_none():
    (row,) = parse(f"{HEAD}Heron,partner,Dublin,Builds.,https://h.example,English; Irish\n").rows
    assert row == Row(
        name="Heron",
        kind="partner",
        area="Dublin",
        details="Builds.",
        url="https://h.example",
        attributes={"languages": "English; Irish"},
    )
    (bare,) = parse(f"{HEAD}Heron,partner,Dublin,,,\n").rows
    assert bare == Row("Heron", "partner", "Dublin")


def test_a_spreadsheet_of_semicolons_is_read_too():
    (row,) = parse('Name;Kind;Area;Opening\n"Heron, Quill";partner;Dublin;9 to 5\n').rows
    assert (row.name, row.attributes) == ("Heron, Quill", {"opening": "9 to 5"})


def test_a_cell_may_hold_lines_and_a_short_row_lacks_its_last_cells():
    (row,) = parse(f'{HEAD}Heron,partner,Dublin,"One.\nTwo."\n').rows
    assert row.details == "One.\nTwo."


def test_empty_lines_are_no_records():
    assert parse(f"{HEAD}\n,,,,,\n  \n") == parse(HEAD)


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (",partner,Dublin", "Record 2: name is empty."),
        ("Heron, ,Dublin", "Record 2: kind is empty."),
        ("Heron,partner,", "Record 2: area is empty."),
        (f"{'x' * 121},partner,Dublin", "Record 2: name is longer than 120 characters."),
        (f"Heron,partner,Dublin,,,{'x' * 501}", "languages is longer than 500 characters."),
        ("Heron,partner,Dublin,,javascript:alert(1)", "url does not begin with https:// or"),
        ("Heron,partner,Dublin,,,English,more", "it has more cells than there are columns."),
    ],
)
def test_a_bad_record_is_refused_with_its_place(cells: str, why: str):
    table = parse(f"{HEAD}{cells}\nGood,partner,Dublin\n")
    assert [row.name for row in table.rows] == ["Good"]
    assert len(table.refused) == 1
    assert why in table.refused[0]


def test_a_record_that_stands_twice_is_taken_once():
    table = parse(f"{HEAD}Heron,partner,Dublin,a\nHeron,partner,Dublin,b\nHeron,partner,Cork\n")
    assert [row.area for row in table.rows] == ["Dublin", "Cork"]
    assert table.refused == ["Record 3: it stands in the file before."]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lacks the column name"),
        ("name,area\nx,y\n", "lacks the column kind"),
        ("name,kind,area,kind\n", "a name of its own"),
        ("name,kind,area,,\n", "a name of its own"),
        (f'{HEAD}"{"x" * 200_000}",partner,Dublin\n', "This is no CSV"),
    ],
    ids=range(5),
)
def test_a_file_that_is_no_table_is_refused_whole(text: str, why: str):
    with pytest.raises(BadDirectory, match=why):
        parse(text)


def test_a_mark_at_the_beginning_is_no_part_of_the_first_name(tmp_path: Path):
    (file := tmp_path / "d.csv").write_bytes(b"\xef\xbb\xbf" + f"{HEAD}Heron,p,D\n".encode())
    assert read_file(file).rows[0].name == "Heron"


def test_another_encoding_and_a_file_that_is_not_there_are_told(tmp_path: Path):
    (file := tmp_path / "d.csv").write_bytes("name,kind,area\nFährmann,p,D\n".encode("latin-1"))
    with pytest.raises(BadDirectory, match=r"d\.csv is not UTF-8"):
        read_file(file)
    with pytest.raises(BadDirectory, match=r"gone\.csv cannot be read: No such file"):
        read_file(tmp_path / "gone.csv")


cells = st.lists(st.lists(st.text(max_size=20), max_size=6), max_size=6)


@given(st.text(), cells)
def test_any_text_is_read_or_refused(text: str, table: list[list[str]]):
    out = io.StringIO()
    csv.writer(out).writerows(table)
    for given_ in (text, HEAD + text, HEAD + out.getvalue()):
        try:
            found = parse(given_)
        except BadDirectory:
            continue
        assert len({row.key for row in found.rows}) == len(found.rows)
        assert all(getattr(row, name) for row in found.rows for name in KEY)
