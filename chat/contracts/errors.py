"""The few errors that cross a boundary, each with a stable code and words for a person.

Raised where the fault is found and translated once per transport. `public` is shown as it
stands, so it never holds an id, a query or a traceback.
"""

from __future__ import annotations

from typing import ClassVar


class ChatError(Exception):
    """Base of every anticipated fault. The docstring of a subclass is its default message."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(self, public: str | None = None, *, retry_after: float | None = None) -> None:
        self.public = public or (type(self).__doc__ or "").strip()
        self.retry_after = retry_after
        super().__init__(self.public)


class BadFrame(ChatError):
    """That message could not be read. Reload the page and try again."""

    code = "bad_frame"


class TooLarge(ChatError):
    """That message is too long. Shorten it to 4,000 characters, or attach it as a text file."""

    code = "too_large"


class UploadRefused(ChatError):
    """That file cannot be taken. Attach a PDF, a text, a PNG or a JPEG of at most 5 MB."""

    code = "upload_refused"


class NotYours(ChatError):
    """There is no such conversation here."""

    code = "not_yours"


class TooFast(ChatError):
    """Too many messages at once. Wait a moment and try again."""

    code = "too_fast"
    retryable = True


class OverBudget(ChatError):
    """You have used up what one person can ask in a day. Come back tomorrow."""

    code = "over_budget"
    retryable = True


class TooManySockets(ChatError):
    """This chat is open on too many pages. Close one of them."""

    code = "too_many_sockets"
    retryable = True


class TurnRunning(ChatError):
    """An answer is still being written. Stop it first, or wait for it."""

    code = "turn_running"
    retryable = True


class NothingWaiting(ChatError):
    """Nothing is waiting for that reply any more."""

    code = "nothing_waiting"


class NoSuchTurn(ChatError):
    """There is no such answer in this conversation."""

    code = "no_such_turn"


class NoSuchMessage(ChatError):
    """There is no such message in this conversation."""

    code = "no_such_message"


class RedactionFailed(ChatError):
    """The message could not be screened, so it was not kept. Try again."""

    code = "redaction_failed"
    retryable = True


class SearchFailed(ChatError):
    """The handbook could not be searched just now."""

    code = "search_failed"
    retryable = True


class Unavailable(ChatError):
    """The server cannot do that just now. Try again in a moment."""

    code = "unavailable"
    retryable = True
