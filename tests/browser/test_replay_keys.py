"""The replay by keyboard: a step, a pass, playing, the tabs, and the address of a step."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, opened, stands_at, written
from tests.browser.site import Site

pytestmark = pytest.mark.browser

At = Callable[[int], Page]


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


@pytest.fixture
def at(visit: OpenPage, rows: Rows) -> At:
    """The replay of the refund turn at an event's number."""

    def go(seq: int) -> Page:
        page = visit(f"/admin/rag-workflow/{rows.refund}/", who=ENGINEER)
        opened(page)
        page.evaluate("seq => { location.hash = `#seq=${seq}` }", seq)
        stands_at(page, "of 70")
        return page

    return go


def test_arrows_step_through_the_turn(at: At) -> None:
    page = at(22)
    stands_at(page, "22 of 70 · retrieve · pass 1")
    page.keyboard.press("ArrowRight")
    stands_at(page, "23 of 70")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    stands_at(page, "21 of 70 · plan_search")


def test_shift_and_an_arrow_jump_a_pass(at: At) -> None:
    page = at(1)
    for place in ("22 of 70 · retrieve · pass 1", "40 of 70 · retrieve · pass 2", "70 of 70"):
        page.keyboard.press("Shift+ArrowRight")
        stands_at(page, place)
    page.keyboard.press("Shift+ArrowLeft")
    stands_at(page, "40 of 70")


def test_home_and_end_lead_to_the_ends(at: At) -> None:
    page = at(22)
    page.keyboard.press("Home")
    stands_at(page, "1 of 70 · start")
    page.keyboard.press("ArrowLeft")
    stands_at(page, "1 of 70")
    page.keyboard.press("End")
    stands_at(page, "turn finished: answered")


def test_a_step_has_an_address_that_leads_back_to_it(at: At) -> None:
    page = at(24)
    stands_at(page, "retrieval: 3 of 6 asked for")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#seq=25$"))
    page.reload()
    opened(page)
    stands_at(page, "25 of 70")


def test_an_address_opens_a_step_with_its_tab(at: At) -> None:
    page = at(24)
    page.keyboard.press("5")
    expect(page).to_have_url(re.compile(r"#seq=24&tab=raw$"))
    plain = page.url.partition("#")[0]
    for address in ("#seq=25&tab=raw", "?step=25&tab=raw", "#25"):
        page.goto("about:blank")
        page.goto(plain + address)
        opened(page)
        stands_at(page, "25 of 70")
        chosen = "Raw" if "raw" in address else "Changed"
        tab = page.get_by_role("tab", name=chosen)
        expect(tab).to_have_attribute("aria-selected", "true")


def test_the_address_of_a_step_is_copied(at: At) -> None:
    page = at(24)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith("#seq=24")


def test_space_plays_to_the_end_and_from_the_beginning_again(at: At) -> None:
    page = at(60)
    page.get_by_text("×16").click()
    page.locator("#timeline").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    stands_at(page, "70 of 70")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator("#standing")).not_to_contain_text("70 of 70")


def test_the_turn_can_be_played_as_it_was(at: At) -> None:
    page = at(52)
    page.get_by_text("as recorded").click()
    page.get_by_role("button", name="Play").click()
    stands_at(page, "70 of 70")
    expect(page.locator("#draft")).to_contain_text("The status page is not needed.")


def test_the_digits_pick_the_tabs(at: At) -> None:
    page = at(31)
    for digit, name in enumerate(("Changed", "Retrieved", "Calls", "Controls", "Raw"), start=1):
        page.keyboard.press(str(digit))
        tab = page.get_by_role("tab", name=name)
        expect(tab).to_have_attribute("aria-selected", "true")


def test_the_keys_are_shown_when_asked_for(at: At) -> None:
    page = at(1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    stands_at(page, "1 of 70")


def test_dragging_on_the_timeline_scrubs(at: At) -> None:
    page = at(1)
    box = page.locator("#timeline").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40, steps=4)
    expect(page.locator("#standing")).to_contain_text(re.compile(r"3[4-7] of 70"))
    page.mouse.up()


def test_a_turn_of_five_thousand_events_opens_in_a_moment(visit: OpenPage, rows: Rows) -> None:
    page = visit(f"/admin/rag-workflow/{rows.long}/", who=ENGINEER)
    opened(page)
    stands_at(page, "4999 of 4999")
    page.reload()
    opened(page)
    took = page.evaluate(
        """() => {
            const entries = performance.getEntriesByType("resource");
            const bytes = entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
            return { bytes, parts: entries.filter((e) => e.name.includes("details")).length };
        }"""
    )
    assert took["bytes"] < 800_000
    assert took["parts"] <= 3
    page.keyboard.press("Home")
    stands_at(page, "1 of 4999")
    page.keyboard.press("3")
    page.keyboard.press("End")
    expect(page.locator("#panel")).to_contain_text(
        "2,498 calls up to this step, the last 100 shown"
    )
