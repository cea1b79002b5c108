"""One turn on the page: its answer, its trust, its end, and what a running one carries."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from chat.contracts.events import DraftWithdrawn, Failure, Stage, Token
from chat.contracts.verdicts import Supports, Termination
from chat.models import DocumentVersion
from chat.turn_words import ENDINGS
from tests import factories
from tests.chat_pages import (
    PASSAGE,
    answer,
    citation,
    ended,
    page_of,
    shown,
    text_of,
    told,
    version,
    visitor_of,
)
from tests.factories import QUESTION

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


@pytest.fixture
def handbook() -> DocumentVersion:
    return version(1, PASSAGE)


def test_the_fragment_of_a_turn_is_the_same_as_in_the_full_page(
    client: Client, visitor: UUID, handbook: DocumentVersion
) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    fragment = shown(client, f"/chat/{talk.pk}/turns/{turn.pk}/")
    assert fragment.strip() in shown(client, f"/chat/{talk.pk}/")


def test_markers_and_sources_lead_to_their_cards(
    client: Client, visitor: UUID, handbook: DocumentVersion
) -> None:
    talk = factories.conversation(visitor=visitor)
    turn = told(talk, answer(), ended())
    html = shown(client, f"/chat/{talk.pk}/")
    assert html.count(f'href="/chat/{talk.pk}/sources/{turn.pk}/1/"') == 2
    assert "1 Refund timing Refunds" in text_of(html)


@pytest.mark.parametrize(
    ("supports", "words", "signal"),
    [
        ((Supports.YES,), "Quoted from 1 passage", "supported"),
        ((Supports.YES,) * 2, "Quoted from 2 passages", "supported"),
        ((Supports.UNCHECKED,) * 2, "Cites 2 passages, wording not checked", "unchecked"),
        (
            (Supports.YES, Supports.UNCHECKED),
            "Cites 2 passages, wording of 1 not checked",
            "unchecked",
        ),
        (
            (Supports.YES, Supports.NO),
            "Cites 2 passages, 1 without support for what is said",
            "partly",
        ),
        ((), "Cites no passage", "unchecked"),
    ],
)
def test_one_line_says_how_far_the_answer_can_be_trusted(
    client: Client, visitor: UUID, supports: Sequence[Supports], words: str, signal: str
) -> None:
    cited = tuple(citation(marker, each) for marker, each in enumerate(supports, start=1))
    said = answer(f"{PASSAGE.partition('.')[0]} [1].", citations=cited)
    html = page_of(client, visitor, said, ended())
    assert f'<p class="signal {signal}">{words}</p>' in html


def test_a_fixed_reply_claims_no_trust(client: Client, visitor: UUID) -> None:
    said = answer("That is not in the handbook.", citations=(), suggestions=("Refunds?",))
    html = page_of(client, visitor, said, ended(Termination.OFF_TOPIC))
    assert "signal" not in html
    assert 'data-ask="Refunds?"' in html


def test_gaps_and_caveats_stand_on_their_own_lines(client: Client, visitor: UUID) -> None:
    said = answer(gaps=("add-ons",), caveats=("It could not be checked.",))
    html = page_of(client, visitor, said, ended(Termination.ANSWERED_WITH_CAVEAT))
    assert "<li>Not found: add-ons</li><li>It could not be checked.</li>" in html


@pytest.mark.parametrize(
    ("termination", "words", "again"),
    [
        (Termination.USER_STOP, "Stopped. What stands here was not checked.", True),
        (Termination.INTERRUPTED, "Interrupted before it was finished.", True),
        (Termination.TIME_CAP, "Ended at the time limit.", True),
        (Termination.SUPERSEDED, "Set aside for the next question.", False),
    ],
)
def test_a_turn_without_an_answer_says_how_it_ended_and_can_be_asked_again(
    client: Client, visitor: UUID, termination: Termination, words: str, again: bool
) -> None:
    html = page_of(client, visitor, Token(offset=0, text="Five <days>"), ended(termination))
    assert words in html
    assert (f'data-ask="{QUESTION}">Try again' in html) is again
    assert "Five &lt;days&gt;" in html, "the partial text is kept"


@pytest.mark.parametrize("termination", Termination)
def test_every_end_is_known_and_only_what_the_reply_leaves_open_is_said_beside_it(
    client: Client, visitor: UUID, termination: Termination
) -> None:
    ending = ENDINGS[termination]
    html = page_of(client, visitor, answer("This is the reply.", citations=()), ended(termination))
    assert (ending.words in html) is ending.beside


@pytest.mark.parametrize("termination", Termination)
def test_every_end_without_an_answer_is_said_in_words(
    client: Client, visitor: UUID, termination: Termination
) -> None:
    html = page_of(client, visitor, ended(termination))
    assert re.search(r'<p class="signal \w+">[A-Z][^<]+\.</p>', html)


def test_a_failure_is_told_in_its_own_words(client: Client, visitor: UUID) -> None:
    failure = Failure(code="internal", message="Something broke.", retryable=True)
    html = page_of(client, visitor, failure, ended(Termination.INTERRUPTED))
    assert "Something broke." in html and "Try again" in html


def test_hostile_text_is_shown_as_text(client: Client, visitor: UUID) -> None:
    attack = "<img src=x onerror=alert(1)> </script><script>alert(1)</script>"
    turn = told(
        factories.conversation(visitor=visitor, title=attack),
        Token(offset=0, text=attack),
        question=attack,
        status="running",
    )
    html = shown(client, f"/chat/{turn.conversation_id}/")
    assert "<img" not in html and "<script>alert" not in html


def state_in(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json">(.*?)</script>', html, re.S)
    assert found
    return dict(json.loads(found[1]))


def test_a_running_turn_carries_its_draft_and_the_state_to_go_on_from(
    client: Client, visitor: UUID
) -> None:
    stage = Stage(node="generate_response", phase="enter", label="Writing")
    said = (stage, Token(offset=0, text="Five [1] days\n\nand"))
    html = page_of(client, visitor, *said, status="running")
    assert 'data-seq="3"' in html and 'aria-busy="true"' in html
    assert "Draft, being checked" in html
    assert '<p>Five <span class="cite">1</span> days</p>' in html
    state = state_in(html)
    assert (state["seq"], state["draft"]) == (3, "Five [1] days\n\nand")
    assert state["stages"] == [{"node": "generate_response", "label": "Writing", "ms": None}]


def test_a_withdrawn_draft_is_gone_and_says_why(client: Client, visitor: UUID) -> None:
    said = (Token(offset=0, text="Wrong"), DraftWithdrawn(why="This begins again."))
    html = page_of(client, visitor, *said, status="running")
    assert "Wrong" not in html and "This begins again." in html
