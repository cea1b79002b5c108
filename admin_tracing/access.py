"""Who may open the workflow pages: staff with the right, and nobody else.

A visitor is sent to the login; somebody who is signed in and may not see a page is told so. Turns
that tell of somebody's health are read by fewer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from chat.db import in_db
from chat.models import Turn

REPLAY = "chat.replay_turns"
TRANSCRIPTS = "chat.read_transcripts"
RECORDS = "chat.read_records"
SENSITIVE = "chat.read_sensitive"
LABEL = "admin_tracing.label_turns"
INCIDENTS = "admin_tracing.work_on_incidents"
SETTLE = "admin_tracing.settle_labels"
EXPORT = "admin_tracing.export_turns"
RERUN = "chat.rerun_turns"
LAB = "chat.use_lab"
PROMPTS = "chat.change_prompts"

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
            refusal = turned_away(request, permission, kwargs)
            return refusal or view(request, *args, **kwargs)

        return guarded

    return decorate


def requires_async(permission: str) -> Callable[[AsyncView], AsyncView]:
    """Guards an async view; the connection that the check needs is given back at once."""

    def decorate(view: AsyncView) -> AsyncView:
        @functools.wraps(view)
        async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refusal = await in_db(turned_away, request, permission, kwargs)
            return refusal or await view(request, *args, **kwargs)

        return guarded

    return decorate


def turned_away(
    request: HttpRequest, permission: str, about: Mapping[str, Any]
) -> HttpResponse | None:
    """The answer to somebody who may not, or None for who may.

    `about` is what the address names. A turn that tells of somebody's health needs a permission of
    its own as well, and so does an incident of one.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    if not may(request.user, permission):
        return _forbidden(request)
    if may(request.user, SENSITIVE) or not _is_sensitive(about):
        return None
    return _forbidden(request, is_sensitive=True)


def _is_sensitive(about: Mapping[str, Any]) -> bool:
    turns = Turn.objects.filter(is_sensitive=True)
    if "turn" in about:
        named = [about[name] for name in ("turn", "other") if name in about]
        return turns.filter(pk__in=named).exists()
    return "incident" in about and turns.filter(incidents=about["incident"]).exists()


def _forbidden(request: HttpRequest, *, is_sensitive: bool = False) -> HttpResponse:
    context = {"is_sensitive": is_sensitive}
    return render(request, "admin_tracing/forbidden.html", context, status=403)


def requires_one_of(*permissions: str) -> Callable[[View], View]:
    """Guards a page that more than one right opens."""

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            held = (right for right in permissions if may(request.user, right))
            refusal = turned_away(request, next(held, permissions[0]), kwargs)
            return refusal or view(request, *args, **kwargs)

        return guarded

    return decorate
