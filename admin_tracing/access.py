"""Who may open the workflow pages: staff with the right, and nobody else.

A visitor is sent to the login; somebody who is signed in and may not see a page is told so.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from chat.db import in_db

REPLAY = "chat.replay_turns"
TRANSCRIPTS = "chat.read_transcripts"
RECORDS = "chat.read_records"

View = Callable[..., HttpResponse]
AsyncView = Callable[..., Coroutine[Any, Any, HttpResponse]]


def may(user: Any, permission: str) -> bool:
    """Staff with the permission; a superuser has all of them."""
    return bool(user.is_active and user.is_staff and user.has_perm(permission))


def requires(permission: str) -> Callable[[View], View]:
    """Guards a page."""

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            return turned_away(request, permission) or view(request, *args, **kwargs)

        return guarded

    return decorate


def requires_async(permission: str) -> Callable[[AsyncView], AsyncView]:
    """Guards an async view; the connection that the check needs is given back at once."""

    def decorate(view: AsyncView) -> AsyncView:
        @functools.wraps(view)
        async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refusal = await in_db(turned_away, request, permission)
            return refusal or await view(request, *args, **kwargs)

        return guarded

    return decorate


def turned_away(request: HttpRequest, permission: str) -> HttpResponse | None:
    """The answer to somebody who may not, or None for who may."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    if may(request.user, permission):
        return None
    return render(request, "admin_tracing/forbidden.html", status=403)
