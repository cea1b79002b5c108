"""The two roles of the database: one owns the tables, the other serves and may not undo a record.

The site runs under the second. Migrations, `purge` and `erase` run `as_owner`. What the second may
do is granted after each migration, and follows from the triggers: what a table's rule refuses to
everybody is not granted either. Where only one role is known, all of this does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connections, transaction
from psycopg import sql

RULES = ("plumbline_refuse", "plumbline_never")

# Beside the rules: what is taken away by the owner alone, and columns that nobody changes.
ONLY = {
    "chat_decisionrecord": "SELECT, INSERT",
    "chat_recordcontent": "SELECT, INSERT",
    "chat_purgeanchor": "SELECT",
    "chat_chainhead": "SELECT, INSERT, UPDATE (count, digest)",
    "chat_legalhold": "SELECT, INSERT, UPDATE (lifted_by_id, lifted_at)",
    "django_migrations": "SELECT",
}
ALSO = {"chat_chunk": "MAINTAIN"}  # statistics for the search, when documents were read
MAINTAIN_SINCE = 170000  # the server's version

# Row triggers by what they stand before: the bits of `pg_trigger.tgtype`.
REFUSED = """
SELECT c.relname,
    bool_or((t.tgtype & 16) > 0) AS no_update, bool_or((t.tgtype & 8) > 0) AS no_delete
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE p.proname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace
GROUP BY c.relname
"""

OWNED = """
SELECT relname, relkind = 'S' FROM pg_class
WHERE relowner = current_user::regrole AND relkind IN ('r', 'p', 'v', 'S')
    AND relnamespace = current_schema()::regnamespace
"""


@contextmanager
def as_owner(using: str = "default") -> Iterator[None]:
    """Let this process be the tables' owner inside the block. Not while it serves.

    The connections of before are closed, and so are those of the block.
    """
    if not settings.DATABASE_OWNER:
        yield
        return
    connection = connections[using]
    before = {part: connection.settings_dict[part] for part in settings.DATABASE_OWNER}
    try:
        _come_in(using, settings.DATABASE_OWNER)
        yield
    finally:
        _come_in(using, before)


def site_role() -> str:
    """The role that serves, where another one owns the tables; else nothing."""
    owner = settings.DATABASE_OWNER.get("USER", "")
    site = settings.SITE_ROLE
    return site if owner and site != owner else ""


def let_site_in(using: str = "default") -> None:
    """Grant the serving role what it needs, and take everything else. Harmless when repeated.

    Only what this role owns is granted: a schema may hold tables of others.
    """
    if not (role := site_role()):
        return
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT current_schema(), current_setting('server_version_num')::int")
        schema, version = cursor.fetchone()
        _do(cursor, "GRANT USAGE ON SCHEMA {name} TO {role}", role, schema)
        owned = _owned(cursor)
        for name, is_sequence in owned.items():
            if is_sequence:
                _do(cursor, "GRANT USAGE, SELECT ON SEQUENCE {name} TO {role}", role, name)
            else:
                _grant_only(cursor, role, name, "SELECT, INSERT, UPDATE, DELETE")
        cursor.execute(REFUSED, [list(RULES)])
        for table, rights in {**_by_rules(cursor.fetchall()), **ONLY}.items():
            if table in owned:
                _grant_only(cursor, role, table, rights)
        for table, rights in ALSO.items() if version >= MAINTAIN_SINCE else ():
            if table in owned:
                _do(cursor, f"GRANT {rights} ON {{name}} TO {{role}}", role, table)


def _owned(cursor: Any) -> dict[str, bool]:
    """Tables and sequences of the present role, and whether each is a sequence."""
    cursor.execute(OWNED)
    return dict(cursor.fetchall())


def _by_rules(rows: list[tuple[str, bool, bool]]) -> dict[str, str]:
    return {
        table: ", ".join(
            ["SELECT", "INSERT", *(["UPDATE"] if not no_update else [])]
            + (["DELETE"] if not no_delete else [])
        )
        for table, no_update, no_delete in rows
    }


def _grant_only(cursor: Any, role: str, table: str, rights: str) -> None:
    """`rights` come from this module's own tables, never from outside."""
    _do(cursor, "REVOKE ALL ON {name} FROM {role}", role, table)
    _do(cursor, f"GRANT {rights} ON {{name}} TO {{role}}", role, table)


def _do(cursor: Any, statement: str, role: str, name: str) -> None:
    names = {"role": sql.Identifier(role), "name": sql.Identifier(name)}
    cursor.execute(sql.SQL(statement).format(**names))


def _come_in(using: str, credentials: dict[str, object]) -> None:
    connection = connections[using]
    connection.close()
    connection.close_pool()
    connection.settings_dict.update(credentials)
