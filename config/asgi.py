"""The site as an ASGI application: pages over http, the chat over a websocket of its own origin."""

import sys

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application

from config import embedded, env, process

env.use_site_settings()
http = get_asgi_application()

from chat.urls import websocket_urlpatterns  # noqa: E402 - needs Django to be set up

if settings.EMBEDDED and not embedded.is_open(settings.EMBEDDED):
    embedded.start(settings.EMBEDDED)

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
        ),
    }
)

if "daphne.server" in sys.modules:
    process.look_after_turns()
    process.end_process_after_reactor()
