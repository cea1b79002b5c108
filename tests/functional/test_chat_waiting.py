"""A turn that waits for the person, as the server renders it: now, after a reload, afterwards."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.test import Client

from chat.contracts.events import Action, Body, Clarification, Stage, Token
from chat.contracts.verdicts import Termination
from tests.chat_pages import answer, ended, page_of, shown, text_of, visitor_of

pytestmark = pytest.mark.django_db

UNTIL = datetime(2026, 12, 1, 14, 30, tzinfo=UTC)
NODE = "generate_clarification"
QUESTION_BACK = Clarification(
    question="Which <plan>?", options=("Monthly", 'The "yearly" one'), expires_at=UNTIL
)
ASKED: tuple[Body, ...] = (
    Stage(node=NODE, phase="enter", label="Asking back"),
    QUESTION_BACK,
    Stage(node=NODE, phase="paused", label="Waiting for your reply"),
)
REPLIED: tuple[Body, ...] = (
    Stage(node=NODE, phase="enter", label="Asking back"),
    Stage(node=NODE, phase="leave", label="You answered “Monthly”", ms=3.0),
)
TICKET = Action(
    action="a1",
    tool="open_ticket",
    summary="Open a ticket.\nSubject: Server <down>",
    irreversible=True,
    expires_at=UNTIL,
)


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


def mould(html: str) -> str:
    """The page without the moulds from which its script makes what comes live."""
    return re.sub(r"<template\b.*?</template>", "", html, flags=re.S)


def test_an_open_question_stands_in_the_thread_with_its_chips_and_a_field(
    client: Client, visitor: UUID
) -> None:
    html = page_of(client, visitor, *ASKED, status="waiting")
    page = text_of(html)
    assert "Which &lt;plan&gt;?" in page
    assert re.findall(r'data-reply="([^"]+)"', html) == ["Monthly", "The &quot;yearly&quot; one"]
    assert 'aria-label="Which &lt;plan&gt;?"' in html
    assert "Waits until 1 December, 14:30" in page
    assert 'data-key="2026-12-01T14:30:00Z"' in html


def test_a_turn_that_waits_is_not_busy_and_writes_no_draft(client: Client, visitor: UUID) -> None:
    html = page_of(client, visitor, *ASKED, status="waiting")
    assert 'class="turn running waiting"' in html
    assert "aria-busy" not in html
    assert '<p class="drafted" hidden>' in html


def test_an_open_question_is_there_again_after_a_reload(client: Client, visitor: UUID) -> None:
    page_of(client, visitor, *ASKED, status="waiting")
    talk = re.search(r'href="/chat/([0-9a-f-]{36})/"', shown(client, "/chat/rail/"))
    assert talk
    assert 'data-reply="Monthly"' in mould(shown(client, f"/chat/{talk[1]}/"))


def test_a_question_without_ready_answers_has_no_chips(client: Client, visitor: UUID) -> None:
    asked = QUESTION_BACK.model_copy(update={"options": ()})
    html = page_of(client, visitor, ASKED[0], asked, ASKED[2], status="waiting")
    assert '<div class="replies" hidden></div>' in html
    assert 'placeholder="Your reply"' in html


def test_an_action_says_all_that_will_be_done_and_that_it_is_for_good(
    client: Client, visitor: UUID
) -> None:
    html = page_of(client, visitor, TICKET, status="waiting")
    assert "Open a ticket.\nSubject: Server &lt;down&gt;" in html
    assert 'data-action="a1"' in html
    assert '<p class="signal partly">This cannot be undone</p>' in html
    assert re.findall(r'data-approved="(\w+)">([^<]+)<', html) == [
        ("yes", "Open the ticket"),
        ("no", "No"),
    ]


def test_an_action_of_another_tool_has_plain_words_and_may_be_undone(
    client: Client, visitor: UUID
) -> None:
    act = TICKET.model_copy(update={"tool": "other_tool", "irreversible": False})
    html = page_of(client, visitor, act, status="waiting")
    assert 'data-approved="yes">Yes, do it<' in html
    assert '<p class="signal partly" hidden>' in html
    assert "other_tool" not in text_of(html)


def test_after_the_reply_the_question_stands_quietly_with_what_was_said(
    client: Client, visitor: UUID
) -> None:
    html = page_of(client, visitor, *ASKED, *REPLIED, answer(), ended())
    assert "<dt>Which &lt;plan&gt;?</dt><dd>You answered “Monthly”</dd>" in html
    assert "data-reply" not in html
    assert html.index("<dt>") < html.index("business days"), "above the answer"


def test_while_the_turn_goes_on_nothing_is_asked_any_more(client: Client, visitor: UUID) -> None:
    html = page_of(client, visitor, *ASKED, REPLIED[0], status="running")
    assert "data-reply" not in html and 'aria-busy="true"' in html
    assert "<dt>Which &lt;plan&gt;?</dt><dd></dd>" in html


@pytest.mark.parametrize(
    ("termination", "words"),
    [
        (Termination.SUPERSEDED, "Set aside for the next question."),
        (Termination.USER_STOP, "Stopped before there was an answer."),
        (Termination.CLARIFICATION_EXPIRED, "No reply came in time."),
    ],
)
def test_a_turn_that_ended_while_it_waited_says_how_and_asks_nothing(
    client: Client, visitor: UUID, termination: Termination, words: str
) -> None:
    html = page_of(client, visitor, *ASKED, ended(termination))
    assert words in text_of(html)
    assert "<dt>Which &lt;plan&gt;?</dt>" in html and "data-reply" not in html


def test_a_draft_before_an_action_stands_and_is_not_called_one_in_progress(
    client: Client, visitor: UUID
) -> None:
    html = page_of(client, visitor, Token(offset=0, text="Let me"), TICKET, status="waiting")
    assert "<p>Let me</p>" in html
    assert '<p class="drafted" hidden>' in html


def test_the_page_has_moulds_for_what_comes_live(client: Client) -> None:
    html = shown(client, "/chat/")
    for name in ("clarification-template", "action-template", "file-template", "turn-template"):
        assert f'<template id="{name}">' in html
    assert "&quot;open_ticket&quot;: &quot;Open the ticket&quot;" in html
    assert "data-reply" not in mould(html) and "data-approved" not in mould(html)
