"""Files of a question in the browser: chosen, dropped, pasted, refused, sent and kept."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.site import Site
from tests.browser.steps import ask, settled

pytestmark = pytest.mark.browser

NOTE = "The blue server is kept in the cellar. Its fan is loud on Mondays."
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def note(name: str = "servers.txt", text: str = NOTE) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def picture(name: str = "fan.png") -> FilePayload:
    return {"name": name, "mimeType": "image/png", "buffer": PICTURE}


def add(page: Page, *files: FilePayload) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add a file").click()
    chooser.value.set_files(list(files))


def tray(page: Page) -> Locator:
    return page.locator(".composer .file")


def hand_over(page: Page, how: str, *names: str, words: Sequence[str] = ()) -> None:
    """Drop files on the page, or paste them into the field, as a browser would tell it.

    `words` are media types of a text that comes with them.
    """
    page.evaluate(
        """([how, names, words]) => {
            const data = new DataTransfer();
            for (const type of words) data.setData(type, "a name");
            for (const name of names) data.items.add(new File(["words"], name));
            const given = { bubbles: true, cancelable: true };
            const field = document.getElementById("question");
            const event = how === "drop"
                ? new DragEvent("drop", { ...given, dataTransfer: data })
                : new ClipboardEvent("paste", { ...given, clipboardData: data });
            field.dispatchEvent(event);
        }""",
        [how, list(names), list(words)],
    )


def test_a_file_goes_with_the_question_and_is_answered_from(page: Page) -> None:
    add(page, note())
    expect(tray(page)).to_contain_text("servers.txt")
    ask(page, "Where is the blue server kept?")
    turn = settled(page)
    expect(turn.locator(".asked .file")).to_contain_text("servers.txt")
    expect(turn.locator(".said")).to_contain_text("cellar")
    expect(tray(page)).to_have_count(0)
    turn.locator("a.cite").first.click()
    card = page.get_by_role("dialog", name="Source")
    expect(card).to_contain_text("kept in the cellar")
    expect(card).to_contain_text("Your file")
    expect(card.get_by_role("link")).to_have_count(0)
    page.reload()
    expect(page.locator(".turn .asked .file")).to_contain_text("servers.txt")


def test_a_file_without_a_question_asks_for_one(page: Page) -> None:
    add(page, note())
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("What do you want to know about it?")
    expect(tray(page)).to_have_count(1)
    expect(page.locator(".turn")).to_have_count(0)


def test_a_file_may_be_taken_out_again_by_keyboard(page: Page) -> None:
    add(page, note("a.txt"), note("b.txt"))
    page.get_by_role("button", name="Remove a.txt").press("Enter")
    expect(tray(page)).to_have_count(1)
    last = page.get_by_role("button", name="Remove b.txt")
    expect(last).to_be_focused()
    last.press("Enter")
    expect(tray(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Add a file")).to_be_focused()


@pytest.mark.parametrize("how", ["drop", "paste"])
def test_files_may_be_dropped_and_pasted(page: Page, how: str) -> None:
    hand_over(page, how, "one.md", "two.pdf")
    expect(tray(page)).to_have_count(2)
    expect(page.locator(".dropping")).to_have_count(0)


def test_a_file_is_pasted_with_its_name_and_a_cut_of_a_text_as_words(page: Page) -> None:
    hand_over(page, "paste", "copied.pdf", words=["text/plain"])
    expect(tray(page)).to_have_count(1)
    hand_over(page, "paste", "picture-of-it.png", words=["text/plain", "text/html"])
    expect(tray(page)).to_have_count(1)


def test_what_cannot_be_added_is_said_and_the_rest_is_kept(page: Page) -> None:
    status = page.locator("#status")
    add(page, note("a.txt"), {**note("b.exe"), "mimeType": "application/x-msdownload"})
    expect(status).to_contain_text("“b.exe” was not added: only PDF, text, Markdown, PNG and JPEG")
    expect(tray(page)).to_have_count(1)
    add(page, note("c.txt", "x" * (5 * 1024 * 1024 + 1)))
    expect(status).to_contain_text("“c.txt” was not added: it is larger than 5 MB.")
    hand_over(page, "drop", "d.txt", "e.txt", "f.txt")
    expect(status).to_contain_text("“f.txt” was not added: a question has room for no more files.")
    expect(tray(page)).to_have_count(3)
    page.get_by_role("button", name="Remove a.txt").click()
    expect(status).not_to_contain_text("was not added")


def test_a_picture_has_a_small_preview_made_on_this_machine(page: Page) -> None:
    add(page, picture())
    expect(tray(page).locator("canvas")).to_be_visible()


def test_a_file_that_the_server_refuses_comes_back_with_the_question(page: Page) -> None:
    add(page, {**note("scan.pdf", "This is no PDF."), "mimeType": "application/pdf"})
    ask(page, "What does it say?")
    expect(page.locator("#status.refused")).to_contain_text("scan.pdf")
    expect(page.get_by_label("Your question")).to_have_value("What does it say?")
    expect(tray(page)).to_contain_text("scan.pdf")
    expect(tray(page)).to_contain_text("15 B")
    expect(page.locator(".turn")).to_have_count(0)


def test_a_second_tab_sees_the_files_once_the_turn_is_over(
    page: Page, visit: OpenPage, site: Site
) -> None:
    add(page, note())
    ask(page, "Where is the blue server kept?")
    settled(page)
    other = visit(page.url.removeprefix(site.url), same_as=page)
    expect(other.locator(".turn .asked .file")).to_contain_text("servers.txt")


def test_a_long_text_that_is_no_document_is_given_back(page: Page) -> None:
    words = "please help me " * 300
    ask(page, words)
    expect(page.locator("#status.refused")).to_contain_text("too long")
    expect(page.get_by_label("Your question")).to_have_value(words.strip())
