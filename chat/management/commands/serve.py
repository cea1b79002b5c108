"""Serves the site, after bringing the database, the sample handbook and a staff account to life."""

import errno
import secrets
import socket
from typing import Any

from channels.routing import get_default_application
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand
from django.db import connection
from twisted.internet import reactor

from chat.contracts.commands import MAX_FRAME
from chat.management.setting_up import set_up

STAFF_NAME = "admin"
PASSWORD_BYTES = 12
LARGEST_FRAME = MAX_FRAME + 1024 * 1024  # bytes; the consumer refuses what is too long in words


class Command(BaseCommand):
    """`manage.py serve`: everything that a first start needs, then the server until Ctrl-C."""

    help = "Sets up what is missing and serves the site on BIND and PORT."

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = settings.PLUMBLINE.bind, settings.PLUMBLINE.port
        if problem := why_not_listen(host, port):
            raise SystemExit(problem)
        set_up(self._say, self.stdout)
        self._create_staff()
        self._serve(host, port)

    def _create_staff(self) -> None:
        people = get_user_model().objects
        if people.filter(is_superuser=True).exists():
            return
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        people.create_superuser(STAFF_NAME, password=password)
        self._say(f"Staff account: {STAFF_NAME}, password: {password} (shown this once)")

    def _serve(self, host: str, port: int) -> None:
        connection.close()
        server = Server(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            websocket_max_message_size=LARGEST_FRAME,
            websocket_max_frame_size=LARGEST_FRAME,
            server_name="plumbline",
        )
        # Once the reactor handles signals, so that whoever has read the line may stop the server.
        reactor.callWhenRunning(self._announce, server)
        server.run()
        if not server.listening_addresses:
            raise SystemExit(f"The site could not listen on {host}, port {port}.")

    def _announce(self, server: Server) -> None:
        for host, port in server.listening_addresses:
            shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
            self._say(f"Plumbline: http://{shown}:{port}/  (Ctrl-C stops it)")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def why_not_listen(host: str, port: int) -> str | None:
    """One line that says why the address cannot be used, or None when it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return f"Port {port} is taken. Stop its owner or choose another: make run PORT=8001"
            return f"The site cannot listen on {host}, port {port}: {error.strerror}."
    return None
