"""Keeps personal data out of every line that is logged, whoever wrote it and with whatever error.

A line is redacted after its arguments are filled in and its traceback is written out, so that
nothing gets past in an exception's message. A line that cannot be made, or not be cleaned, is
written as one that says so, without its content; none is lost.
"""

from __future__ import annotations

import logging
import sys

from chat.guardrails.personal_data.redaction import redact

UNSAID = "a line whose content could not be written"


class RedactingFormatter(logging.Formatter):
    """Formats like the standard one, from a clean message and a clean traceback. Never raises.

    The record itself is left as it was, for other handlers to make of it what they do.
    """

    def format(self, record: logging.LogRecord) -> str:
        try:
            return super().format(self._clean(record))
        except Exception as error:  # noqa: BLE001 - a line about a fault must not make another
            where = f"{record.pathname}:{record.lineno}"
            return (
                f"{record.levelname} {record.name}: {UNSAID} ({type(error).__name__}, from {where})"
            )

    def _clean(self, record: logging.LogRecord) -> logging.LogRecord:
        clean = logging.makeLogRecord(record.__dict__)
        clean.msg, clean.args = redact(record.getMessage()).text, ()
        clean.exc_info, clean.exc_text = None, None
        if record.exc_info and record.exc_info[0]:
            clean.exc_text = redact(self.formatException(record.exc_info)).text
        elif record.exc_text:  # written out by another formatter, which has not cleaned it
            clean.exc_text = redact(record.exc_text).text
        if record.stack_info:
            clean.stack_info = redact(record.stack_info).text
        return clean


class RedactingHandler(logging.StreamHandler):
    """A stream whose own failure is told by its class alone.

    The standard handler prints a message that it cannot write, with its arguments, to stderr.
    """

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[0]
        kind = error.__name__ if error else "unknown"
        try:
            sys.stderr.write(f"{record.levelname} {record.name}: {UNSAID} ({kind})\n")
        except (OSError, ValueError, AttributeError):
            return  # there is nowhere left to say it
