"""One record as a file: the exact texts that were hashed, whole, escaped, and for tools."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from admin_tracing.models import RecordRead
from chat.contracts.turn_facts import content_of, facts_of
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.models import DecisionRecord
from chat.records import words
from chat.records.page import page_of
from chat.records.proof import NoRecord, Proof, proof_of
from tests import chains
from tests.staff import person
from tests.traces import QUESTION, refund_with_one_rewrite

pytestmark = pytest.mark.django_db

NASTY = "</script><img src=x onerror=alert(1)> & \"quoted\" 'too' {{ braces }} \u2028 é"


class Page(HTMLParser):
    """The tags of a page, what it loads, and the data in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][1].get("id") == "proof" and not self.data:
            self.data = data


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def told_turn(**content: Any) -> DecisionRecord:
    """The record of a turn with a rewrite, an answer, two controls and a source."""
    talk = chains.conversation()
    chains.chain(talk, 1)
    events = refund_with_one_rewrite(uuid4())
    facts = facts_of(events, {"code": "0.1.0", "model": "by hand"})
    record = chains.sealed(chains.turn(talk, QUESTION), facts, **(content_of(events) | content))
    chains.chain(talk, 1)
    return record


def test_the_proof_is_checked_by_nothing_but_sha256() -> None:
    record = told_turn()
    proof = proof_of(record.turn_id)
    said = json.loads(proof.link.text)
    assert sha256(proof.facts) == said["facts"]
    assert sha256(proof.salt + proof.content) == said["content"]
    previous = ""
    for link in proof.chain:
        assert sha256(link.text) == link.digest
        assert json.loads(link.text)["previous"] == previous
        previous = link.digest
    assert (proof.head_count, proof.head_digest) == (3, previous)


def test_other_records_of_the_chain_show_no_facts() -> None:
    proof = proof_of(told_turn().turn_id)
    others = [link.text for link in proof.chain if link.number != proof.number]
    assert len(others) == 2
    assert all(len(text) < 600 and "single_shot" not in text for text in others)


def test_the_page_says_what_was_asked_said_and_done() -> None:
    html = page_of(proof_of(told_turn().turn_id))
    for words_ in (
        QUESTION,
        "Refunds reach the card within 5 to 10 business days [1].",
        "refunds#refund-timing",
        "The question was answered.",
        "Answered from one search and its rewrites.",
        "Does each passage that was found answer the question?",
        "by hand",
    ):
        assert words_ in html, words_


def test_the_page_loads_nothing() -> None:
    page = Page(page_of(proof_of(told_turn().turn_id)))
    assert not {tag for tag, _ in page.tags} & {"link", "img", "iframe", "a", "form", "object"}
    assert not [attrs for _, attrs in page.tags if "src" in attrs or "href" in attrs]
    policy = next(attrs for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert "default-src 'none'" in str(policy["content"])


def test_the_data_for_tools_is_the_proof() -> None:
    proof = proof_of(told_turn().turn_id)
    assert json.loads(Page(page_of(proof)).data) == json.loads(json.dumps(proof.data()))


def test_no_text_can_leave_its_place() -> None:
    record = told_turn(answer=NASTY, question=NASTY, gaps=[NASTY], caveats=[NASTY])
    html = page_of(proof_of(record.turn_id))
    page = Page(html)
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert "img" not in {tag for tag, _ in page.tags}
    assert json.loads(json.loads(page.data)["content"])["answer"] == NASTY


def test_erased_content_is_said_to_be_erased() -> None:
    record = told_turn()
    chains.empty(record)
    proof = proof_of(record.turn_id)
    assert (proof.salt, proof.content) == ("", "")
    html = page_of(proof)
    assert "The question was erased" in html
    assert "Erased on 20" in html
    assert QUESTION not in html


def test_a_chain_is_shown_from_where_it_was_purged() -> None:
    record = told_turn()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT plumbline_purge_records(%s, 1, 'old')", [str(record.conversation_id)]
        )
    proof = proof_of(record.turn_id)
    assert [link.number for link in proof.chain] == [2, 3]
    assert proof.anchors[0].last == 1
    assert "after 1 that were purged" in page_of(proof)


def test_a_turn_without_a_record_has_no_proof() -> None:
    with pytest.raises(NoRecord):
        proof_of(chains.turn(chains.conversation()).pk)


def test_a_bare_record_has_a_page_too() -> None:
    """Whatever facts there are: older records have fewer, and later ones may have others."""
    record = chains.sealed(chains.turn(chains.conversation()), {"anything": [1, None]})
    assert "Decision record 1" in page_of(proof_of(record.turn_id))


@pytest.mark.parametrize(
    ("codes", "meanings"),
    [(Control, words.CONTROLS), (Outcome, words.OUTCOMES), (Termination, words.ENDS)],
)
def test_every_code_has_its_meaning(codes: Any, meanings: dict[str, str]) -> None:
    assert {code.value for code in codes} == set(meanings)


def test_every_shown_value_names_the_place_that_it_comes_from() -> None:
    proof = proof_of(told_turn().turn_id)
    places = _places(proof)
    assert ["content", "answer"] in places
    assert ["facts", "controls", 0, "outcome"] in places
    assert ["facts", "citations", 0, "chunk"] in places


def _places(proof: Proof) -> list[Any]:
    page = Page(page_of(proof))
    return [json.loads(str(attrs["data-says"])) for _, attrs in page.tags if "data-says" in attrs]


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    record, file, out = told_turn(), tmp_path / "record.html", StringIO()
    reader = person("reviewer")
    named = {"reader": reader.username, "record": record.turn_id}
    call_command("export_turns", output=str(file), stdout=out, **named)
    assert [(read.record_id, read.user_id) for read in RecordRead.objects.all()] == [
        (record.pk, reader.pk)
    ]
    assert re.search(r"record\.html: \d+ KB, opens in any browser", out.getvalue())
    assert QUESTION in file.read_text()


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    reader, record = person("reviewer").username, told_turn()
    with pytest.raises(CommandError, match="has no record"):
        call_command("export_turns", record=uuid4(), reader=reader)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_turns", record=record.turn_id, reader=reader, output=str(tmp_path))


@pytest.mark.parametrize("name", ["support", "engineer", "user", "nobody"])
def test_who_may_not_read_records_gets_none_from_the_command(name: str, tmp_path: Path) -> None:
    reader = name if name == "nobody" else person(name).username
    file = tmp_path / "record.html"
    with pytest.raises(CommandError, match="may read records"):
        call_command("export_turns", record=told_turn().turn_id, reader=reader, output=str(file))
    assert not file.exists()
