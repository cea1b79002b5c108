from django.apps import apps as site_apps
from django.contrib.auth.management import create_permissions
from django.db import migrations

RIGHTS = {
    "Support": ("export_turns",),
    # Turns about somebody's health are shown to nobody else, so they have to be labelled here.
    "Reviewers": ("label_turns", "settle_labels", "export_turns"),
    "Engineers": ("rerun_turns", "use_lab", "change_prompts", "export_turns"),
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


class Migration(migrations.Migration):
    dependencies = [
        ("admin_tracing", "0006_labelling_work"),
        ("chat", "0008_lab_and_prompts"),
    ]

    # Going back keeps the rights: the groups may have been given them by hand as well.
    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
