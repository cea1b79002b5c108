from django.apps import apps as site_apps
from django.contrib.auth.management import create_permissions
from django.db import migrations

RIGHTS = {
    "Support": ("view_ticket", "change_ticket"),
    "Engineers": (
        *("view_ticket", "view_directoryentry", "add_directoryentry"),
        *("change_directoryentry", "delete_directoryentry"),
    ),
}


def give_rights(apps, schema_editor):
    """Tickets are made by a confirmed action alone, so nobody is given the right to add one."""
    create_permissions(site_apps.get_app_config("chat"), verbosity=0, apps=apps)
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    for name, codenames in RIGHTS.items():
        group, _ = Group.objects.get_or_create(name=name)
        rights = Permission.objects.filter(content_type__app_label="chat", codename__in=codenames)
        if rights.count() != len(codenames):
            raise LookupError(f"a permission of {name} is missing")
        group.permissions.add(*rights)


class Migration(migrations.Migration):
    dependencies = [
        ("admin_tracing", "0002_groups"),
        ("chat", "0003_pauses_tools_uploads"),
    ]

    # Going back keeps the rights: the groups may have been given them by hand as well.
    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
