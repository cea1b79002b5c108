"""The one line of trust under a checked answer, and a reply to somebody in a crisis."""

from __future__ import annotations

import inspect
from uuid import UUID

import pytest
from django.test import Client

from chat.agent.nodes import endings
from chat.contracts.verdicts import Confidence, Supports, Termination
from chat.turn_words import NO_SOURCE
from tests.chat_pages import answer, citation, ended, page_of, text_of, visitor_of

pytestmark = pytest.mark.django_db

TWO = (citation(1, Supports.UNCHECKED), citation(2, Supports.UNCHECKED))


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


def wrong(count: int) -> tuple[str, ...]:
    return tuple(f"{NO_SOURCE}: part {number}." for number in range(count))


@pytest.mark.parametrize(
    ("confidence", "caveats", "words", "signal"),
    [
        (Confidence.HIGH, (), "Checked against 2 passages", "supported"),
        (Confidence.MEDIUM, wrong(1), "Checked, 1 part not supported", "partly"),
        (Confidence.LOW, wrong(3), "Checked, 3 parts not supported", "partly"),
        (Confidence.LOW, (), "Checked, not every part is supported", "partly"),
        (
            Confidence.MEDIUM,
            ("Some passages were not graded.", *wrong(2)),
            "Checked, 2 parts not supported",
            "partly",
        ),
    ],
)
def test_a_checked_answer_says_against_what_and_how_much_holds(
    client: Client,
    visitor: UUID,
    confidence: Confidence,
    caveats: tuple[str, ...],
    words: str,
    signal: str,
) -> None:
    said = answer(citations=TWO, confidence=confidence, caveats=caveats)
    html = page_of(client, visitor, said, ended(Termination.ANSWERED_WITH_CAVEAT))
    assert f'<p class="signal {signal}">{words}</p>' in html
    for caveat in caveats:
        assert f"<li>{caveat}</li>" in html


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("tool:open_ticket", "Checked against 1 ticket"),
        ("tool:search_directory", "Checked against 1 record"),
        ("attachment:7", "Checked against 1 passage"),
    ],
)
def test_what_a_tool_gave_is_called_by_its_name(
    client: Client, visitor: UUID, document: str, words: str
) -> None:
    cited = TWO[0].model_copy(update={"document": document})
    said = answer(citations=(cited,), confidence=Confidence.HIGH)
    assert words in page_of(client, visitor, said, ended(Termination.ANSWERED))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You are welcome. Ask whenever there is more to look up.", False),
        ("A refund takes ten days.", True),
    ],
)
def test_a_courtesy_is_not_told_to_cite_nothing(
    client: Client, visitor: UUID, text: str, told: bool
) -> None:
    said = answer(citations=()).model_copy(update={"text": text})
    html = page_of(client, visitor, said, ended(Termination.ANSWERED))
    assert ("Cites no passage" in html) is told


@pytest.mark.parametrize("supports", Supports)
def test_an_answer_that_nobody_checked_never_says_that_it_was(
    client: Client, visitor: UUID, supports: Supports
) -> None:
    said = answer(citations=(citation(1, supports),), confidence=Confidence.NONE)
    page = text_of(page_of(client, visitor, said, ended()))
    assert "Checked" not in page


def test_the_caveat_of_a_claim_is_counted_by_the_words_that_the_agent_gives_it() -> None:
    """The page counts by the caveat's beginning, so both have to say the same."""
    assert f"{NO_SOURCE}: " in inspect.getsource(endings)


def test_somebody_in_a_crisis_gets_the_reply_and_nothing_to_press(
    client: Client, visitor: UUID
) -> None:
    said = answer("You can call 988 now.", citations=(), suggestions=("What does it cost?",))
    html = page_of(client, visitor, said, ended(Termination.CRISIS))
    assert "You can call 988 now." in html
    for pushed in ('data-ask="', "data-vote", "retry", "What was wrong?", "signal"):
        assert pushed not in html
    assert "Copy" in text_of(html), "a number may be wanted elsewhere"
