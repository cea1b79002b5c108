from django.apps import apps as site_apps
from django.contrib.auth.management import create_permissions
from django.db import migrations

GROUPS = {
    "Support": ("read_transcripts",),
    "Reviewers": ("read_transcripts", "read_records"),
    "Engineers": ("read_transcripts", "replay_turns"),
}


def make_groups(apps, schema_editor):
    """Django makes permissions after all migrations; these are needed now, and are made once."""
    create_permissions(site_apps.get_app_config("chat"), verbosity=0, apps=apps)
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    for name, codenames in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        rights = Permission.objects.filter(content_type__app_label="chat", codename__in=codenames)
        if rights.count() != len(codenames):
            raise LookupError(f"a permission of {name} is missing")
        group.permissions.add(*rights)


class Migration(migrations.Migration):
    dependencies = [
        ("admin_tracing", "0001_record_reads"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    # Going back keeps the groups: people may be in them.
    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
