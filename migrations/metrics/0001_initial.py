"""The tables of the app `metrics`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="TurnTotalRow",
            fields=[
                ("simulation_id", models.UUIDField(primary_key=True, serialize=False)),
                ("completed", models.BigIntegerField()),
                ("failed", models.BigIntegerField()),
                ("committed_ticks", models.BigIntegerField(db_default=0, default=0)),
            ],
            options={
                "verbose_name": "total of turns",
                "verbose_name_plural": "totals of turns",
            },
        ),
        migrations.CreateModel(
            name="ModelCallTotalRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("server", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("task", models.CharField(max_length=80)),
                ("outcome", models.CharField(max_length=40)),
                ("calls", models.BigIntegerField()),
                ("retries", models.BigIntegerField()),
                ("prompt_tokens", models.BigIntegerField()),
                ("cached_prompt_tokens", models.BigIntegerField()),
                ("completion_tokens", models.BigIntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=24)),
            ],
            options={
                "verbose_name": "total of model calls",
                "verbose_name_plural": "totals of model calls",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "server", "model", "task", "outcome"),
                        name="model_call_total_identity",
                    )
                ],
            },
        ),
    ]
