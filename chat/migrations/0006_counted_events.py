from django.db import migrations, models


class Migration(migrations.Migration):
    """An index for what the alerts count."""

    dependencies = [("chat", "0005_record_rules")]

    operations = [
        migrations.AddIndex(
            model_name="turnevent",
            index=models.Index(
                fields=("type", "at"),
                condition=models.Q(type__in=("decision", "model_call")),
                name="counted_event_idx",
            ),
        ),
    ]
