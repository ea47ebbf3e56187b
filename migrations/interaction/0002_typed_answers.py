"""Answers of interviews with a value beside the words."""

from django.db import migrations, models

import apps.interaction.models


class Migration(migrations.Migration):
    dependencies = [
        ("interaction", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="interviewrow",
            name="form",
            field=models.JSONField(default=apps.interaction.models.open_form),
        ),
        migrations.AddField(
            model_name="interviewrow",
            name="parse_error",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="interviewrow",
            name="value",
            field=models.JSONField(null=True),
        ),
    ]
