"""A support person labels ten turns by keyboard only, and every word of it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.people import sign_in
from tests.browser.queue_rows import QUEUE, Desk, Queue, at_desk
from tests.browser.site import Site

pytestmark = pytest.mark.browser

NEEDED = ("direct", "single_shot", "iterative", "clarify", "off_topic", "cannot_tell")
GROUNDED = ("yes", "partly", "no", "cannot_tell", "needs_expert")
CORRECT = ("yes", "partly", "no", "cannot_tell")
WAYS = {word: str(digit) for digit, word in enumerate((*NEEDED, "needs_expert"), start=1)}

# What is said of the turns, one after the other: way, held by its sources, right.
SAID = [
    *(("single_shot", "yes", "yes"), ("single_shot", "partly", "yes"), ("direct", "no", "no")),
    *(("iterative", "yes", "partly"), ("clarify", "cannot_tell", "cannot_tell")),
    *(("single_shot", "needs_expert", "yes"), ("cannot_tell", "yes", "no")),
    *(("off_topic", "yes", "yes"), ("needs_expert", "partly", "partly"), ("iterative", "no", "no")),
]


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    with at_desk(site) as desk:
        yield desk


@pytest.fixture
def rows(desk: Desk) -> Queue:
    """Ten turns for one person each; what a test leaves of them is gone before the next."""
    return desk.written(wanted=1, turns=10)


def stands_at(page: Page, turn: str) -> None:
    expect(page.locator(f'#item[data-turn="{turn}"]')).to_be_visible()


def at_the(page: Page, name: str) -> None:
    """The focus is in a question's row."""
    expect(page.locator(f'.row[data-row="{name}"] :focus')).to_have_count(1)


def chosen(page: Page, name: str, value: str) -> None:
    expect(page.locator(f'input[name="{name}"][value="{value}"]')).to_be_checked()


def test_ten_turns_are_labelled_without_a_mouse(visit: OpenPage, desk: Desk, rows: Queue) -> None:
    page = visit(QUEUE)
    page.evaluate(WATCH_THE_MOUSE)
    sign_in(page, "sam")
    page.evaluate(WATCH_THE_MOUSE)
    assert len(rows.turns) == len(SAID) == 10
    for number, (turn, (needed, grounded, correct)) in enumerate(
        zip(rows.turns, SAID, strict=True), start=1
    ):
        stands_at(page, turn)
        expect(page.locator("h2.question")).to_have_text(rows.asked[turn])
        expect(page.locator(".count")).to_have_text(f"{number} of 10")
        at_the(page, "needed")
        page.keyboard.press(WAYS[needed])
        if rows.holds[turn]:
            at_the(page, "grounded")
            page.keyboard.press(str(GROUNDED.index(grounded) + 1))
            at_the(page, "correct")
            page.keyboard.press(str(CORRECT.index(correct) + 1))
        else:
            expect(page.locator("#jobs")).to_contain_text("There is no answer here")
        page.keyboard.press("Enter")
    expect(page.locator(".empty h2")).to_have_text("Nothing waits for you")
    assert page.evaluate("window.pressedByMouse") == 0

    stored_as_said(desk, rows)


def stored_as_said(desk: Desk, rows: Queue) -> None:
    """Every answer of every turn is in the database under Sam's name, and nothing else is."""
    found = desk.standing()
    routing = {turn: (who, needed) for turn, who, needed, _ in found["routing"]}
    answers = {turn: tuple(said) for turn, *said, _ in found["answers"]}
    said = dict(zip(rows.turns, SAID, strict=True))
    held = [turn for turn in rows.turns if rows.holds[turn]]
    assert routing == {turn: ("sam", needed) for turn, (needed, *_) in said.items()}
    assert answers == {turn: ("sam", *said[turn][1:]) for turn in held}
    assert len(held) >= 6
    assert {tuple(row) for row in found["reviews"]} == {(t, "sam", "False") for t in rows.turns}
    unsure = {"cannot_tell", "needs_expert"}
    asked = {turn: said[turn] if rows.holds[turn] else said[turn][:1] for turn in rows.turns}
    assert dict(found["items"]) == {
        turn: "disagreed" if unsure & set(words) else "done" for turn, words in asked.items()
    }
    assert found["locks"] == []


WATCH_THE_MOUSE = """() => {
  window.pressedByMouse = 0;
  for (const kind of ["pointerdown", "mousedown", "touchstart"])
    document.addEventListener(kind, () => { window.pressedByMouse += 1 }, true);
}"""


@pytest.fixture
def page(visit: OpenPage, rows: Queue) -> Page:
    """Sam's first item, with the keys at work."""
    page = visit(QUEUE, who="sam")
    ready(page, rows.turns[0])
    return page


def ready(page: Page, turn: str) -> None:
    stands_at(page, turn)
    at_the(page, "needed")


def nothing_is_chosen(page: Page) -> None:
    expect(page.locator(".row input:checked")).to_have_count(0)


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_sheet_of_keys_opens_and_lies_above_all(page: Page) -> None:
    press(page, "?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    press(page, "1u")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    nothing_is_chosen(page)


def test_arrows_and_tab_lead_from_question_to_question(page: Page) -> None:
    page.keyboard.press("ArrowDown")
    at_the(page, "grounded")
    page.keyboard.press("Tab")
    at_the(page, "correct")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    at_the(page, "needed")
    press(page, "2")
    chosen(page, "needed", "single_shot")
    at_the(page, "grounded")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    chosen(page, "needed", "iterative")


def test_what_is_missing_is_named_and_stood_at(page: Page) -> None:
    page.keyboard.press("Enter")
    expect(page.locator("#wrong")).to_have_text("First: Which way did this question need?")
    press(page, "2")
    page.keyboard.press("Enter")
    expect(page.locator("#wrong")).to_have_text("First: Is the answer held by its sources?")
    at_the(page, "grounded")


def test_path_and_log_are_one_key_away_after_the_first_label(page: Page) -> None:
    inside = page.get_by_role("dialog", name="What happened inside")
    press(page, "g")
    expect(page.locator("#wrong")).to_contain_text("Give your first label of this turn.")
    press(page, "2g")
    expect(inside).to_contain_text("Reading the question")
    expect(inside).to_contain_text("once you have said all")
    press(page, "g")
    expect(inside).to_be_hidden()
    press(page, "j")
    expect(inside.locator("pre")).to_contain_text('"type": "retrieval"')
    expect(inside.locator("pre")).not_to_contain_text('"claims"')
    page.keyboard.press("Escape")
    expect(inside).to_be_hidden()
    expect(page.locator("#seen")).to_be_empty()
    press(page, "11")
    expect(page.locator("#seen")).to_contain_text(re.compile(r"The check said: supported \d of \d"))
    expect(page.locator("#seen")).to_contain_text("The router chose")
    press(page, "j")
    expect(inside.locator("pre")).to_contain_text('"claims"')


def test_who_types_gives_no_commands(page: Page, desk: Desk, rows: Queue) -> None:
    press(page, "n")
    page.keyboard.type("s u 1 ? gj")
    page.keyboard.press("Escape")
    at_the(page, "needed")
    nothing_is_chosen(page)
    press(page, "211n")
    page.keyboard.type(" and so on")
    page.keyboard.press("Control+Enter")
    ready(page, rows.turns[1])
    labels = [row for row in desk.standing()["answers"] if row[0] == rows.turns[0]]
    assert labels == [[rows.turns[0], "sam", "yes", "yes", "s u 1 ? gj and so on"]]


def test_undo_goes_back_by_halves_and_by_turns(page: Page, desk: Desk, rows: Queue) -> None:
    first, second, *_ = rows.turns
    press(page, "211")
    page.keyboard.press("Enter")
    ready(page, second)
    press(page, "3u")  # the half of this one first
    expect(page.locator('.row[data-row="needed"] input:checked')).to_have_count(0)
    ready(page, second)
    press(page, "u")
    ready(page, first)
    nothing_is_chosen(page)
    press(page, "s")
    ready(page, second)
    press(page, "u")
    ready(page, first)
    found = desk.standing()
    assert (found["routing"], found["answers"]) == ([], [])
    assert found["locks"] == [[first, "sam"]]


def test_nothing_jumps_when_an_answer_is_given_and_the_next_comes(
    visit: OpenPage, rows: Queue
) -> None:
    page = visit(QUEUE, who="sam")
    ready(page, rows.turns[0])
    before = places(page)
    for digit in "211":
        page.keyboard.press(digit)
    expect(page.locator("#seen")).to_contain_text("The check said")
    assert places(page) == before
    page.keyboard.press("Enter")
    stands_at(page, rows.turns[1])
    assert places(page) == before


def places(page: Page) -> list[float]:
    """Where the questions and the buttons stand."""
    found: list[float] = page.locator(".row, .acts").evaluate_all(
        "nodes => nodes.map(node => Math.round(node.getBoundingClientRect().top))"
    )
    return found


def test_without_a_script_the_form_still_posts(visit: OpenPage, desk: Desk, rows: Queue) -> None:
    page = visit(QUEUE, java_script_enabled=False, who="sam")
    first, second, *_ = rows.turns
    expect(page.locator(".empty h2")).to_have_text("10 turns wait for you")
    assert desk.standing()["locks"] == []
    page.get_by_role("button", name="Take the next").click()
    stands_at(page, first)
    page.get_by_label("Single shot").check(force=True)
    page.locator('input[name="grounded"][value="partly"]').check(force=True)
    page.locator('input[name="correct"][value="yes"]').check(force=True)
    page.get_by_role("button", name="Save and stay").click()
    expect(page.locator("#seen")).to_contain_text("The check said")
    page.get_by_role("button", name="Done and next").click()
    stands_at(page, second)
    assert [first, "sam", "partly", "yes", ""] in desk.standing()["answers"]


def test_on_a_phone_it_is_one_column_with_large_buttons(visit: OpenPage, rows: Queue) -> None:
    page = visit(QUEUE, viewport=PHONE, has_touch=True, who="sam")
    stands_at(page, rows.turns[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("window.scrollY") == 0
    heights = page.locator(".face, .acts .button").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44
    for name, value in (("needed", "direct"), ("grounded", "yes"), ("correct", "yes")):
        page.locator(f'label:has(input[name="{name}"][value="{value}"])').tap()
        chosen(page, name, value)
    page.get_by_role("button", name="Done and next").tap()
    stands_at(page, rows.turns[1])
    assert page.evaluate("window.scrollY") == 0


def test_a_site_that_does_not_answer_loses_nothing(
    visit: OpenPage, desk: Desk, rows: Queue
) -> None:
    page = visit(QUEUE, who="sam")
    first, second, *_ = rows.turns
    ready(page, first)
    page.context.set_offline(True)
    for digit in "211":
        page.keyboard.press(digit)
    expect(page.locator("#wrong")).to_contain_text("What you chose is still here")
    page.keyboard.press("Enter")
    expect(page.locator("#wrong")).to_contain_text("Enter tries again")
    chosen(page, "grounded", "yes")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    stands_at(page, second)
    assert [first, "sam", "yes", "yes", ""] in desk.standing()["answers"]
