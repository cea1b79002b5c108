"""Two people disagree on a turn, and a third settles it; each by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.queue_rows import QUEUE, Desk, at_desk
from tests.browser.site import Site

pytestmark = pytest.mark.browser

LIST = f"{QUEUE}disagreements/"
FIRST, SECOND = "The passage says all of it.", "Two things were asked."
THIRD = "One search was enough."


def labels(page: Page, turn: str, digits: str, note: str) -> None:
    """Somebody says all of one turn, by digits, with a note."""
    expect(page.locator(f'#item[data-turn="{turn}"]')).to_be_visible()
    expect(page.locator('.row[data-row="needed"] :focus')).to_have_count(1)
    for digit in digits:
        page.keyboard.press(digit)
    page.keyboard.press("n")
    page.keyboard.type(note)
    page.keyboard.press("Escape")
    expect(page.locator("#seen")).to_contain_text("The router chose")


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    with at_desk(site) as desk:
        yield desk


def test_two_people_disagree_and_a_third_settles(visit: OpenPage, site: Site, desk: Desk) -> None:
    rows = desk.written(wanted=2, turns=1)
    (turn,) = rows.turns
    rita = visit(LIST, who="rita")
    expect(rita.locator("main")).to_contain_text("Nothing waits for a reviewer.")
    sam, rosa = visit(QUEUE, who="sam"), visit(QUEUE, who="rosa")  # both have it at once
    two_differ(sam, rosa, turn)
    assert desk.standing()["items"] == [[turn, "disagreed"]]
    found_on_the_list(rita, rows.asked[turn])
    settled_by_keyboard(rita)
    taken_back_by_keyboard(rita, turn)
    assert desk.standing()["items"] == [[turn, "disagreed"]]
    settled_by_keyboard(rita)
    all_of_it_stands(desk, turn)

    rita.goto(f"{site.url}{LIST}{turn}/")
    for words in ("sam", "rosa", "rita settled", "The check said"):
        expect(rita.locator("main")).to_contain_text(words)
    sam.goto(f"{site.url}{QUEUE}{turn}/")
    expect(sam.locator(".empty h2")).to_contain_text("A reviewer has settled this turn")


def two_differ(sam: Page, rosa: Page, turn: str) -> None:
    labels(sam, turn, "211", FIRST)
    expect(sam.locator("#seen")).not_to_contain_text("Another person")
    sam.keyboard.press("Enter")
    expect(sam.locator(".empty")).to_be_visible()
    expect(rosa.locator("body")).not_to_contain_text("Another person")  # still blind
    labels(rosa, turn, "332", SECOND)
    expect(rosa.locator("#seen")).to_contain_text(
        "Another person said: needed single shot; held yes, right yes."
    )
    rosa.keyboard.press("Enter")
    expect(rosa.locator(".empty")).to_be_visible()


def found_on_the_list(rita: Page, question: str) -> None:
    """The list leads to both labels side by side, without a name or the check's word."""
    rita.reload()
    expect(rita.locator("main")).to_contain_text("1 turn waits for a reviewer")
    row = rita.locator(".waiting tbody tr").first
    expect(row).to_contain_text("disagreed")
    row.get_by_role("link").focus()
    rita.keyboard.press("Enter")
    expect(rita.locator("h2.question")).to_have_text(question)
    for words in ("Single shot", "Iterative", FIRST, SECOND):
        expect(rita.locator(".voices")).to_contain_text(words)
    for name in ("sam", "rosa", "The check said"):
        expect(rita.locator("main")).not_to_contain_text(name)


def settled_by_keyboard(rita: Page) -> None:
    expect(rita.locator('.row[data-row="needed"] :focus')).to_have_count(1)
    rita.keyboard.press("Enter")  # nothing is chosen yet
    expect(rita.locator("#wrong")).to_have_text("First: Which way did this question need?")
    for digit in "221":
        rita.keyboard.press(digit)
    rita.keyboard.press("n")
    rita.keyboard.type(THIRD)
    rita.keyboard.press("Escape")
    rita.keyboard.press("Enter")
    for words in ("Nothing waits for a reviewer.", "needed single shot", THIRD):
        expect(rita.locator("main")).to_contain_text(words)


def taken_back_by_keyboard(rita: Page, turn: str) -> None:
    """From the turn's own page, where one more press takes back what was settled last."""
    rita.locator(f'.waiting a[href$="{turn}/"]').first.focus()
    rita.keyboard.press("Enter")
    expect(rita.locator("main")).to_contain_text("rita settled")
    rita.keyboard.press("u")
    expect(rita.locator(".told")).to_contain_text("Nothing of what you settled here stands")


def all_of_it_stands(desk: Desk, turn: str) -> None:
    """What the two said stays as they said it, and what the third said stands."""
    found = desk.standing()
    assert found["items"] == [[turn, "settled"]]
    assert sorted(row[1:] for row in found["routing"]) == [
        ["rosa", "iterative", ""],
        ["sam", "single_shot", ""],
    ]
    assert sorted(row[1:] for row in found["answers"]) == [
        ["rosa", "no", "partly", SECOND],
        ["sam", "yes", "yes", FIRST],
    ]
    assert sorted(row[1:] for row in found["settled"]) == [
        ["rita", "groundedness", "", "partly", "yes", THIRD],
        ["rita", "routing", "single_shot", "", "", THIRD],
    ]
