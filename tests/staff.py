"""People for tests of the staff's pages: one of each group, and who belongs to none."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group

from tests import factories

GROUP_OF = {"support": "Support", "reviewer": "Reviewers", "engineer": "Engineers"}
EVERYBODY = ("visitor", "user", *GROUP_OF, "superuser")


def person(name: str) -> Any:
    """Somebody by role. None for the visitor, who has no account."""
    if name == "visitor":
        return None
    if name == "superuser":
        return factories.user(name, is_staff=True, is_superuser=True)
    somebody = factories.user(name, is_staff=name in GROUP_OF)
    if name in GROUP_OF:
        make_groups()
        somebody.groups.add(Group.objects.get(name=GROUP_OF[name]))
    return somebody


def make_groups() -> None:
    """What the migrations do; tests that commit lose their rows when the tables are emptied."""
    import_module("admin_tracing.migrations.0002_groups").make_groups(apps, None)
    import_module("admin_tracing.migrations.0003_ticket_permissions").give_rights(apps, None)
    import_module("admin_tracing.migrations.0005_rights_and_owners").give_rights(apps, None)
    rights = import_module("admin_tracing.migrations.0007_rights_of_the_workflow_page")
    rights.give_rights(apps, None)
