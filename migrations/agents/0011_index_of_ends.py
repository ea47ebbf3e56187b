"""The index of actions by their end, where a current action ends never."""

from django.db import migrations, models
from django.db.models.functions import Coalesce

FOREVER_TICK = 2_147_483_647


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0010_copies_of_branches"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="actionrow", name="action_valid"),
        migrations.AddIndex(
            model_name="actionrow",
            index=models.Index(
                models.F("simulation_id"),
                Coalesce("to_tick", FOREVER_TICK),
                models.F("from_tick"),
                name="action_ends",
            ),
        ),
    ]
