"""Tools by rule: asked for in their own words alone, filled by their schema, told as they ended."""

from __future__ import annotations

from typing import Any

import pytest

from chat.adapters.offline import answering, tooling
from chat.adapters.offline.reading import Reader
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask, Draft, Exchange, ToolCall, ToolResult, ToolSpec
from chat.contracts.verdicts import Mode
from chat.guardrails.evidence import bind_citations
from chat.guardrails.generation import split
from tests.unit.adapters.offline import library

KINDS = ["", "branch library", "reading group", "bookbinder"]
AREAS = ["", "Cork, Ireland", "Galway, Ireland", "Online"]
DIRECTORY = ToolSpec(
    name="search_directory",
    description="Searches the directory.",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 120},
            "kind": {"type": "string", "enum": KINDS},
            "area": {"type": "string", "enum": AREAS},
            "filters": {"type": "object"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 10},
        },
    },
    hints=("in the directory", "reading group", "reading groups", "a branch", "bookbinder"),
)
TICKET = ToolSpec(
    name="open_ticket",
    description="Opens a ticket.",
    parameters={
        "type": "object",
        "properties": {
            "subject": {"type": "string", "minLength": 1, "maxLength": 120},
            "description": {"type": "string", "minLength": 1, "maxLength": 4000},
        },
        "required": ["subject", "description"],
    },
    irreversible=True,
    limit=1,
    hints=("open a ticket", "raise a ticket", "talk to a human"),
)
RECORDS = tuple(
    Passage(
        chunk=f"tool:search_directory#{number}",
        document="tool:search_directory",
        version=1,
        title=name,
        text=f"{name} (reading group, Cork, Ireland). It meets [2] on Mondays. "
        f"{name}, seats: 12. Last.",
    )
    for number, name in enumerate(("Quill Circle", "Night Readers"), start=1)
)
OPENED = Passage(
    chunk="tool:open_ticket#7",
    document="tool:open_ticket",
    version=1,
    title="Ticket 7",
    text="Ticket 7 was opened with the subject “A lost book”. Its description: I lost it.",
)


def _task(question: str, **fields: Any) -> AnswerTask:
    given: dict[str, Any] = {"passages": (), "tools": (DIRECTORY, TICKET)}
    return AnswerTask(question=question, **(given | fields))


def _drafted(reader: Reader, question: str, **fields: Any) -> Draft:
    return answering.draft(_task(question, **fields), reader)


def _arguments(reader: Reader, question: str, **fields: Any) -> dict[str, Any]:
    (call,) = _drafted(reader, question, **fields).calls
    assert call.arguments is not None
    return call.arguments


def _result(spec: ToolSpec, problem: str = "", **fields: Any) -> ToolResult:
    call = ToolCall(id="1", tool=spec.name, arguments={})
    return ToolResult(call=call, **({"text": "done", "problem": problem} | fields))


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("is there a reading group in Cork?", {"kind": "reading group", "area": "Cork, Ireland"}),
        ("find 3 reading groups in cork", {"kind": "reading group", "area": "Cork, Ireland"}),
        ("reading groups in Ireland", {"kind": "reading group", "area": "ireland"}),
        ("which reading group is online", {"kind": "reading group", "area": "Online"}),
        ("is Quill Circle a reading group", {"kind": "reading group"}),
        ("is there a reading group named Quill Circle", {"name": "Quill Circle"}),
        ('look "Night Readers" up in the directory', {"name": "Night Readers"}),
        ("who mends spines, in the directory", {"name": "mends spines"}),
    ],
)
def test_the_directory_is_asked_with_the_words_of_its_schema(
    reader: Reader, question: str, arguments: dict[str, Any]
) -> None:
    assert arguments.items() <= _arguments(reader, question).items()


def test_a_number_of_records_is_kept_within_the_schema(reader: Reader) -> None:
    assert _arguments(reader, "show me 50 reading groups")["limit"] == 10
    assert "limit" not in _arguments(reader, "reading groups near room 12")


@pytest.mark.parametrize(
    "question", ["what are the late fees", "how do I book a room", "the branches of a tree", ""]
)
def test_without_its_own_words_no_tool_is_called(reader: Reader, question: str) -> None:
    assert _drafted(reader, question).calls == ()


def test_a_ticket_is_written_from_the_question(reader: Reader) -> None:
    question = "Please open a ticket about my lost library card, it was in Cork."
    arguments = _arguments(reader, question)

    assert arguments["subject"] == "My lost library card, it was in Cork."
    assert arguments["description"] == "My lost library card, it was in Cork."


def test_a_ticket_keeps_what_was_told_before_it_was_asked_for(reader: Reader) -> None:
    question = (
        "My card was refused twice at the desk in Cork today, so please open a ticket about it."
    )
    assert _arguments(reader, question)["description"] == question


def test_good_manners_are_no_part_of_a_ticket(reader: Reader) -> None:
    arguments = _arguments(reader, "open a ticket please, the late fee of march is wrong")
    assert arguments["subject"] == "The late fee of march is wrong"


def test_to_ask_for_a_person_is_to_ask_for_the_ticket(reader: Reader) -> None:
    assert _drafted(reader, "can I talk to a human").calls[0].tool == "open_ticket"


def test_a_ticket_that_names_nothing_takes_what_was_asked_before(reader: Reader) -> None:
    before = (Exchange(question="why was my card refused?", answer="It is so [1]."),)
    arguments = _arguments(reader, "open a ticket please", history=before)

    assert arguments["subject"] == "why was my card refused?"
    assert arguments["description"].startswith("open a ticket please")
    assert "why was my card refused?" in arguments["description"]


def test_a_ticket_keeps_to_its_lengths(reader: Reader) -> None:
    arguments = _arguments(reader, "open a ticket: " + "my card was refused again and " * 200)

    assert len(arguments["subject"]) <= 120
    assert len(arguments["description"]) <= 4_000


@pytest.mark.parametrize(
    "question",
    ["how do I open a ticket?", "where can I open a ticket", "can I talk to a human on Sundays?"],
)
def test_a_question_about_a_ticket_opens_none(reader: Reader, question: str) -> None:
    assert _drafted(reader, question).calls == ()


def test_a_required_argument_that_cannot_be_filled_calls_nothing(reader: Reader) -> None:
    strict = DIRECTORY.model_copy(
        update={"parameters": {**DIRECTORY.parameters, "required": ["area"]}}
    )

    assert _drafted(reader, "a reading group", tools=(strict,)).calls == ()


def test_a_call_comes_without_a_text_and_each_has_its_own_id(reader: Reader) -> None:
    draft = _drafted(reader, "find a reading group and open a ticket about my lost card")

    assert draft.text == ""
    assert [call.tool for call in draft.calls] == ["search_directory", "open_ticket"]
    assert len({call.id for call in draft.calls}) == 2


def test_a_tool_that_gave_a_result_is_not_asked_again(reader: Reader) -> None:
    done = _result(DIRECTORY, passages=RECORDS)
    draft = _drafted(reader, "a reading group", results=(done,), passages=RECORDS)

    assert draft.calls == ()
    assert draft.text


def test_records_are_a_list_with_markers_in_the_order_of_the_passages(reader: Reader) -> None:
    passages = (library.passage("Late fees"), *RECORDS)
    done = _result(DIRECTORY, passages=RECORDS)
    text = _drafted(
        reader, "a reading group", results=(done,), passages=passages, mode=Mode.TASK
    ).text

    assert text.startswith("Found in the directory:\n\n- Quill Circle (reading group, Cork")
    assert "- Night Readers (reading group, Cork, Ireland) [3]." in text
    assert "It meets (2) on Mondays [2]." in text
    assert "Last" not in text
    assert bind_citations(text, passages).removed == ()


def test_beside_records_the_passages_are_told_where_more_was_asked(reader: Reader) -> None:
    passages = (library.passage("Late fees"), *RECORDS)
    done = _result(DIRECTORY, passages=RECORDS)
    text = _drafted(reader, "late fees of a reading group", results=(done,), passages=passages).text

    assert "0.30 euros" in text
    assert text.index("Night Readers") < text.index("0.30 euros")


def test_no_record_is_said_plainly(reader: Reader) -> None:
    text = _drafted(reader, "a reading group", results=(_result(DIRECTORY),)).text

    assert text == tooling.NOT_FOUND


def test_an_open_ticket_is_confirmed_with_its_number_and_source(reader: Reader) -> None:
    done = _result(TICKET, passages=(OPENED,))
    text = _drafted(reader, "open a ticket: a lost book", results=(done,), passages=(OPENED,)).text

    assert text == "Ticket 7 is open [1]."


@pytest.mark.parametrize(
    ("spec", "problem", "said"),
    [
        (TICKET, "declined", "The ticket was not opened."),
        (TICKET, "not_confirmed", "The ticket was not opened."),
        (TICKET, "failed", "The ticket could not be opened."),
        (TICKET, "timeout", "The ticket could not be opened."),
        (TICKET, "bad_arguments", "The ticket could not be opened."),
        (DIRECTORY, "timeout", "The directory could not be searched."),
        (DIRECTORY, "tool_cap", "The directory was not searched."),
        (
            DIRECTORY.model_copy(update={"name": "other"}),
            "unknown_tool",
            "That step could not be done.",
        ),
    ],
)
def test_a_problem_is_said_plainly_and_is_no_claim(
    reader: Reader, spec: ToolSpec, problem: str, said: str
) -> None:
    text = _drafted(reader, "open a ticket", results=(_result(spec, problem),), tools=()).text

    assert text.startswith(said)
    assert split(text) == ()
    if problem in ("failed", "timeout"):
        assert text.endswith("It can be tried again in a moment.")


def test_after_a_problem_the_passages_still_answer(reader: Reader) -> None:
    passages = (library.passage("Late fees"),)
    failed = _result(DIRECTORY, "failed")
    text = _drafted(reader, "late fees of a branch", results=(failed,), passages=passages).text

    assert "could not be searched" in text
    assert "0.30 euros" in text


def test_what_another_tool_gave_is_told_in_its_own_words(reader: Reader) -> None:
    done = _result(DIRECTORY.model_copy(update={"name": "other"}), summary="Nothing to do.")

    assert _drafted(reader, "a reading group", results=(done,), tools=()).text == "Nothing to do."


def test_on_the_direct_path_without_tools_a_courtesy_is_said(reader: Reader) -> None:
    assert _drafted(reader, "thanks!").text.startswith("You are welcome")


def test_gaps_are_named_even_where_nothing_was_found(reader: Reader) -> None:
    text = _drafted(reader, "late fees", gaps=("the fee for maps",)).text

    assert text == "The documents do not say: the fee for maps."
