"""The role that serves: it answers questions, and can neither change a record nor its rules."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import ProgrammingError, connection, connections, transaction
from django.utils import timezone

from chat import roles, turns
from chat.db import in_db
from chat.identity import Person
from chat.models import DecisionRecord, LegalHold, Message, Turn
from chat.records.verify import verify
from chat.runner import Runner
from config import embedded
from config.variables import BASE_DIR
from tests import chains
from tests.doubles.models import ANSWERS, ScriptedModel
from tests.factories import QUESTION, ports
from tests.servers import query

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not settings.DATABASE_OWNER, reason="one role does everything"),
]

DENIED = "permission denied|must be owner"
FORBIDDEN = [
    "UPDATE chat_decisionrecord SET facts = '{}'",
    "DELETE FROM chat_decisionrecord",
    "TRUNCATE chat_decisionrecord CASCADE",
    "UPDATE chat_recordcontent SET content = NULL, salt = '', erased_at = now()",
    "DELETE FROM chat_recordcontent",
    "UPDATE chat_chainhead SET conversation_id = gen_random_uuid()",
    "DELETE FROM chat_chainhead",
    "TRUNCATE chat_chainhead",
    "INSERT INTO chat_purgeanchor (conversation_id, first, last, digest, purged_at, why, removed)"
    " SELECT conversation_id, 1, 1, digest, now(), '', '[]' FROM chat_chainhead",
    "UPDATE chat_purgeanchor SET last = 1",
    "DELETE FROM chat_purgeanchor",
    "TRUNCATE chat_purgeanchor",
    "UPDATE chat_legalhold SET reason = ''",
    "DELETE FROM chat_legalhold",
    "UPDATE admin_tracing_recordread SET at = now()",
    "DELETE FROM admin_tracing_recordread",
    "TRUNCATE admin_tracing_recordread",
    "TRUNCATE chat_turnevent",
    "DELETE FROM django_migrations",
    "SELECT plumbline_purge_records(gen_random_uuid(), 1, '')",
    "DROP TRIGGER decision_record_changed ON chat_decisionrecord",
    "ALTER TABLE chat_decisionrecord DISABLE TRIGGER ALL",
    "ALTER TABLE chat_decisionrecord ADD COLUMN note text",
    "DROP TABLE chat_decisionrecord",
    "CREATE OR REPLACE FUNCTION plumbline_never() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN RETURN NEW; END'",
    "CREATE TABLE beside (n int)",
    "SET session_replication_role = replica",
    "SET ROLE plumbline",
    "SET plumbline.purge = 'on'; DELETE FROM admin_tracing_recordread",
    "ALTER ROLE plumbline_app SUPERUSER",
]


@contextmanager
def serving() -> Iterator[None]:
    """The whole test process as the role that serves."""
    owner = settings.DATABASE_OWNER["USER"]
    try:
        _become(settings.SITE_ROLE)
        yield
    finally:
        _become(owner)


def _become(role: str) -> None:
    known = connections["default"]
    known.close()
    known.close_pool()
    known.settings_dict["USER"] = role


@pytest.fixture
def site_role() -> Iterator[psycopg.Connection]:
    """A session of the serving role, with a record, a hold and a reading there to be harmed."""
    of = chains.conversation()
    chains.chain(of, 1)
    LegalHold.objects.create(conversation=of, reason="a dispute")
    place, name = settings.EMBEDDED, connection.settings_dict["NAME"]
    with psycopg.connect(place.url(name, settings.SITE_ROLE), autocommit=True) as session:
        yield session


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_what_would_undo_a_record_is_denied(site_role: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=DENIED):
        site_role.execute(statement)
    assert DecisionRecord.objects.count() == 1


def test_it_owns_nothing_and_belongs_to_nobody(site_role: psycopg.Connection) -> None:
    owned = site_role.execute("SELECT relname FROM pg_class WHERE relowner = current_user::regrole")
    assert owned.fetchall() == []
    rights = site_role.execute(
        "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles"
        " WHERE rolname = current_user"
    )
    assert rights.fetchone() == (False,) * 5
    groups = site_role.execute("SELECT 1 FROM pg_auth_members WHERE member = current_user::regrole")
    assert groups.fetchall() == []


def test_a_head_does_not_move_without_a_record(site_role: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.IntegrityError, match="only goes on"):
        site_role.execute("UPDATE chat_chainhead SET count = 0, digest = ''")


def test_a_hold_may_be_lifted(site_role: psycopg.Connection) -> None:
    site_role.execute("UPDATE chat_legalhold SET lifted_at = now()")
    assert LegalHold.objects.filter(lifted_at__lte=timezone.now()).count() == 1


def test_whole_turns_work_and_their_chain_holds() -> None:
    talk = uuid4()
    with serving():
        asyncio.run(_two_turns(talk))
        assert verify(talk) is None
    assert Turn.objects.filter(status="finished").count() == 2
    assert DecisionRecord.objects.filter(conversation=talk).count() == 2
    assert Message.objects.filter(conversation=talk).count() == 4


async def _two_turns(talk: UUID) -> None:
    answers = ("It takes five to ten business days [1].",) * 2
    model = ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=answers)
    runner = Runner(ports=lambda: ports(model), versions=lambda: {"code": "test"})
    for _ in answers:
        begun = await in_db(turns.start, Person(visitor=UUID(int=10)), talk, QUESTION, uuid4())
        run = runner.begin(begun)
        assert run.task is not None
        await asyncio.wait_for(run.task, 20)
    await runner.close()


def test_a_table_of_a_later_migration_is_given_with_what_its_rule_allows() -> None:
    tables = (
        "CREATE TABLE later_plain (n int)",
        "CREATE TABLE later_kept (n int)",
        "CREATE TRIGGER kept BEFORE UPDATE OR DELETE ON later_kept"
        " FOR EACH ROW EXECUTE FUNCTION plumbline_refuse()",
    )
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in tables:
            cursor.execute(statement)
        roles.let_site_in()
        roles.let_site_in()
        cursor.execute(
            "SELECT table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type)"
            " FROM information_schema.role_table_grants"
            " WHERE grantee = %s AND table_name LIKE 'later%%' GROUP BY 1 ORDER BY 1",
            [settings.SITE_ROLE],
        )
        granted = cursor.fetchall()
        transaction.set_rollback(True)
    assert granted == [
        ("later_kept", "INSERT SELECT"),
        ("later_plain", "DELETE INSERT SELECT UPDATE"),
    ]


def test_who_serves_becomes_the_owner_inside_the_block_and_not_after_it() -> None:
    def who() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            return str(cursor.fetchone()[0])

    with serving():
        assert who() == settings.SITE_ROLE
        with pytest.raises(ZeroDivisionError), roles.as_owner():
            assert who() == settings.DATABASE_OWNER["USER"]
            raise ZeroDivisionError
        assert who() == settings.SITE_ROLE
        with pytest.raises(ProgrammingError, match="permission denied"):
            DecisionRecord.objects.update(facts={})


def test_where_one_role_is_known_nothing_is_granted(settings: object) -> None:
    settings.DATABASE_OWNER = {}  # type: ignore[attr-defined]
    assert roles.site_role() == ""
    roles.let_site_in()
    with roles.as_owner():
        assert connection.settings_dict["USER"] != ""


def test_a_server_of_before_gets_the_second_role_at_its_next_start(server_folder: Path) -> None:
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        query(place, "DROP ROLE plumbline_app", user="postgres")
    with embedded.start(place, durable=False):
        assert query(place, "SELECT current_user::text", user=embedded.SITE_ROLE) == [
            (embedded.SITE_ROLE,)
        ]


@pytest.mark.slow
def test_two_addresses_of_one_database_divide_the_work(server_folder: Path) -> None:
    """A database of the site's own, with a role that an administrator made."""
    place = embedded.locate(server_folder)
    with embedded.start(place, durable=False):
        urls = {"DATABASE_URL": place.url(user="guest"), "DATABASE_OWNER_URL": place.url()}
        query(place, "CREATE ROLE guest LOGIN", user="postgres")
        urls["REDIS_URL"] = "redis://localhost"  # as several processes need; nothing asks it here
        assert run("migrate", "-v0", **urls) == ""
        assert "0 records in 0 chains, none broken" in run("verify_decisions", **urls)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            query(place, "DELETE FROM chat_decisionrecord", user="guest")
        other = urls | {"DATABASE_OWNER_URL": place.url("postgres")}
        assert "must be the one of DATABASE_URL" in run("migrate", **other)


def run(*command: str, **environment: str) -> str:
    """What a command of the site says, to whichever end."""
    done = subprocess.run(
        [sys.executable, str(BASE_DIR / "manage.py"), *command],
        env={"ENV_FILE": "", "VAR_DIR": "/nonexistent", "DJANGO_SECRET_KEY": "x"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr
