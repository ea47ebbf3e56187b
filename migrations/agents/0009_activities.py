"""The activities of actions, and an index of sights by tick."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0008_doors"),
    ]

    operations = [
        migrations.AddField(
            model_name="actionrow",
            name="activity",
            field=models.TextField(default=""),
        ),
        migrations.AddIndex(
            model_name="seenpersonrow",
            index=models.Index(
                fields=["simulation_id", "agent", "from_tick"], name="seen_in_tick"
            ),
        ),
    ]
