from django.db import migrations

from chat.guardrails.personal_data.health import tells_health


def mark(apps, schema_editor):
    """Turns of before, whose question tells of somebody's health, and the later ones beside them."""
    Turn = apps.get_model("chat", "Turn")
    told = {
        turn.conversation_id: turn.started_at
        for turn in Turn.objects.filter(is_sensitive=False)
        .select_related("question")
        .order_by("-started_at")
        .iterator(chunk_size=500)
        if tells_health(turn.question.text)
    }
    for conversation, since in told.items():
        later = Turn.objects.filter(conversation_id=conversation, started_at__gte=since)
        later.update(is_sensitive=True)


class Migration(migrations.Migration):
    dependencies = [("chat", "0006_counted_events")]

    # Going back keeps the marks: nobody may read more for it.
    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
