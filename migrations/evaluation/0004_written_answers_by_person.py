"""Each person has a written answer of its own, and a task names the writer of its answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0003_news_searches"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="writtenanswerrow",
            name="written_answer_identity",
        ),
        migrations.AddConstraint(
            model_name="writtenanswerrow",
            constraint=models.UniqueConstraint(
                fields=("survey", "agent", "as_of_tick", "question", "by"),
                name="written_answer_of_person",
            ),
        ),
        migrations.AddField(
            model_name="rankingtaskrow",
            name="written_by",
            field=models.CharField(blank=True, default="", max_length=150),
        ),
    ]
