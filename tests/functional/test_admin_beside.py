"""Two turns side by side: what both came to, the line they share, the choice of another."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import VersionSet
from tests import factories, stored
from tests.reruns import rerun
from tests.staff import person
from tests.traces import ANSWER, QUESTION, long_turn, one_search, refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(person("engineer"))
    return client


@pytest.fixture
def pair() -> tuple[Any, Any]:
    """A turn of two passes, and one that gave up after the first."""
    return (
        stored.finished_turn(refund_with_one_rewrite()),
        stored.running_turn(one_search(4), status="finished", termination="no_evidence", passes=1),
    )


def page(client: Client, one: Any, other: Any) -> str:
    response = client.get(reverse("workflow:beside", args=(one.pk, other.pk)))
    assert response.status_code == 200
    return response.content.decode()


def line(client: Client, one: Any, other: Any) -> Any:
    response = client.get(reverse("workflow:shared_line", args=(one.pk, other.pk)))
    assert response.status_code == 200
    return response.json()


def text(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.partition("<main")[2]))


def test_the_figures_of_both_stand_beside_each_other(client: Client, pair: tuple[Any, Any]):
    html = page(client, *pair)
    assert "Ended answered no evidence" in text(html)
    assert "Passes 2 1" in text(html)


def test_only_what_differs_is_marked(client: Client, pair: tuple[Any, Any]):
    html = page(client, *pair)
    marked = set(re.findall(r'<tr class="differs"><th scope="row">(\w+)', html))
    assert {"Ended", "Passes", "Calls"} <= marked
    assert not {"Gaps", "Unsupported", "Time"} & marked


def test_settings_are_told_in_words_what_differs_first(client: Client, pair: tuple[Any, Any]):
    for turn, order in zip(pair, ("evidence", "budget"), strict=True):
        line = f"AgentSettings(max_rewrites=2, check_order='{order}', topic_check=True)"
        turn.versions = VersionSet.objects.create(digest=order, values={"settings": line})
        turn.save()
    seen = text(page(client, *pair))
    assert "Looked at first the evidence the budget" in seen
    alike = seen.partition("2 versions and settings alike")[2]
    assert alike.strip().startswith("Rewrites 2 Topic check on")
    assert "check_order" not in seen


def test_two_turns_alike_have_no_mark(client: Client):
    one, other = (stored.finished_turn(refund_with_one_rewrite()) for _ in range(2))
    html = page(client, one, other)
    assert 'class="differs"' not in html
    assert line(client, one, other)["parts"] is None


def test_the_answers_are_one_text_with_what_is_gone(client: Client, pair: tuple[Any, Any]):
    html = page(client, *pair)
    assert f"<del>{ANSWER}</del>" in html
    assert "<ins>" not in html.partition('class="said"')[2].partition("</div>")[0]


def test_passes_show_queries_and_chunks_with_their_grades(client: Client, pair: tuple[Any, Any]):
    html = page(client, *pair)
    seen = text(html).partition("Passes Pass 1")[2]
    assert f"“{QUESTION}”" in seen
    assert "refunds#refund-timing answers" in seen
    assert "No such pass." in seen
    assert 'class="alone"' in html


def test_the_line_holds_every_step_of_both_in_order(client: Client, pair: tuple[Any, Any]):
    pairs = line(client, *pair)["pairs"]
    for side, turn in enumerate(pair):
        outline = client.get(reverse("workflow:outline", args=(turn.pk,))).json()
        places = [row[side] for row in pairs if row[side] >= 0]
        assert places == list(range(len(outline["steps"])))


def test_the_line_says_in_words_where_they_part(client: Client):
    one, other = (stored.running_turn(one_search(count)) for count in (3, 4))
    parts = line(client, one, other)["parts"]
    assert parts["left"].startswith("3 of 6 asked for")
    assert parts["right"].startswith("4 of 6 asked for")


def test_a_re_run_says_what_was_changed_reused_made_and_flipped(client: Client):
    made = rerun()
    html = page(client, made.source, made.turn)
    seen = text(html)
    for words in (
        "The budget is checked before the evidence.",
        "Flipped: answered → no evidence",
        "Reused: 1 model call, 1 search",
        "Made: 1 model call",
        "0.12 ¢ for what was made",
        "As it was",
        "Run again",
        "Accepted chunks refunds#refund-timing → none",
    ):
        assert words in seen
    assert re.search(r"3 model answer made 840 ms 0\.12 ¢", seen)


def test_a_re_run_is_known_from_its_own_side_too(client: Client):
    made = rerun()
    assert "Run again" in text(page(client, made.turn, made.source)).partition("As it was")[0]


def test_turns_of_thousands_of_events_fit_a_page_of_a_usual_size(client: Client):
    one, other = (stored.running_turn(long_turn(3_000)) for _ in range(2))
    assert len(page(client, one, other)) < 40_000
    assert len(line(client, one, other)["pairs"]) > 2_900


def test_turns_that_ask_the_same_are_offered(client: Client):
    one, other = (stored.finished_turn(refund_with_one_rewrite()) for _ in range(2))
    stranger = factories.turn(question="Something else", status="finished")
    html = client.get(reverse("workflow:beside_choose", args=(one.pk,))).content.decode()
    assert reverse("workflow:beside", args=(one.pk, other.pk)) in html
    assert str(stranger.pk) not in html


def test_an_answer_that_was_made_anew_is_offered(client: Client):
    one = stored.finished_turn(refund_with_one_rewrite())
    again = factories.turn(status="finished")
    type(again).objects.filter(pk=again.pk).update(question=one.question, kind="regenerate")
    html = client.get(reverse("workflow:beside_choose", args=(one.pk,))).content.decode()
    assert reverse("workflow:beside", args=(one.pk, again.pk)) in html


def test_any_turn_is_found_by_its_id_or_its_address(client: Client, pair: tuple[Any, Any]):
    at = reverse("workflow:beside_choose", args=(pair[0].pk,))
    both = reverse("workflow:beside", args=(pair[0].pk, pair[1].pk))
    for given in (str(pair[1].pk), f"https://x.example/admin/rag-workflow/{pair[1].pk}/#seq=3"):
        assert client.get(at, {"other": given}).headers["Location"] == both


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("refund", "That holds no turn&#x27;s id."),
        ("00000000-0000-4000-8000-00000000dead", "There is no such turn."),
        ("", "This field is required."),
    ],
)
def test_another_turn_that_is_none_is_said_at_the_field(
    client: Client, pair: tuple[Any, Any], given: str, said: str
):
    at = reverse("workflow:beside_choose", args=(pair[0].pk,))
    assert said in client.get(at, {"other": given}).content.decode()


def test_a_turn_is_not_compared_with_itself(client: Client, pair: tuple[Any, Any]):
    at = reverse("workflow:beside_choose", args=(pair[0].pk,))
    html = client.get(at, {"other": str(pair[0].pk)}).content.decode()
    assert "This is the turn itself." in html


@pytest.mark.parametrize("name", ["beside", "shared_line"])
def test_a_turn_that_is_not_there_is_not_found(client: Client, pair: tuple[Any, Any], name: str):
    for keys in ((pair[0].pk, uuid4()), (uuid4(), pair[0].pk)):
        assert client.get(reverse(f"workflow:{name}", args=keys)).status_code == 404


@pytest.mark.parametrize("name", ["beside", "shared_line"])
def test_both_turns_may_tell_of_health_only_to_who_may_read_that(
    client: Client, pair: tuple[Any, Any], name: str
):
    type(pair[1]).objects.filter(pk=pair[1].pk).update(is_sensitive=True)
    for keys in ((pair[0].pk, pair[1].pk), (pair[1].pk, pair[0].pk)):
        assert client.get(reverse(f"workflow:{name}", args=keys)).status_code == 403
    html = client.get(reverse("workflow:beside_choose", args=(pair[0].pk,))).content.decode()
    assert str(pair[1].pk) not in html


def test_what_was_erased_is_said_so(client: Client, pair: tuple[Any, Any]):
    pair[0].question.text = ""
    pair[0].question.save()
    assert "(erased)" in page(client, *pair)
