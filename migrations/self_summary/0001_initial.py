"""The tables of the app `self_summary`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SelfSummaryRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("core", models.TextField()),
                ("occupation", models.TextField()),
                ("feeling", models.TextField()),
                ("text", models.TextField()),
                ("due_tick", models.IntegerField()),
            ],
            options={
                "verbose_name": "self-summary",
                "verbose_name_plural": "self-summaries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="self_summary_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "from_tick"),
                        name="self_summary_identity",
                    )
                ],
            },
        ),
    ]
