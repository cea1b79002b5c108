"""Files as they arrive: checked, read and redacted, or refused in words that a person can use."""

from __future__ import annotations

import asyncio
import threading

import pytest

from chat import files
from chat.contracts.commands import MAX_FILE, Upload
from chat.contracts.errors import RedactionFailed, Unavailable, UploadRefused
from chat.files import File, digest, received
from chat.retrieval.reader import Reading
from tests.documents import exif, jpeg, pdf, png, upload

EMAIL = "canary.bird@cage-example.org"


def sent(name: str, raw: bytes, media_type: str = "") -> Upload:
    return Upload(**upload(name, raw, media_type))


async def refusal(*uploads: Upload) -> str:
    with pytest.raises(UploadRefused) as refused:
        await received(uploads)
    assert refused.value.code == "upload_refused"
    return refused.value.public


async def test_no_files_are_no_work() -> None:
    assert await received(()) == ()


async def test_a_document_is_its_text() -> None:
    raw = b"Refunds take ten days."
    assert await received([sent("plan.txt", raw)]) == (
        File("document", "plan.txt", "text/plain", len(raw), digest(raw), text=raw.decode()),
    )


async def test_a_picture_is_its_bytes_without_what_the_camera_wrote() -> None:
    (file,) = await received([sent("photo.jpg", jpeg((0xE1, exif(1, b"Paris"))))])
    assert (file.kind, file.media_type, file.text) == ("image", "image/jpeg", "")
    assert file.data == jpeg()
    assert file.sha256 == digest(jpeg())


async def test_several_files_come_out_in_their_order() -> None:
    given = [sent("a.pdf", pdf("One")), sent("b.png", png()), sent("c.md", b"# Three")]
    assert [file.name for file in await received(given)] == ["a.pdf", "b.png", "c.md"]


async def test_personal_data_is_in_neither_text_nor_name_nor_digest() -> None:
    raw = f"Write to {EMAIL}.".encode()
    (file,) = await received([sent(f"letter to {EMAIL}", raw, "text/plain")])
    assert file.text == "Write to [email]."
    assert file.name == "letter to [email]"
    assert file.redactions == {"email": 1}
    assert file.sha256 == digest(b"Write to [email].")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (sent("plan.pdf", b"x" * (MAX_FILE + 1)), "“plan.pdf” is larger than 5 MB."),
        (sent("plan.pdf", png(), "application/pdf"), "“plan.pdf” is no PDF, text, Markdown"),
        (sent("plan.docx", b"PK\x03\x04"), "“plan.docx” is no PDF, text, Markdown"),
        (sent("plan.pdf", pdf("a", locked=True)), "“plan.pdf” is protected by a password."),
        (sent("plan.pdf", pdf("")), "“plan.pdf” holds no text."),
        (sent("plan.pdf", pdf(*["a"] * 301)), "“plan.pdf” has more than 300 pages."),
        (sent("plan.pdf", b"%PDF-1.7"), "“plan.pdf” is damaged and cannot be read."),
        (sent("plan.txt", b" "), "“plan.txt” holds no text."),
        (sent("plan.txt", b"a " * 500_001), "“plan.txt” holds more than 1,000,000 characters."),
        (sent("photo.png", png()[:50]), "“photo.png” is damaged and cannot be read."),
    ],
)
async def test_what_cannot_be_taken_is_refused_in_plain_words(file: Upload, words: str) -> None:
    assert (await refusal(file)).startswith(words)


@pytest.mark.parametrize(
    "data", ["SGVsbG8", "SGVs bG8=", "SGVsbG8=\n", "SGVs*G8=", "=", "SGVsbG8==", "é"]
)
async def test_base64_is_read_strictly(data: str) -> None:
    file = Upload(name="plan.txt", media_type="text/plain", data="SGVsbG8=")
    torn = file.model_copy(update={"data": data})
    assert await refusal(torn) == "“plan.txt” did not arrive whole. Attach it again."


async def test_a_refusal_names_the_file_without_personal_data() -> None:
    assert EMAIL not in await refusal(sent(f"{EMAIL}.pdf", b"nothing"))


async def test_one_file_that_is_refused_refuses_them_all() -> None:
    assert "“b.pdf”" in await refusal(sent("a.txt", b"Good"), sent("b.pdf", b"bad"))


async def test_a_text_that_cannot_be_screened_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "read", lambda *_: Reading(problem="unscreened"))
    with pytest.raises(RedactionFailed):
        await received([sent("a.txt", b"Hello")])


async def test_a_name_that_cannot_be_screened_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(text: str) -> None:
        raise ValueError(text)

    monkeypatch.setattr(files, "redact", fails)
    with pytest.raises(RedactionFailed):
        await received([sent("a.txt", b"Hello")])


async def test_a_slow_file_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "read", lambda *_: Reading(problem="slow"))
    assert "“a.txt” could not be read within 20 seconds." in await refusal(sent("a.txt", b"Hello"))


async def test_the_loop_runs_on_while_a_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = threading.Event()

    def waits(*_: object) -> Reading:
        assert reads.wait(20)
        return Reading("Hello")

    monkeypatch.setattr(files, "read", waits)
    work = asyncio.create_task(received([sent("a.txt", b"Hello")]))
    await asyncio.sleep(0)
    assert not work.done()
    reads.set()
    assert (await work)[0].text == "Hello"


async def test_a_queue_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def waits(*_: object) -> Reading:
        assert gate.wait(20)
        return Reading("Hello")

    monkeypatch.setattr(files, "read", waits)
    monkeypatch.setattr(files, "WAIT", 0.01)
    work = asyncio.create_task(received([sent("a.txt", b"Hello")] * 3))
    asyncio.get_running_loop().call_later(0.05, gate.set)
    with pytest.raises(Unavailable):
        await work
