"""For who watches the process: is it up, can it work, and what has it counted.

`/healthz` touches nothing. `/readyz` asks each part, with a time limit of its own, and keeps
the answer for a few seconds, so that nobody can load the model endpoint through it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from chat import wiring
from chat.db import in_db

log = logging.getLogger(__name__)

LIMIT = 2.0  # seconds that one part may take
KEPT = 5.0  # seconds for which an answer is given again
OPENAI = "https://api.openai.com/v1"  # where the client library goes when no address is set
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP")

Check = Callable[[], Awaitable[None]]


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
async def readyz(request: HttpRequest) -> HttpResponse:
    """The state of each part; 503 when one of them does not answer."""
    parts = await _kept.states()
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse({"ready": ready, "parts": parts}, status=200 if ready else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Counters in Prometheus' text format, for staff and for a scraper on this machine.

    Each process counts what it does itself, from 0 at its start: the turns that it ran, the sockets
    that it holds, the limits that it looked at. With several processes each is scraped at its own
    address, and who asks sums over them, as the shipped rules do; a scrape through a balancer would
    meet one of them at random. Commands of the terminal count for themselves and are not scraped.

    A request that a proxy passed on comes from loopback too, so it is told by its headers;
    figures about terminations and failed controls are nothing for passers-by.
    """
    if not (_is_from_here(request) or request.user.is_staff):
        return HttpResponseForbidden("For staff, or for a scraper on this machine.\n")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


async def states(checks: Mapping[str, Check], limit: float = LIMIT) -> dict[str, str]:
    """`ok`, `slow` (over the limit) or `down`, for each part. All are asked at once."""
    found = await asyncio.gather(*(_state(name, check, limit) for name, check in checks.items()))
    return dict(zip(checks, found, strict=True))


async def _state(name: str, check: Check, limit: float) -> str:
    try:
        async with asyncio.timeout(limit):
            await check()
    except TimeoutError:
        return "slow"
    except Exception as error:  # noqa: BLE001 - whatever a part raises, it is down
        log.warning("%s is not ready: %s", name, type(error).__name__)
        return "down"
    return "ok"


class _Kept:
    """The last answer while it is fresh; who asks while it is being made waits for the same one."""

    def __init__(self) -> None:
        self._at = float("-inf")
        self._parts: dict[str, str] = {}
        self._asking: asyncio.Task[None] | None = None

    async def states(self) -> dict[str, str]:
        if time.monotonic() - self._at >= KEPT:
            self._asking = self._asking or asyncio.create_task(self._ask())
            await asyncio.shield(self._asking)
        return self._parts

    async def _ask(self) -> None:
        try:
            self._parts = await states(CHECKS)
            self._at = time.monotonic()
        finally:
            self._asking = None


async def check_database() -> None:
    await in_db(_select_one)


async def check_model() -> None:
    """The offline model is in this process; an endpoint has to answer a request."""
    if settings.PLUMBLINE.llm_model:
        await asyncio.to_thread(_ask_endpoint)


async def check_embedder() -> None:
    """Two texts, as one alone may come from the cache."""
    await asyncio.to_thread(wiring.embedder().embed, ("ready", "steady"))


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_endpoint() -> None:
    """Raises for an endpoint that does not answer, has a fault, or refuses the key."""
    address = (settings.PLUMBLINE.openai_base_url or OPENAI).rstrip("/")
    headers = {"Authorization": f"Bearer {settings.PLUMBLINE.openai_api_key}"}
    request = urllib.request.Request(f"{address}/models", headers=headers)
    try:
        urllib.request.urlopen(request, timeout=LIMIT).close()
    except urllib.error.HTTPError as error:
        if error.code in (401, 403) or error.code >= 500:
            raise


def _is_from_here(request: HttpRequest) -> bool:
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


CHECKS: dict[str, Check] = {
    "database": check_database,
    "model": check_model,
    "embedder": check_embedder,
}
_kept = _Kept()
