"""A question back in the browser: answered by a chip or in words, left, stopped, and set aside."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.site import Site
from tests.browser.steps import BACKUP, REFUND, VAGUE, answered, ask, asked_back, settled, waiting

pytestmark = pytest.mark.browser


def test_a_chip_answers_and_the_question_stands_quietly_above_the_answer(page: Page) -> None:
    form = asked_back(page)
    expect(form).to_contain_text(re.compile(r"Waits until \d\d:\d\d"))
    expect(page.locator("#status")).to_contain_text("Waiting for your reply")
    question = form.locator(".asks").inner_text()
    chip = form.locator("[data-reply]").first
    words = chip.inner_text()
    chip.dblclick()
    turn = settled(page)
    expect(turn.locator(".exchanges dt")).to_have_text(question)
    expect(turn.locator(".exchanges dd")).to_have_text(f"You answered “{words}”")
    expect(turn.locator(".said")).not_to_be_empty()
    expect(page.locator(".pause")).to_have_count(0)
    page.reload()
    expect(page.locator(".turn .exchanges dd")).to_have_text(f"You answered “{words}”")
    expect(page.locator(".turn")).to_have_count(1)


def test_the_field_has_the_focus_and_enter_sends_what_is_typed(page: Page) -> None:
    form = asked_back(page)
    expect(form.get_by_role("textbox")).to_be_focused()
    page.keyboard.type(REFUND)
    page.keyboard.press("Enter")
    turn = settled(page)
    expect(turn.locator(".said")).to_contain_text("business days")
    expect(turn.locator(".exchanges dd")).to_contain_text(REFUND)
    expect(page.get_by_label("Your question")).to_be_focused()


def test_escape_goes_back_to_the_composer(page: Page) -> None:
    form = asked_back(page)
    expect(form.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Your question")).to_be_focused()


def test_who_is_writing_already_is_not_moved(page: Page, site: Site) -> None:
    ask(page, VAGUE)
    page.get_by_label("Your question").type("And another th")
    waiting(page)
    expect(page.get_by_label("Your question")).to_be_focused()
    expect(page.get_by_label("Your question")).to_have_value("And another th")


def test_on_a_phone_no_keyboard_comes_up_over_the_question(visit: OpenPage) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    form = asked_back(page)
    expect(form.get_by_role("textbox")).not_to_be_focused()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    form.locator("[data-reply]").first.tap()
    expect(settled(page).locator(".exchanges dd")).to_contain_text("You answered")


def test_a_reload_shows_the_open_question_again_and_it_can_be_answered(page: Page) -> None:
    before = asked_back(page).inner_text()
    page.reload()
    form = waiting(page)
    assert form.inner_text() == before
    expect(page.locator("#status")).to_contain_text("Waiting for your reply")
    form.get_by_role("textbox").fill(REFUND)
    form.get_by_role("button", name="Reply").click()
    expect(settled(page).locator(".said")).to_contain_text("business days")


def test_a_second_tab_shows_the_question_and_either_may_answer(
    page: Page, visit: OpenPage, site: Site
) -> None:
    asked_back(page)
    other = visit(page.url.removeprefix(site.url), same_as=page)
    form = waiting(other)
    form.get_by_role("textbox").fill(REFUND)
    form.get_by_role("textbox").press("Enter")
    assert settled(other).inner_text() == settled(page).inner_text()
    expect(page.locator(".pause")).to_have_count(0)


def test_words_that_were_not_sent_when_another_tab_answered_are_not_lost(
    page: Page, visit: OpenPage, site: Site
) -> None:
    asked_back(page)
    other = visit(page.url.removeprefix(site.url), same_as=page)
    waiting(page).get_by_role("textbox").fill("half a repl")
    waiting(other).locator("[data-reply]").first.click()
    settled(page)
    expect(page.get_by_label("Your question")).to_have_value("half a repl")


def test_something_else_may_be_asked_and_sets_the_question_aside(page: Page) -> None:
    asked_back(page)
    expect(page.get_by_label("Your question")).to_have_attribute(
        "placeholder", "Ask something else…"
    )
    ask(page, BACKUP)
    expect(page.locator(".turn")).to_have_count(2)
    expect(settled(page).locator(".question")).to_have_text(BACKUP)
    first = page.locator(".turn").first
    expect(first).to_contain_text("Set aside for the next question.")
    expect(first.locator(".pause")).to_have_count(0)
    page.reload()
    expect(page.locator(".turn").first).to_contain_text("Set aside for the next question.")


def test_what_is_asked_in_its_place_is_told_to_the_other_tab(
    page: Page, visit: OpenPage, site: Site
) -> None:
    asked_back(page)
    other = visit(page.url.removeprefix(site.url), same_as=page)
    waiting(other)
    ask(page, BACKUP)
    expect(other.locator(".turn")).to_have_count(2)
    expect(settled(other).locator(".question")).to_have_text(BACKUP)
    expect(other.locator(".turn").first).to_contain_text("Set aside for the next question.")


def test_stop_ends_a_turn_that_waits(page: Page) -> None:
    asked_back(page)
    page.get_by_role("button", name="Stop").click()
    turn = settled(page)
    expect(turn).to_contain_text("Stopped before there was an answer.")
    expect(page.locator(".pause")).to_have_count(0)
    expect(answered(page).locator(".said")).to_contain_text("business days")


def let_in_refusals_alone(page: Page) -> None:
    """From its next load on, the page hears of a refusal and of no event."""

    def route(socket: WebSocketRoute) -> None:
        site = socket.connect_to_server()
        heard = ("hello", "refused")

        def pass_on(said: str | bytes) -> None:
            if json.loads(said)["type"] in heard:
                socket.send(said)

        site.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/"), route)


def test_a_second_answer_changes_nothing_and_gives_its_words_back(
    page: Page, visit: OpenPage, site: Site
) -> None:
    asked_back(page)
    late = visit(page.url.removeprefix(site.url), same_as=page)
    let_in_refusals_alone(late)
    late.reload()
    waiting(late)
    waiting(page).locator("[data-reply]").first.click()
    said = settled(page).locator(".exchanges dd").inner_text()
    field = waiting(late).get_by_role("textbox")
    field.fill("Too late")
    field.press("Enter")
    expect(late.locator("#status")).to_contain_text("Nothing is waiting for that reply any more.")
    expect(field).to_have_value("Too late")
    expect(field).to_be_enabled()
    page.reload()
    expect(page.locator(".exchanges dd")).to_have_text(said)
