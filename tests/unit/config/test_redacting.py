"""No line that is logged holds personal data, and no line is lost or breaks its writer."""

import asyncio
import io
import logging
import logging.config
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from config import redacting
from config.redacting import UNSAID, RedactingFormatter, RedactingHandler
from tests.canaries import ALL, CANARIES, WRITTEN, assert_gone, lines_written

FORMAT = settings.LOGGING["formatters"]["plain"]


class Log:
    """What a logger of its own wrote, through the site's formatter and handler."""

    def __init__(self, name: str = "tests.redacting") -> None:
        self.stream = io.StringIO()
        handler = RedactingHandler(self.stream)
        handler.setFormatter(RedactingFormatter(FORMAT["format"], style=FORMAT["style"]))
        self.logger = logging.Logger(name)
        self.logger.addHandler(handler)

    @property
    def text(self) -> str:
        return self.stream.getvalue()


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    with lines_written() as lines:
        yield lines


@pytest.mark.parametrize("kind", CANARIES)
def test_a_message_loses_every_kind(log: Log, kind: str) -> None:
    log.logger.warning(f"Asked about {WRITTEN[kind]}, and more")
    assert f"[{kind}]" in log.text
    assert_gone("the line", log.text, kind)


@pytest.mark.parametrize("args", [(ALL,), ({"asked": ALL},), ([ALL, 1],), (ValueError(ALL),)])
def test_so_do_its_arguments(log: Log, args: tuple[Any, ...]) -> None:
    log.logger.warning("Asked about %s today", *args)
    assert "Asked about" in log.text
    assert_gone("the line", log.text)


def test_what_only_the_message_and_its_arguments_together_are_goes_too(log: Log) -> None:
    log.logger.warning("my name is %s and my card %s %s", "Robin Canary", "4111 1111", "1111 1111")
    assert log.text.endswith("tests.redacting: my name is [name] and my card [card]\n")


def test_a_traceback_loses_it_with_its_causes(log: Log) -> None:
    try:
        try:
            raise KeyError(ALL)
        except KeyError as error:
            raise RuntimeError(f"it held {ALL}") from error
    except RuntimeError:
        log.logger.exception("A node failed for %s", CANARIES["email"])
    assert "RuntimeError: it held [email]" in log.text
    assert "direct cause" in log.text
    assert_gone("the traceback", log.text)


def test_a_stack_is_written_too(log: Log) -> None:
    log.logger.warning("Where", stack_info=True)
    assert "Stack (most recent call last)" in log.text


def test_an_ordinary_line_is_what_it_always_was(log: Log) -> None:
    log.logger.info("Turn %s ended after %.1f s, order 12345, version 1.2.3.4", "a1b2", 2.5)
    plain = logging.Formatter("{levelname} {name}: {message}", style="{")
    record = logging.LogRecord("n", 20, "f", 1, "%s of %d", ("a", 3), None)
    assert RedactingFormatter("{levelname} {name}: {message}", style="{").format(
        record
    ) == plain.format(record)
    assert log.text.endswith("Turn a1b2 ended after 2.5 s, order 12345, version 1.2.3.4\n")


def test_the_record_itself_is_left_alone() -> None:
    record = logging.LogRecord("n", 20, "f", 1, "to %s", (CANARIES["email"],), None)
    RedactingFormatter().format(record)
    assert (record.msg, record.args) == ("to %s", (CANARIES["email"],))
    assert record.exc_text is None


def test_a_traceback_that_another_formatter_wrote_out_is_cleaned_again() -> None:
    record = logging.LogRecord("n", 20, "f", 1, "It failed", (), None)
    record.exc_text = f"ValueError: {ALL}"
    assert_gone("the line", RedactingFormatter().format(record))


class Unprintable:
    def __str__(self) -> str:
        raise ValueError(ALL)

    __repr__ = __str__


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("%d rows", (ALL,)),
        ("%s and %s", (ALL,)),
        ("%s", (Unprintable(),)),
        ("%(a)s", ({"b": ALL},)),
    ],
)
def test_a_line_that_cannot_be_made_says_so_without_its_content(
    log: Log, message: str, args: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    log.logger.error(message, *args)
    log.logger.error("the next one")
    first, second = log.text.splitlines()
    assert UNSAID in first
    assert "test_redacting.py" in first
    assert second.endswith("the next one")
    assert_gone("the log", log.text + capsys.readouterr().err)


def test_a_redaction_that_fails_gives_such_a_line_too(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_text: str) -> None:
        raise RecursionError(ALL)

    monkeypatch.setattr(redacting, "redact", broken)
    log.logger.error("Asked about %s", ALL)
    assert f"tests.redacting: {UNSAID} (RecursionError" in log.text
    assert_gone("the log", log.text)


def test_a_stream_that_breaks_is_told_by_its_error_s_class(
    log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    log.stream.close()
    log.logger.error("Asked about %s", ALL)
    assert capsys.readouterr().err == f"ERROR tests.redacting: {UNSAID} (ValueError)\n"


def test_without_any_stream_it_is_silent(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.stream.close()
    monkeypatch.setattr(sys, "stderr", None)
    log.logger.error("Asked about %s", ALL)


@pytest.mark.parametrize(
    "name",
    ["chat.runs", "config", "django.request", "django.server", "django.security", "daphne.server"]
    + ["daphne.http_protocol", "asyncio", "twisted", "openai", "channels", "py.warnings", "x.y"],
)
def test_every_logger_of_the_site_writes_through_it(written: io.StringIO, name: str) -> None:
    logging.getLogger(name).error("GET /chat/?q=%s", ALL, extra={"status_code": 500})
    assert f"ERROR {name}: GET /chat/" in written.getvalue()
    assert_gone("the log", written.getvalue())


def test_no_logger_has_a_handler_that_goes_round_it() -> None:
    handlers = settings.LOGGING["handlers"]
    assert {each["class"] for each in handlers.values()} == {"config.redacting.RedactingHandler"}
    assert {each["formatter"] for each in handlers.values()} == {"plain"}
    assert FORMAT["class"] == "config.redacting.RedactingFormatter"
    assert not any(each.get("handlers") for each in settings.LOGGING["loggers"].values())


async def test_what_a_forgotten_task_raised_is_cleaned(written: io.StringIO) -> None:
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "never retrieved", "exception": ValueError(ALL)})
    assert "never retrieved" in written.getvalue()
    assert_gone("the log", written.getvalue())
