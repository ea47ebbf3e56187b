"""Without the index by order of commit: no query reads a simulation in that order often."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("eventlog", "0002_append_only"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="eventrow", name="event_of_commit"),
    ]
