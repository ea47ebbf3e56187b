from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dialogue", "0006_commitmentrow_ended_tick_commitmentrow_outcome"),
    ]

    operations = [
        migrations.AddField(
            model_name="utterancerow",
            name="leaves",
            field=models.BooleanField(default=False),
        ),
    ]
