from django.db import migrations, models

from chat.models.sql import RECORD_FUNCTIONS, RECORD_FUNCTIONS_BOUND, RECORD_TRIGGERS


class Migration(migrations.Migration):
    """The rules of the records in the database. Going back would take away what they protect."""

    dependencies = [("chat", "0004_controls_and_record")]

    operations = [
        migrations.AddField(
            model_name="purgeanchor",
            name="removed",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="turn",
            name="erased_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunSQL(RECORD_FUNCTIONS),
        migrations.RunSQL(RECORD_FUNCTIONS_BOUND),
        migrations.RunSQL(RECORD_TRIGGERS),
    ]
