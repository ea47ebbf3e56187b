"""Longer names of the kinds of action requests."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("embodiment", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="callrow",
            name="kind",
            field=models.CharField(max_length=20),
        ),
    ]
