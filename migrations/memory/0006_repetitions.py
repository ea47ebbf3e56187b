"""Repetitions of memories, and an index by subject."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0005_action_and_end"),
    ]

    operations = [
        migrations.CreateModel(
            name="RepetitionRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("number", models.IntegerField()),
                ("times", models.IntegerField()),
            ],
            options={
                "verbose_name": "repetition of a memory",
                "verbose_name_plural": "repetitions of memories",
            },
        ),
        migrations.AddIndex(
            model_name="memoryrow",
            index=models.Index(
                fields=["simulation_id", "agent", "subject"], name="memory_of_subject"
            ),
        ),
        migrations.AddIndex(
            model_name="repetitionrow",
            index=models.Index(
                fields=["simulation_id", "agent", "from_tick"], name="repetition_of_agent"
            ),
        ),
        migrations.AddConstraint(
            model_name="repetitionrow",
            constraint=models.UniqueConstraint(
                fields=("simulation_id", "agent", "number", "from_tick"),
                name="repetition_identity",
            ),
        ),
    ]
