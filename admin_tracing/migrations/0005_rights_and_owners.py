from django.apps import apps as site_apps
from django.contrib.auth.management import create_permissions
from django.db import migrations

# The function comes with the tables of `chat`, where it guards the records themselves.
REFUSE = """
CREATE TRIGGER blast_read_rows BEFORE UPDATE OR DELETE ON admin_tracing_blastread
    FOR EACH ROW EXECUTE FUNCTION plumbline_refuse();
CREATE TRIGGER blast_read_table BEFORE TRUNCATE ON admin_tracing_blastread
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_refuse();
"""
ALLOW = """
DROP TRIGGER blast_read_rows ON admin_tracing_blastread;
DROP TRIGGER blast_read_table ON admin_tracing_blastread;
"""

RIGHTS = {
    "Support": ("label_turns",),
    # Tickets about somebody's health are shown to nobody else, so they have to be answered here.
    "Reviewers": ("work_on_incidents", "read_sensitive", "view_ticket", "change_ticket"),
}
OWNERS = {
    "unsupported_claim": "Reviewers",
    "wrongly_refused": "Support",
    "scope_breach": "Reviewers",
    "data_leak": "Reviewers",
    "control_outage": "Engineers",
    "action_in_error": "Engineers",
}


def give_rights(apps, schema_editor):
    """Django makes permissions after all migrations; these are needed now, and are made once."""
    for label in ("chat", "admin_tracing"):
        create_permissions(site_apps.get_app_config(label), verbosity=0, apps=apps)
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    for name, codenames in RIGHTS.items():
        group, _ = Group.objects.get_or_create(name=name)
        rights = Permission.objects.filter(
            content_type__app_label__in=("chat", "admin_tracing"), codename__in=codenames
        )
        if rights.count() != len(codenames):
            raise LookupError(f"a permission of {name} is missing")
        group.permissions.add(*rights)


def name_owners(apps, schema_editor):
    """Each category with its owner, so that the admin has a row to change."""
    CategoryOwner = apps.get_model("admin_tracing", "CategoryOwner")
    for category, owner in OWNERS.items():
        CategoryOwner.objects.get_or_create(category=category, defaults={"owner": owner})


class Migration(migrations.Migration):
    dependencies = [
        ("admin_tracing", "0004_labels_and_incidents"),
        ("chat", "0004_controls_and_record"),
    ]

    # Going back keeps the rights: the groups may have been given them by hand as well.
    operations = [
        migrations.RunSQL(REFUSE, ALLOW),
        migrations.RunPython(give_rights, migrations.RunPython.noop),
        migrations.RunPython(name_owners, migrations.RunPython.noop),
    ]
