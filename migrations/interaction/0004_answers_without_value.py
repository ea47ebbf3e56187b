"""The reason of an answer without a value, and the question before in a questionnaire."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("interaction", "0003_heartbeats"),
    ]

    operations = [
        migrations.AddField(
            model_name="interviewrow",
            name="no_value",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.AddField(
            model_name="interviewrow",
            name="question_before",
            field=models.TextField(blank=True, default=""),
        ),
    ]
