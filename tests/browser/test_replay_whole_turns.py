"""The replay of turns as the whole graph tells them: parts, loops, pauses, tools and claims."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESK, OpenPage
from tests.browser.replay_rows import ENGINEER, Rows, gone_to, opened, stands_at, written
from tests.browser.site import Site
from tests.told import ANSWER, PARTS

pytestmark = pytest.mark.browser

Replay = Callable[[str], Page]


@pytest.fixture(scope="module")
def rows(site: Site) -> Rows:
    return written(site)


@pytest.fixture
def replay(visit: OpenPage, rows: Rows) -> Replay:
    """The replay of a story, at its last step."""

    def open_(name: str) -> Page:
        page = visit(f"/admin/rag-workflow/{rows.told[name]}/", who=ENGINEER)
        return opened(page)

    return open_


def tab(page: Page, name: str) -> Locator:
    page.get_by_role("tab", name=name).click()
    return page.locator("#panel")


def meter(page: Page, name: str) -> Locator:
    return page.get_by_role("meter", name=name, exact=True)


def test_a_pass_shows_all_its_searches_each_with_its_item(replay: Replay) -> None:
    page = replay("parts and a gap")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    panel = tab(page, "Retrieved")
    expect(panel).to_contain_text("Pass 1 · 2 searches")
    expect(panel.locator(".query")).to_contain_text([f"“{part}”" for part in PARTS])
    expect(panel.locator(".hit .signal").first).to_have_text("not graded yet")


def test_a_later_pass_says_which_item_it_searched_again(replay: Replay) -> None:
    panel = tab(replay("parts and a gap"), "Retrieved")
    expect(panel).to_contain_text("Pass 3")
    expect(panel).to_contain_text(f"For “{PARTS[1]}”")
    expect(panel).to_contain_text("Rewritten from “domain renewal costs”")


def test_what_was_asked_for_is_found_or_not(replay: Replay) -> None:
    page = replay("parts and a gap")
    items = page.get_by_role("list", name="What was asked for").get_by_role("listitem")
    expect(items).to_have_text([f"{PARTS[0]} found", f"{PARTS[1]} not found"])
    page.keyboard.press("Home")
    expect(page.locator("#course")).to_contain_text("The way is not chosen yet.")


def test_the_way_is_told_with_its_confidence_and_why(replay: Replay) -> None:
    page = replay("iterative with a correction")
    expect(page.locator("#course")).to_contain_text("decided single shot 0.55 → taken iterative")
    expect(page.locator("#course")).to_contain_text("one level up")
    expect(page.locator("#course")).to_contain_text("intent question · mode standard")


def test_a_router_that_could_not_say_is_told_in_a_sentence(replay: Replay) -> None:
    page = replay("a router that cannot say")
    expect(page.locator("#course")).to_contain_text("The router could not say (timeout)")
    expect(page.locator("#course")).not_to_contain_text("decided")


def test_the_meters_follow_the_step(replay: Replay) -> None:
    page = replay("parts and a gap")
    expect(meter(page, "Passes")).to_have_text("Passes3 of 6")
    expect(meter(page, "Rewrites")).to_have_text("Rewrites2 of 2")
    expect(meter(page, "Cost")).to_have_text("Cost1.20 of 25 ¢")
    page.keyboard.press("Home")
    expect(meter(page, "Passes")).to_have_text("Passes0 of 6")
    expect(meter(page, "Tokens")).to_have_text("Tokens0 of 60,000")


def test_the_limit_that_ended_the_turn_is_marked(replay: Replay) -> None:
    page = replay("a budget used up")
    expect(meter(page, "Cost")).to_contain_text("Cost, ended it")
    expect(meter(page, "Cost")).to_contain_text("of 1.20 ¢")  # as its own log says
    expect(page.get_by_text("The limits below are those that are set now.")).to_have_count(0)
    page.keyboard.press("Home")
    expect(meter(page, "Cost")).not_to_contain_text("ended")


def test_calls_show_tools_with_their_cost(replay: Replay) -> None:
    page = replay("paid look-ups")
    panel = tab(page, "Calls")
    expect(panel).to_contain_text("3 calls and 3 calls of tools")
    tools = panel.locator("tr.tool")
    expect(tools.locator(".signal")).to_have_text(["ran", "ran", "over its limit"])
    expect(tools.first).to_contain_text("1.00 ¢")
    expect(meter(page, "Tool calls")).to_contain_text("3")


def test_controls_show_the_claims_of_the_last_draft(replay: Replay) -> None:
    page = replay("iterative with a correction")
    panel = tab(page, "Controls")
    expect(panel).to_contain_text("1 claim of draft 2")
    expect(panel.locator(".claims tr")).to_contain_text(["supported"])
    expect(panel.locator(".claims tr")).to_contain_text(["quotation, by code"])


def test_a_draft_that_was_withdrawn_is_cut_off(replay: Replay) -> None:
    draft = replay("iterative with a correction").locator("#draft")
    expect(draft.locator("s")).to_contain_text("They cost nothing at all.")
    expect(draft.get_by_role("note")).to_contain_text("rests on no source")
    expect(draft).to_contain_text(ANSWER)


def test_a_wait_of_hours_is_folded_and_named(replay: Replay) -> None:
    page = replay("a question back")
    page.get_by_role("button", name="By time").click()
    expect(page.locator("#timeline")).to_contain_text("waited for a reply 3 h 05 min")
    expect(page.locator("#timeline .far")).to_have_text("1.4 s")
    ticks = page.locator("#timeline .ticks").evaluate_all(
        "paths => paths.flatMap(path => [...path.getAttribute('d').matchAll(/M([\\d.]+)/g)])"
        ".map(found => Number(found[1]))"
    )
    box = page.locator("#timeline").bounding_box()
    assert box is not None
    assert len([x for x in ticks if 0.2 * box["width"] < x < 0.8 * box["width"]]) > 3


def test_a_pause_is_a_step_and_going_on_is_no_second_stay(replay: Replay, rows: Rows) -> None:
    page = replay("a question back")
    asked = rows.places["a question back"]["clarification"]
    gone_to(page, asked)
    stands_at(page, "asks back: “What is it about?”")
    stands_at(page, "waited for a reply 3 h 05 min")
    asking = page.locator('.plate[data-node="generate_clarification"] .time')
    expect(asking).not_to_contain_text("×")
    gone_to(page, asked + 8)  # through the reply to the topic again
    expect(page.locator(".lap.taken")).to_have_text("2")


def test_a_turn_that_waits_shows_where_and_for_what(visit: OpenPage, rows: Rows) -> None:
    page = visit(f"/admin/rag-workflow/{rows.waits}/", who=ENGINEER)
    opened(page)
    plate = page.locator('.plate[data-node="generate_clarification"]')
    expect(plate).to_contain_class("waits")
    expect(plate.locator(".time")).to_have_text("waits")
    expect(page.locator("#timeline")).to_contain_text("waits for a reply")
    expect(page.locator("#figures")).to_contain_text("waits for a reply")
    stands_at(page, "waits for a reply")


def test_a_yes_is_told_with_what_came_of_it(replay: Replay, rows: Rows) -> None:
    page = replay("a ticket")
    asked = rows.places["a ticket"]["action"]
    gone_to(page, asked)
    stands_at(page, "asks for a yes to open_ticket, which cannot be undone")
    gone_to(page, asked + 3)  # enters again, what changed, leaves
    stands_at(page, "You agreed")


@pytest.mark.parametrize("story", ["parts and a gap", "a ticket", "iterative with a correction"])
def test_the_whole_graph_is_in_sight_on_a_small_desk(replay: Replay, story: str) -> None:
    page = replay(story)
    drawn = page.locator(".drawn").bounding_box()
    assert drawn is not None
    assert drawn["x"] + drawn["width"] <= DESK["width"]
    for plate in page.locator(".plate rect").all():
        box = plate.bounding_box()
        assert box is not None
        assert drawn["x"] <= box["x"] and box["x"] + box["width"] <= drawn["x"] + drawn["width"]
    expect(page.locator(".plate")).to_have_count(24)


def test_a_plate_that_is_pointed_at_shows_its_ways(replay: Replay) -> None:
    page = replay("a ticket")
    page.locator('.plate[data-node="optimize_query"]').hover()
    near = page.locator(".wire.near")
    expect(near).to_have_count(7)
    expect(page.locator('.plate[data-node="optimize_query"] title')).to_contain_text("New words")
    page.locator("h1").hover()
    expect(near).to_have_count(0)
