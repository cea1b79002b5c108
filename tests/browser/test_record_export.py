"""The exported record opens from a file, without network, and says whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from chat.records.canonical import sha256
from chat.records.page import page_of
from chat.records.proof import Anchored, Link, Proof
from tests.browser.conftest import DESK, PHONE
from tests.proofs import proof

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=\"document.title='run'\"> & \r\n \u2028 é [1] </script>"

Opened = Callable[[str], Page]


def _change_link(given: Proof, place: int, before: str, after: str, *, anew: bool = False) -> Proof:
    """Another text in the chain; `anew` gives it a digest that fits."""
    link = given.chain[place]
    text = link.text.replace(before, after)
    assert text != link.text
    changed = Link(link.number, text, sha256(text) if anew else link.digest)
    return replace(given, chain=(*given.chain[:place], changed, *given.chain[place + 1 :]))


HANDS: dict[str, tuple[Callable[[Proof], Proof], str]] = {
    "answer": (
        lambda p: replace(p, content=p.content.replace("5 to 10", "1 to 2")),
        "What was said is not what was sealed.",
    ),
    "salt": (lambda p: replace(p, salt="00"), "What was said is not what was sealed."),
    "content": (lambda p: replace(p, content="", salt=""), "What was said is missing."),
    "facts": (
        lambda p: replace(p, facts=p.facts.replace('"passes":2', '"passes":3')),
        "The facts are not those that were sealed.",
    ),
    "record": (
        lambda p: _change_link(p, 1, '"number":2', '"number":2,"more":1'),
        "Record 2 of the chain was changed.",
    ),
    "record sealed anew": (
        lambda p: _change_link(p, 1, "09:32", "09:31", anew=True),
        "Record 3 does not follow the record before it.",
    ),
    "first record": (
        lambda p: replace(p, chain=p.chain[1:]),
        "Record 1 of the chain is missing.",
    ),
    "last record": (
        lambda p: replace(p, chain=p.chain[:2]),
        "Records are missing at the end of the chain.",
    ),
    "order": (
        lambda p: replace(p, chain=(p.chain[1], p.chain[0], p.chain[2])),
        "Record 1 of the chain is missing.",
    ),
    "head": (lambda p: replace(p, head_digest="0" * 64), "The head does not fit the last record."),
}


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens a page from a file, in a browser that has no network."""
    size = ViewportSize(width=DESK["width"], height=DESK["height"])
    context = browser.new_context(viewport=size, offline=True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))

    def open_(html: str) -> Page:
        file = tmp_path / "record.html"
        file.write_bytes(html.encode())
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_
    assert [url for url in asked if not url.startswith("file:")] == []
    context.close()


def test_a_record_that_was_not_touched_holds(opened: Opened) -> None:
    page = opened(page_of(proof()))
    verdict = page.locator("#verdict")
    expect(verdict.locator(".signal")).to_have_text("Holds")
    expect(verdict).to_contain_text("up to its head, record 3")
    expect(page.locator("#faults li")).to_have_count(0)
    assert page.evaluate("document.querySelectorAll('[data-says]').length") > 30


def test_a_record_whose_content_was_erased_holds_and_says_so(opened: Opened) -> None:
    page = opened(page_of(proof(erased=True)))
    expect(page.locator("#verdict .signal")).to_have_text("Holds")
    expect(page.locator("#verdict")).to_contain_text("What was said was erased")


def test_a_chain_holds_after_what_was_purged(opened: Opened) -> None:
    given = proof()
    first = given.chain[0]
    anchor = Anchored(1, 1, first.digest, "2026-11-30", "old")
    page = opened(page_of(replace(given, chain=given.chain[1:], anchors=(anchor,))))
    expect(page.locator("#verdict .signal")).to_have_text("Holds")
    page = opened(
        page_of(replace(given, chain=given.chain[1:], anchors=(replace(anchor, digest="0"),)))
    )
    expect(page.locator("#faults")).to_contain_text("Record 2 does not follow")


def test_texts_that_would_break_a_page_are_shown_as_they_were_said(opened: Opened) -> None:
    page = opened(page_of(proof(answer=NASTY, question=NASTY)))
    expect(page.locator("#verdict .signal")).to_have_text("Holds")
    assert "run" not in page.title()
    assert "<img src=x" in str(page.locator("h1").text_content())


@pytest.mark.parametrize("hand", HANDS)
def test_a_tampered_copy_is_named(opened: Opened, hand: str) -> None:
    change, why = HANDS[hand]
    page = opened(page_of(change(proof())))
    expect(page.locator("#verdict .signal")).to_have_text("Does not hold")
    expect(page.locator("#faults")).to_contain_text(why)


@pytest.mark.parametrize(
    ("shown", "instead"),
    [
        ("within 5 to 10 business days [1]", "within 1 to 2 business days [1]"),
        (">acted<", ">passed<"),
        (">answered<", ">no evidence<"),
        (">refunds#refund-timing<", ">refunds#another<"),
    ],
)
def test_what_is_shown_and_was_not_sealed_is_marked(
    opened: Opened, shown: str, instead: str
) -> None:
    html = page_of(proof())
    start = html.index("<main>")
    place = html.index(shown, start)
    page = opened(html[:place] + instead + html[place + len(shown) :])
    expect(page.locator("#verdict .signal")).to_have_text("Does not hold")
    expect(page.locator("#faults")).to_contain_text("Shown and not sealed")
    expect(page.locator(".wrong")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_fits_and_can_be_read(
    browser: Browser, tmp_path: Path, size: dict[str, int], scheme: str
) -> None:
    file = tmp_path / "record.html"
    file.write_text(page_of(proof()))
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("#verdict .signal")).to_have_text("Holds")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    context.close()
