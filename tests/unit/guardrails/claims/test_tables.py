"""Tables in a passage: rows, headers, and the unit that a bare cell has from above it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.figures import Kind
from chat.guardrails.claims.tables import Parted, part
from chat.guardrails.claims.units import ColumnUnit, unit_of_caption, unit_of_header
from chat.guardrails.generation import verify
from tests.unit.guardrails.claims.holding import passage

MARKDOWN = """Results for the group

| Metric | US$M | Share % |
|---|---:|---:|
| Revenue | 29,016 | 4.2 |
| **Net profit** | (1,234) | -3 |

That was all."""


def values(parted: Parted) -> list[list[float]]:
    return [[figure.value for figure in row.figures] for row in parted.rows]


def test_a_markdown_table_gives_its_rows_in_the_units_of_its_headers() -> None:
    parted = part(MARKDOWN)
    revenue, profit = parted.rows

    assert (revenue.label, profit.label) == ("Revenue", "Net profit")
    assert values(parted) == [[29_016e6, 4.2], [-1_234e6, -3]]
    assert [figure.kind for figure in revenue.figures] == [Kind.MONEY, Kind.PERCENT]
    assert revenue.figures[0].unit == "USD"
    assert [cell.header for cell in revenue.cells] == ["US$M", "Share %"]


def test_the_prose_around_a_table_stays_and_its_header_row_is_kept() -> None:
    parted = part(MARKDOWN)

    assert parted.prose.split() == "Results for the group That was all.".split()
    assert parted.headers == ("| Metric | US$M | Share % |",)


@pytest.mark.parametrize(
    "text",
    [
        "Headers: Item | US$M\nRevenue | 29,016",
        "Item\tUS$M\nRevenue\t29,016",
        "| Item (US$M) | FY2024 |\n|---|---|\n| Revenue | 29,016 |",
        "All figures in US$M\n| Item | FY2024 |\n|---|---|\n| Revenue | 29,016 |",
        "Figures in millions of US dollars\n\n| Item | FY2024 |\n|---|---|\n| Revenue | 29,016 |",
        "| Item | FY2024 |\n|---|---|\n| Revenue (US$M) | 29,016 |",
        "| Item | FY2024 |\n|---|---|\n| Revenue | US$29,016 million |",
    ],
)
def test_the_unit_comes_from_wherever_it_stands(text: str) -> None:
    (row,) = part(text).rows

    assert (row.figures[0].value, row.figures[0].unit) == (29_016e6, "USD")


def test_the_heading_over_a_passage_may_be_a_tables_caption() -> None:
    (row,) = part("Item\tFee\nRevenue\t29", around="Accounts\nIn thousands of euros").rows

    assert (row.figures[0].value, row.figures[0].unit) == (29_000, "EUR")


@pytest.mark.parametrize("label", ["Margin ratio", "Number of users", "Growth rate", "Employees"])
def test_a_caption_does_not_reach_a_ratio_or_a_count(label: str) -> None:
    text = f"In US$M\n| Item | FY2024 |\n|---|---|\n| {label} | 0.5 |"
    (row,) = part(text).rows

    assert (row.figures[0].kind, row.figures[0].value) == (Kind.NUMBER, 0.5)


@pytest.mark.parametrize("cell", ["(1,234)", "( 1,234 )", "($1,234)", "-1,234"])
def test_brackets_and_a_minus_make_a_loss(cell: str) -> None:
    (row,) = part(f"Item\tSum\nProfit\t{cell}").rows

    assert row.figures[0].value == -1_234


@pytest.mark.parametrize("text", ["One | bar", "A line\twith a tab", "no bar\nno tab", "|", "|\n|"])
def test_what_is_no_table_stays_prose(text: str) -> None:
    assert not any(row.figures for row in part(text).rows)


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("US$M", ColumnUnit(1e6, "USD")),
        ("A$B", ColumnUnit(1e9, "AUD")),
        ("Revenue (US$'000)", ColumnUnit(1e3, "USD")),
        ("€m", ColumnUnit(1e6, "EUR")),
        ("fee, €", ColumnUnit(1.0, "EUR")),
        ("EUR", ColumnUnit(1.0, "EUR")),
        ("Users (thousands)", ColumnUnit(1e3)),
        ("Share %", ColumnUnit(percent=True)),
        ("Size M", ColumnUnit()),
        ("Plan B", ColumnUnit()),
        ("Name", ColumnUnit()),
    ],
)
def test_a_header_names_the_unit_of_its_column(header: str, unit: ColumnUnit) -> None:
    assert unit_of_header(header) == unit


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("Amounts in thousands of euros", ColumnUnit(1e3, "EUR")),
        ("in millions", ColumnUnit(1e6)),
        ("Results (US$M)", ColumnUnit(1e6, "USD")),
        ("A caption in plain words", ColumnUnit()),
    ],
)
def test_a_caption_names_the_unit_of_a_table(line: str, unit: ColumnUnit) -> None:
    assert unit_of_caption(line) == unit


def test_rows_that_go_on_from_the_passage_before_keep_its_header() -> None:
    (row, other) = part("| Costs | 300 |\n| Tax | 20 |", header="| Item | US$M |").rows

    assert [one.figures[0].value for one in (row, other)] == [300e6, 20e6]
    assert row.cells[0].header == "US$M"


def test_a_table_with_another_number_of_columns_does_not_go_on() -> None:
    (row, _) = part("| Costs | 300 |\n| Tax | 20 |", header="| Item | US$M | A$M |").rows

    assert row.figures[0].value == 300


def test_a_table_that_two_passages_share_carries_a_claim_of_its_second_part() -> None:
    first, second = (
        passage(text).model_copy(update={"ordinal": ordinal})
        for ordinal, text in enumerate(
            ("| Item | US$M |\n|---|---|\n| Revenue | 29,016 |", "| Costs | 300 |\n| Tax | 20 |")
        )
    )
    (verdict,) = verify("The costs were US$300 million in all parts.", [second, first])

    assert verdict.supported is None
    (verdict,) = verify("Costs of the item were US$300 million.", [second, first])
    assert (verdict.supported, verdict.passages) == (True, (1,))


@given(st.text(alphabet="ab1,|\t\n -:%$()", max_size=200))
def test_any_rows_are_parted(text: str) -> None:
    parted = part(text)

    assert len(parted.prose.split("\n")) == len(text.split("\n"))


@given(st.text(max_size=60))
def test_any_header_and_caption_is_read(text: str) -> None:
    assert unit_of_header(text).scale > 0
    assert unit_of_caption(text).scale > 0
