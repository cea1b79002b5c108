from django.conf import settings
from django.db import migrations, models

# The function comes with the tables of `chat`, where it guards the records themselves.
REFUSE = """
CREATE TRIGGER record_read_rows BEFORE UPDATE OR DELETE ON admin_tracing_recordread
    FOR EACH ROW EXECUTE FUNCTION plumbline_refuse();
CREATE TRIGGER record_read_table BEFORE TRUNCATE ON admin_tracing_recordread
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_refuse();
"""
ALLOW = """
DROP TRIGGER record_read_rows ON admin_tracing_recordread;
DROP TRIGGER record_read_table ON admin_tracing_recordread;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("chat", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RecordRead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=models.deletion.PROTECT,
                        related_name="reads",
                        to="chat.decisionrecord",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"ordering": ("-at", "-id"), "default_permissions": ()},
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
