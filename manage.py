#!/usr/bin/env python
"""Runs management commands. Those that use the database find the embedded one running."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from config import env
from config.errors import StartError

# These look at code and files alone, so they do not start a server.
WITHOUT_DATABASE = frozenset(
    {"check", "collectstatic", "compilemessages", "docs_pages", "findstatic", "help"}
    | {"makemessages", "startapp", "test", "version", "--help", "-h", "--version"}
)
# These work on the tables themselves, or ask how they came to be; who serves does not own them.
AS_OWNER = frozenset({"flush", "makemigrations", "migrate"})


def main() -> int:
    env.use_site_settings()
    try:
        from django.core.management import execute_from_command_line

        with _database_for(sys.argv[1:]), _role_for(sys.argv[1:]):
            execute_from_command_line(sys.argv)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130  # as a shell would report it
    return 0


@contextmanager
def _database_for(arguments: list[str]) -> Iterator[None]:
    """The embedded server, for a command that uses the database when none is named."""
    from django.conf import settings

    if not arguments or arguments[0] in WITHOUT_DATABASE or settings.EMBEDDED is None:
        yield
        return
    from django.db import connection

    from config import embedded

    with embedded.start(settings.EMBEDDED):
        try:
            yield
        finally:
            connection.close()
            connection.close_pool()


def _role_for(arguments: list[str]) -> AbstractContextManager[None]:
    """The role that owns the tables, for a command that makes or empties them."""
    if not arguments or arguments[0] not in AS_OWNER:
        return nullcontext()
    from chat.roles import as_owner

    return as_owner()


if __name__ == "__main__":
    sys.exit(main())
