"""The one line of trust under a checked answer, and a reply to somebody in a crisis.

What the line may say follows from how often the judge was right when it was tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client

from chat import judging
from chat.contracts.verdicts import Confidence, Supports, Termination
from chat.guardrails.generation import CAVEATS, NO_SOURCE
from chat.models import Measurement
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

pytestmark = pytest.mark.django_db

TWO = (citation(1, Supports.UNCHECKED), citation(2, Supports.UNCHECKED))
SAID = "Money comes back soon enough [1][2]."
RIGHT, WRONG = 0.9, 0.72  # precision of a judge above the sample's floor, and of one below it


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No figure is shipped, and none that another test kept is remembered."""
    monkeypatch.setattr(judging, "shipped", lambda: ())
    judging.refresh()
    yield
    judging.refresh()


def measured(precision: float, n: int = 200) -> None:
    """A kept figure of the judge of this site."""
    Measurement.objects.create(
        control=judging.CONTROL,
        subject=judging.judge_subject(),
        dataset="attributionbench",
        metric=judging.PRECISION_OF_SUPPORTED,
        value=precision,
        n=n,
    )
    judging.refresh()


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
def test_an_answer_that_a_proven_judge_passed_says_against_what_and_how_much_holds(
    client: Client,
    visitor: UUID,
    confidence: Confidence,
    caveats: tuple[str, ...],
    words: str,
    signal: str,
) -> None:
    measured(RIGHT)
    said = answer(SAID, citations=TWO, confidence=confidence, caveats=caveats)
    html = page_of(client, visitor, said, ended(Termination.ANSWERED_WITH_CAVEAT))
    assert f'<p class="signal {signal}" title="Of 200 labelled texts (attributionbench)' in html
    assert f">{words}</p>" in html
    for caveat in caveats:
        assert f"<li>{caveat}</li>" in html


@pytest.mark.parametrize(
    ("confidence", "caveats", "words", "signal"),
    [
        (
            Confidence.HIGH,
            (),
            "Compared with 2 passages by the model, right 7 times of 10 when tried",
            "unchecked",
        ),
        (
            Confidence.MEDIUM,
            wrong(1),
            "Compared with 2 passages by the model, 1 part not supported",
            "partly",
        ),
        (
            Confidence.LOW,
            (),
            "Compared with 2 passages by the model, not every part is supported",
            "partly",
        ),
    ],
)
def test_an_answer_that_a_weak_judge_passed_was_compared_and_says_how_often_that_is_right(
    client: Client,
    visitor: UUID,
    confidence: Confidence,
    caveats: tuple[str, ...],
    words: str,
    signal: str,
) -> None:
    measured(WRONG)
    said = answer(SAID, citations=TWO, confidence=confidence, caveats=caveats)
    html = page_of(client, visitor, said, ended())
    more = "Of 200 labelled texts (attributionbench) that this model called supported, 72 % were."
    assert f'<p class="signal {signal}" title="{more}">{words}</p>' in html
    assert "Checked" not in text_of(html)


@pytest.mark.parametrize("n", [0, judging.FEWEST - 1])
def test_of_a_judge_that_was_not_tried_enough_nothing_is_said_but_that(
    client: Client, visitor: UUID, n: int
) -> None:
    if n:
        measured(1.0, n)
    said = answer(SAID, citations=TWO, confidence=Confidence.HIGH)
    html = page_of(client, visitor, said, ended())
    assert "Compared with 2 passages by the model, how reliably is not known" in html
    assert "was not yet measured" in html
    assert "Checked" not in text_of(html)


@pytest.mark.parametrize("precision", [None, WRONG, RIGHT])
def test_what_code_alone_proves_needs_no_judge_and_no_figure(
    client: Client, visitor: UUID, precision: float | None
) -> None:
    if precision:
        measured(precision)
    said = answer(f"{PASSAGE[:-12]} [1].", citations=(citation(),), confidence=Confidence.HIGH)
    html = page_of(client, visitor, said, ended())
    assert '<p class="signal supported">Quoted from 1 passage</p>' in html


def test_one_sentence_beside_the_quotations_rests_on_the_judge_all_the_same(
    client: Client, visitor: UUID
) -> None:
    text = f"{PASSAGE[:-12]} [1]. Nobody has ever waited longer than anybody else [1]."
    said = answer(text, citations=(citation(),), confidence=Confidence.HIGH)
    html = page_of(client, visitor, said, ended())
    assert "Compared with 1 passage by the model" in html
    assert "Quoted" not in text_of(html)


@pytest.mark.parametrize("supports", Supports)
def test_a_yes_beside_a_citation_is_no_quotation_by_itself(
    client: Client, visitor: UUID, supports: Supports
) -> None:
    """The band could not be derived, while a judge had said yes to each citation."""
    said = answer(SAID, citations=(citation(1, supports),), confidence=Confidence.NONE)
    html = text_of(page_of(client, visitor, said, ended()))
    assert "Quoted" not in html
    assert "Checked" not in html


@pytest.mark.parametrize(
    ("precision", "words"),
    [
        (RIGHT, "Carries what is said"),
        (WRONG, "Compared by the model, right 7 times of 10 when tried"),
    ],
)
def test_the_card_of_a_source_says_whose_yes_it_is(
    client: Client, visitor: UUID, precision: float, words: str
) -> None:
    measured(precision)
    version(1, PASSAGE)
    turn = told(
        factories.conversation(visitor=visitor),
        answer(SAID, citations=(citation(), citation(2)), confidence=Confidence.HIGH),
        ended(),
    )
    card = shown(client, f"/chat/{turn.conversation_id}/sources/{turn.pk}/1/", fetched=True)
    assert words in text_of(card)
    assert "quoted" not in text_of(card)


def test_the_page_and_the_fragment_that_settles_a_draft_say_the_same(
    client: Client, visitor: UUID
) -> None:
    """The page's script makes no words of its own: it fetches the fragment."""
    measured(WRONG)
    said = answer(SAID, citations=TWO, confidence=Confidence.HIGH)
    turn = told(factories.conversation(visitor=visitor), said, ended())
    words = "Compared with 2 passages by the model, right 7 times of 10 when tried"
    for path in ("", f"turns/{turn.pk}/"):
        assert words in shown(client, f"/chat/{turn.conversation_id}/{path}")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("tool:open_ticket", "Taken from 1 ticket"),
        ("tool:search_directory", "Checked against 1 record"),
        ("attachment:7", "Checked against 1 passage"),
    ],
)
def test_what_a_tool_gave_is_called_by_its_name(
    client: Client, visitor: UUID, document: str, words: str
) -> None:
    measured(RIGHT)
    cited = TWO[0].model_copy(update={"document": document})
    said = answer(SAID, citations=(cited,), confidence=Confidence.HIGH)
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


@pytest.mark.parametrize("beginning", CAVEATS.values())
def test_every_caveat_of_a_claim_is_counted_by_how_it_begins(
    client: Client, visitor: UUID, beginning: str
) -> None:
    caveats = (f"{beginning}: the length of a refund.",)
    said = answer(SAID, citations=TWO, confidence=Confidence.MEDIUM, caveats=caveats)
    assert "1 part not supported" in page_of(client, visitor, said, ended())


def test_somebody_in_a_crisis_gets_the_reply_and_nothing_to_press(
    client: Client, visitor: UUID
) -> None:
    said = answer("You can call 988 now.", citations=(), suggestions=("What does it cost?",))
    html = page_of(client, visitor, said, ended(Termination.CRISIS))
    assert "You can call 988 now." in html
    for pushed in ('data-ask="', "data-vote", "retry", "What was wrong?", "signal"):
        assert pushed not in html
    assert "Copy" in text_of(html), "a number may be wanted elsewhere"
