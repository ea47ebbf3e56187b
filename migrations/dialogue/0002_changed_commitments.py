"""Commitments that an agent changed or cancelled later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dialogue", "0001_initial")]
    operations = [
        migrations.AddField(
            model_name="commitmentrow",
            name="cancelled",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="commitmentrow",
            name="superseded_tick",
            field=models.IntegerField(null=True),
        ),
    ]
