"""Reading Markdown: sections, stable keys, and files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.retrieval.extract import BadFile, Extracted, extract, normalised

REFUNDS = """# Refunds

What you can get back.

## Refund timing

Five days.

### By card

Two more.

## Who may *ask* for `a` [refund](x)?

The owner.
"""


def _read(folder: Path, text: str | bytes, name: str = "refunds.md") -> Extracted:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return extract(path, "refunds")


def _keys(document: Extracted) -> list[str]:
    return [section.key for section in document.sections]


def test_a_section_is_the_text_under_a_second_level_heading(tmp_path: Path) -> None:
    document = _read(tmp_path, REFUNDS)

    assert document.title == "Refunds"
    assert [(each.key, each.heading) for each in document.sections] == [
        ("refunds#refunds", ""),
        ("refunds#refund-timing", "Refund timing"),
        ("refunds#who-may-ask-for-a-refund", "Who may ask for a refund?"),
    ]


def test_deeper_headings_stay_inside_their_section(tmp_path: Path) -> None:
    timing = _read(tmp_path, REFUNDS).sections[1]

    assert timing.text == "Five days.\n\n### By card\n\nTwo more."


def test_a_long_section_becomes_parts_with_numbered_keys(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {number} " + "of many words " * 20 for number in range(6))

    document = _read(tmp_path, f"# Refunds\n\n## Timing\n\n{long}\n\n## Asking\n\nBriefly.")

    assert _keys(document) == [
        *("refunds#timing", "refunds#timing-2", "refunds#timing-3"),
        "refunds#asking",
    ]
    assert {each.heading for each in document.sections[:3]} == {"Timing"}


def test_headings_of_the_same_name_get_numbers(tmp_path: Path) -> None:
    text = "# T\n\n## Cost\n\nOne.\n\n## Cost 2\n\nTwo.\n\n## Cost\n\nThree."

    assert _keys(_read(tmp_path, text)) == ["refunds#cost", "refunds#cost-2", "refunds#cost-3"]


def test_a_key_survives_changes_of_other_sections(tmp_path: Path) -> None:
    before = _keys(_read(tmp_path, REFUNDS))
    after = _keys(_read(tmp_path, REFUNDS.replace("Five days", "Six").replace("What", "## New\n")))

    assert set(before) - set(after) == {"refunds#refunds"}


def test_a_number_sign_in_a_code_block_is_no_heading(tmp_path: Path) -> None:
    text = "# Shell\n\n## Run\n\n```\n## not a heading\nls\n```\n\n    # nor this\n"

    (section,) = _read(tmp_path, text).sections

    assert section.text.startswith("```\n## not a heading")


def test_underlined_headings_count(tmp_path: Path) -> None:
    document = _read(tmp_path, "Refunds\n=======\n\nTiming\n------\n\nFive days.")

    assert (document.title, _keys(document)) == ("Refunds", ["refunds#timing"])


def test_front_matter_gives_the_title_and_the_address(tmp_path: Path) -> None:
    text = '---\ntitle: "Refunds"\nurl: https://larkspur.example/r\n---\n\n## Timing\n\nFive days.'

    document = _read(tmp_path, text)

    assert (document.title, document.url) == ("Refunds", "https://larkspur.example/r")
    assert _keys(document) == ["refunds#timing"]


def test_headings_of_other_scripts_keep_their_letters(tmp_path: Path) -> None:
    document = _read(tmp_path, "# Aide\n\n## Où est mon argent ?\n\nIci.\n\n## ???\n\nRien.")

    assert _keys(document) == ["refunds#où-est-mon-argent", "refunds#section"]


def test_a_heading_without_text_is_left_out(tmp_path: Path) -> None:
    assert _keys(_read(tmp_path, "# T\n\n## Empty\n\n## Full\n\nText.")) == ["refunds#full"]


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"# T\n\nGr\xfc\xdfe", "a.md", r"a\.md: line 3 is not UTF-8\. Save it as UTF-8"),
        (b"", "a.md", "it is empty"),
        (b" \n\n", "a.md", "it is empty"),
        (b"Only text.", "a.md", "it has no title. Begin it with a line such as `# Refunds`"),
        (b"# Title\n\n## Heading\n", "a.md", "headings but no text"),
        (b"%PDF-1.7", "a.pdf", r"not supported\. Use one of \.md, \.markdown"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(
    tmp_path: Path, content: bytes, name: str, says: str
) -> None:
    with pytest.raises(BadFile, match=says):
        _read(tmp_path, content, name)


def test_a_path_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gone\.md: it does not exist"):
        extract(tmp_path / "gone.md", "gone")


def test_a_folder_with_a_files_name_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()

    with pytest.raises(BadFile, match="cannot be opened"):
        extract(tmp_path / "folder.md", "folder")


def test_line_ends_loose_blanks_and_a_byte_order_mark_make_no_new_text(tmp_path: Path) -> None:
    plain = _read(tmp_path, "# Café\n\nText.\n")
    other = _read(tmp_path, "\ufeff# Cafe\u0301  \r\n\r\nText.\r\n\r\n")

    assert other == plain


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)
    assert "\0" not in normalised(text)


@given(st.lists(st.sampled_from(["# A", "## B", "## B", "### C", "text", "", "```", "-", "=="])))
def test_any_markdown_gives_unique_keys_or_a_clear_refusal(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("markdown")
    try:
        document = _read(folder, "\n".join(lines))
    except BadFile:
        return
    assert len(set(_keys(document))) == len(document.sections)
    assert all(section.text.strip() for section in document.sections)
