"""Names what went wrong at a model endpoint, and says whether a repeat can help.

The client libraries raise some thirty classes; the port knows seven reasons.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import httpx2
import openai

# What a call may raise. The last five stand for a reply of another form than the API's: the
# libraries trip over it wherever they happen to look first.
EXPECTED = (
    openai.OpenAIError,
    httpx2.HTTPError,
    TimeoutError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,
)

_RATE_CODES = ("429", "rate_limit_exceeded")
_REPEATABLE = frozenset({"rate_limited", "server_error", "cut_stream", "unreachable"})


_HEAD = 300  # characters of a message that say what is wrong
# 400 to 422 turn a request down; some local servers say it with a 500, in words like these.
_TURNED_DOWN = (400, 404, 413, 415, 422)
_UNABLE = re.compile(r"unsupported|not support|requires --", re.IGNORECASE)
_NAMED = {"images": "image", "tools": "tool"}


class Failed(Exception):
    """A call failed. `reason` is the port's word; `retry_after` is in seconds.

    `repeatable` is true where the same request may work a moment later. A timeout is not:
    the person has waited as long as was agreed. `status` is the endpoint's, if it gave one.
    `turned_down`: a request with less in it may be taken.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int | None = None,
        repeatable: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.reason = reason
        self.status = status
        self.turned_down = status in (*_TURNED_DOWN, 500, 501)
        self.repeatable = reason in _REPEATABLE if repeatable is None else repeatable
        self.retry_after = retry_after
        super().__init__(reason)


def failure_of(error: Exception) -> Failed:
    """The one meaning of whatever a call raised; `error` is one of `EXPECTED` or `Failed`."""
    if isinstance(error, Failed):
        return error
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return Failed("timeout")
    if isinstance(error, openai.APIStatusError):
        return _of_status(error)
    if isinstance(error, openai.ContentFilterFinishReasonError):
        return Failed("refused")
    if any(isinstance(cause, httpx2.ReadError) for cause in _causes(error)):
        return Failed("cut_stream")
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError):
        return Failed("unreachable")
    if type(error) is openai.APIError:  # an event in a stream, which has no status of its own
        return Failed("rate_limited" if error.code in _RATE_CODES else "server_error")
    return Failed("invalid")


def unwanted(error: Exception, names: Collection[str]) -> str | None:
    """What of those named the endpoint says that it does not take; else None.

    Names are of optional parameters, or `images` and `tools`.
    """
    if not isinstance(error, openai.APIStatusError):
        return None
    # Only the beginning: some endpoints quote the request after it.
    said = error.message[:_HEAD]
    if error.status_code not in _TURNED_DOWN and not _UNABLE.search(said):
        return None
    return next((name for name in sorted(names) if _NAMED.get(name, name) in said), None)


def _of_status(error: openai.APIStatusError) -> Failed:
    status, wait = error.status_code, _retry_after(error.response.headers)
    if status == 429:
        more = error.code != "insufficient_quota"
        return Failed("rate_limited", status=status, repeatable=more, retry_after=wait)
    if status >= 500 or status == 408:
        return Failed("server_error", status=status, retry_after=wait)
    # Wrong key, unknown model, too long a prompt: the same request will not fare better.
    return Failed("refused", status=status)


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds, from either header; a date is not understood and counts as absent."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
